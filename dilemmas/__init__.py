"""Social dilemmas: scenarios, modes of play, the Minecraft side of both, run records and skills."""
