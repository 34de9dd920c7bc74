"""The embedded world: the embedded server and a fleet of bots in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bridge.servers.embedded.server import EmbeddedServer
from bridge.servers.world import ServerWorld
from bridge.worlds import FLAT, HOST_PER_PLAYER, SURVIVAL_TERRAIN


class EmbeddedWorld(ServerWorld[EmbeddedServer]):
    """A world of vanilla rules in child processes of this one: no Java, no Docker, loopback only.

    `seed` drives loot and every other random choice; `log_dir` takes the server's log; `port` asks for a fixed game
    port. `players` are the names that play: whoever else joins watches; None lets everybody play.
    `terrain` is one of `bridge.worlds.TERRAINS`.
    """

    name = "embedded"
    capabilities = frozenset({"chests", "scoreboard", "spectators", "signals", HOST_PER_PLAYER, SURVIVAL_TERRAIN})

    def __init__(
        self,
        seed: int,
        log_dir: Path,
        port: int | None = None,
        *,
        players: Sequence[str] | None = None,
        terrain: str = FLAT,
    ) -> None:
        server = EmbeddedServer(seed=seed, log_dir=log_dir, port=port, players=players, terrain=terrain)
        super().__init__(server, seed=seed)
