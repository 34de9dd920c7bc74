"""What `accord doctor` checks on this machine."""
