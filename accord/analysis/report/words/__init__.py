"""Report section on words and deeds: statements matched to the log, monitors, and tests of collusion."""
