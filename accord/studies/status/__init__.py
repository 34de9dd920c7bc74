"""Progress of a study on standard error: a status on terminals, a line in notebooks and logs."""
