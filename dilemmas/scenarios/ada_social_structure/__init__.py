"""AdaSociety's social structure game."""
