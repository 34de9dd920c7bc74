"""Datasets: records of finished runs as tables for analysis, training and publication."""
