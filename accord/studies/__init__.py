"""Running studies: settings, conditions, who plays, runs, workers, resuming, estimates."""
