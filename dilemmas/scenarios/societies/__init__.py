"""Common parts of societies: specs, life histories from the log, roles, and measures of minds."""
