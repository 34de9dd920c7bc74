"""What a run writes down: events, model calls, results; and reading them again."""
