"""What is played: the registry, the spec and its loader, and one folder for each scenario."""
