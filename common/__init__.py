"""Text, files, processes, time and plugins: code that every package may use."""
