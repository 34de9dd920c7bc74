"""Training of language models by reinforcement: scenarios as environments whose learners are played by a trainer."""
