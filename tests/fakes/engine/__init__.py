"""Stand-in for the local engine."""
