"""The Paper world: a Paper server in Docker and a fleet of bots in it."""

from __future__ import annotations

from pathlib import Path

from bridge.servers.paper.rules import PaperRules
from bridge.servers.paper.server import PaperServer
from bridge.servers.paper.settings import PaperSettings


class PaperWorld(PaperRules[PaperServer]):
    """A world on a Paper server of its own; started for a run and removed after it.

    `seed` is the level's seed and drives the bots' programs; Paper's own random choices (loot, spawns) follow no
    seed, so runs repeat in distribution only. `log_dir` takes the server's log; `port` asks for a fixed game port.
    """

    def __init__(self, seed: int, log_dir: Path, port: int | None = None) -> None:
        super().__init__(PaperServer(PaperSettings(seed=seed, game_port=port), log_dir), seed=seed)
