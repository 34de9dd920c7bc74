"""The report of experiments on perception: what is thought of others beside what is true."""
