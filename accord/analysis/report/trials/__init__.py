"""Report section on Voyager's benchmark: tools, items and map by iteration, beside published results."""
