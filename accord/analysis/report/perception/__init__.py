"""Report section on experiments on perception: perceived beside true sentiments."""
