"""Rules of villagers without a model that live under institutions."""
