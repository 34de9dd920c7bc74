"""Social perception: three speakers and a listener in a room."""
