"""AdaSociety's negotiation game."""
