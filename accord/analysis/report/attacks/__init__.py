"""Section on adversaries: what an attack cost, and who lost by it."""
