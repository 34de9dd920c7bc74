"""Reference policies over arrays."""
