"""Report section on grid games: AdaSociety's measures beside its paper's results."""
