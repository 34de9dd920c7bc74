"""Scenarios: registry, base class, spec and its loader, and one folder for each scenario."""
