"""Religion: towns, priests, and what people take up from each other's words."""
