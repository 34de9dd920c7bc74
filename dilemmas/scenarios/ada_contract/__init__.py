"""AdaSociety's contract game."""
