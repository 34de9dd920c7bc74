"""What all societies measure alike: lives as the log tells them, roles, and how minds worked."""
