"""What is studied: scenarios, modes of play, runs, records, analysis, the command line."""
