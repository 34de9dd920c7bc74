"""Report section on repeated games."""
