"""Social perception: a chef with hungry guests."""
