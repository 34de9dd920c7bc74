"""The report of Voyager's benchmark: tools, items and map by iteration, beside what was published."""
