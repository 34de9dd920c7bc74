"""The embedded world: the embedded server and a fleet of bots in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bridge.pictures import PICTURES
from bridge.servers.embedded.pictures import ConsolePictures
from bridge.servers.embedded.server import EmbeddedServer
from bridge.servers.world import ServerWorld
from bridge.worlds import CAN_PAUSE, ENGINE_BODIES, FLAT, HOST_PER_PLAYER, MINEFLAYER, SURVIVAL_TERRAIN


class EmbeddedWorld(ConsolePictures, ServerWorld[EmbeddedServer]):
    """A world of vanilla rules in child processes of this one: no Java, no Docker, loopback only.

    `seed` drives loot and every other random choice; `log_dir` takes the server's log; `port` asks for a fixed game
    port. `players` are the names of the players: other clients watch; None lets all play.
    `terrain` is one of `bridge.worlds.TERRAINS`; `bodies` is one of `BODIES`: clients of their own, or bodies in
    the server, whose programs also run in the fleet's hosts.
    """

    name = "embedded"
    capabilities = frozenset(
        {"chests", "scoreboard", "spectators", "signals", CAN_PAUSE, ENGINE_BODIES, HOST_PER_PLAYER, PICTURES}
        | {SURVIVAL_TERRAIN}
    )

    def __init__(
        self,
        seed: int,
        log_dir: Path,
        port: int | None = None,
        *,
        players: Sequence[str] | None = None,
        terrain: str = FLAT,
        bodies: str = MINEFLAYER,
    ) -> None:
        server = EmbeddedServer(seed=seed, log_dir=log_dir, port=port, players=players, terrain=terrain, bodies=bodies)
        super().__init__(server, seed=seed, bodies=bodies)
