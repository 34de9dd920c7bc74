"""What only the reports of repeated games have."""
