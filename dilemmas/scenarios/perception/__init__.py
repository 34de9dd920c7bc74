"""Social perception: what agents make of each other's feelings, in a room, by a chef, in a town."""
