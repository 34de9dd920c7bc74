"""Religion: towns, priests, and topics that people take up from each other's words."""
