"""Ways to play a scenario: programs in episodes, decisions in rounds."""
