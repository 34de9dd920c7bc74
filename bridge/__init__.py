"""Python <-> Node: the fleet of bots, the worlds they live in, RCON. Nothing here knows a dilemma."""
