"""Social perception: a town of fifty people."""
