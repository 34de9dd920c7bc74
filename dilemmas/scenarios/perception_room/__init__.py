"""Social perception: perception-room."""
