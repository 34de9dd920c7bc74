"""What the records show: measures, statistics, social dilemmas, reports."""
