"""Python <-> Node: worlds, the bots in them, servers, RCON. Independent of any scenario."""
