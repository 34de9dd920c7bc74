"""Report section on institutions: law, offices and votes, sanctions and bribes, trials."""
