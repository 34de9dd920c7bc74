"""What is studied: scenarios, the episode loop, measures, run records, reports, the command line."""
