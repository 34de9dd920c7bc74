"""Python <-> Node: worlds, the bots in them, servers, RCON. Nothing here knows a dilemma."""
