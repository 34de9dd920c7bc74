"""Analysis of records: measures, statistics, social dilemmas, reports."""
