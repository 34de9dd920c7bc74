"""Report section on a society of towns: spread of ideas by words, by place, and by speaker."""
