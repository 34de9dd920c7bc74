"""Report section that compares kinds of players with each other."""
