"""AdaSociety's exploration game."""
