"""Social perception: agents' estimates of each other's feelings, in a room, by a chef, in a town."""
