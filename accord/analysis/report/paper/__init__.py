"""Figures and tables for papers: PDF, SVG and PNG in two widths, data as CSV, LaTeX tables, and an example."""
