"""Section on drives of villagers."""
