"""Social perception: perception-town."""
