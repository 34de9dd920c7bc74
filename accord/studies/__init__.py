"""Studies: settings, conditions, players, runs, workers, resuming, estimates."""
