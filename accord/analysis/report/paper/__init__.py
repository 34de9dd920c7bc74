"""Figures and tables for a paper: PDF, SVG and PNG in two widths, their data as CSV, LaTeX tables, and an example."""
