"""Social perception: perception-chef."""
