"""Settings of Paper servers: image, environment, files, limits, each with its reason.

Facts about the image and about Paper come from their sources and documentation. None of it was run against a real Paper
jar (docs/paper.md, "What was tested").
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from bridge.prerequisites import SOURCES
from common.errors import PrerequisiteError

IMAGE_VARIABLE = "ACCORD_PAPER_IMAGE"
"""Environment variable that names another image, e.g. one built from server_config/Dockerfile.offline."""
EULA_VARIABLE = "ACCORD_EULA"
"""Environment variable; `true` means that the operator accepts Mojang's EULA."""
EULA_REFUSED = f"Mojang's EULA is not accepted: read https://aka.ms/MinecraftEULA and set {EULA_VARIABLE}=true"
WATCHERS_VARIABLE = "ACCORD_WATCHERS"
"""Environment variable with names of people who may watch every Paper server, separated by commas."""
PINNED_IMAGE = "itzg/minecraft-server:2026.8.1-java21"
BUILDS = {"1.20.4": "499", "1.21.4": "232"}
"""Minecraft version -> the last Paper build of it, pinned."""
PROTOCOLS = {"1.20.4": 765, "1.21.4": 769}
"""Minecraft version -> number of its network protocol, which a server reports."""
DEFAULT_VERSION = "1.20.4"
CONFIG = SOURCES / "server_config" / "paper"
PASSWORD_FILE = ".accord-rcon-password"
"""File in /data with the RCON password, readable by the server's user only."""
GAME_PORT = "25565/tcp"
RCON_PORT = "25575/tcp"
DATA_UID = 1000
"""User and group of the server inside the image."""
STOP_SECONDS = 60


def eula_accepted() -> bool:
    """Return whether the operator has accepted the EULA."""
    return os.environ.get(EULA_VARIABLE, "").lower() in {"true", "yes", "on", "1"}


def wanted_image() -> str:
    """Return the default image."""
    return os.environ.get(IMAGE_VARIABLE) or PINNED_IMAGE


def pinned_cores(cores: int) -> str:
    """Return the cores of this process if it may not use all `cores` of the engine's machine, for its container.

    Empty if it may use all, or if the engine numbers its cores differently. Without this, a container uses any core.
    """
    mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return ",".join(map(str, mine)) if mine and len(mine) < cores and mine[-1] < cores else ""


def watchers() -> list[str]:
    """Return the names of people who may watch, from the environment."""
    return [name for name in re.split(r"[,\s]+", os.environ.get(WATCHERS_VARIABLE, "")) if name]


@dataclass(frozen=True)
class PaperSettings:
    """Settings of one Paper server."""

    version: str = DEFAULT_VERSION
    image: str = ""
    """Image; empty for `$ACCORD_PAPER_IMAGE` or the pinned image."""
    seed: int = 0
    memory_mb: int = 2048
    """Java heap in MB; the container may use 50 % more."""
    cpus: float = 2.0
    game_port: int | None = None
    """Port on 127.0.0.1; None takes a free one."""
    accept_eula: bool | None = None
    """True if the EULA is accepted; None for `$ACCORD_EULA`."""
    view_distance: int = 5
    max_players: int = 60
    """Maximum bots, observer and watchers together; the health check fails at 0."""
    stop_s: int = STOP_SECONDS
    """Seconds for the server to save and end; Docker kills it 15 s later."""
    start_timeout_s: float = 240.0

    def __post_init__(self) -> None:
        if self.version not in BUILDS:
            raise PrerequisiteError(f"Paper version {self.version!r} is not supported: choose {' or '.join(BUILDS)}")
        if not 256 <= self.memory_mb <= 65536:
            raise PrerequisiteError(f"memory of {self.memory_mb} MB is outside 256 to 65536 MB: take e.g. 2048")
        if self.game_port is not None and not 1 <= self.game_port <= 65535:
            raise PrerequisiteError(f"port {self.game_port} is not legal: choose one from 1024 to 65535")
        if not self.image:
            object.__setattr__(self, "image", wanted_image())
        if self.accept_eula is None:
            object.__setattr__(self, "accept_eula", eula_accepted())

    @property
    def limit_mb(self) -> int:
        """Memory of the container in MB: Java needs room beside its heap."""
        return self.memory_mb + self.memory_mb // 2

    def environment(self) -> dict[str, str]:
        """Return the container's environment, all values as text for the image's scripts."""
        return {
            "EULA": "TRUE" if self.accept_eula else "",
            "TYPE": "PAPER",
            "VERSION": self.version,
            "PAPER_BUILD": BUILDS[self.version],
            "SKIP_DOWNLOAD_DEFAULTS": "true",
            "MEMORY": f"{self.memory_mb}M",
            "JVM_DD_OPTS": "paper.playerconnection.keepalive=120 paper.disableStartupVersionCheck=true",
            "ENABLE_RCON": "true",
            "RCON_PASSWORD_FILE": f"/data/{PASSWORD_FILE}",
            "BROADCAST_RCON_TO_OPS": "false",
            "ONLINE_MODE": "false",
            "ENFORCE_SECURE_PROFILE": "false",
            "SEED": str(self.seed),
            "LEVEL_TYPE": "minecraft:flat",
            "GENERATE_STRUCTURES": "false",
            "SPAWN_PROTECTION": "0",
            "ALLOW_FLIGHT": "true",
            "DIFFICULTY": "peaceful",
            # Bots are put into survival mode by name when they join; nobody else ever plays.
            "MODE": "spectator",
            "VIEW_DISTANCE": str(self.view_distance),
            "SIMULATION_DISTANCE": "4",
            "MAX_PLAYERS": str(self.max_players),
            "NETWORK_COMPRESSION_THRESHOLD": "-1",
            "PLAYER_IDLE_TIMEOUT": "0",
            "STOP_DURATION": str(self.stop_s),
            # Names are let in over RCON when they are known: by environment the image would look them up.
            "ENABLE_WHITELIST": "true",
            "ENFORCE_WHITELIST": "true",
        }

    def files(self) -> dict[str, bytes]:
        """Return Paper's partial configuration: path below /data -> content."""
        return {str(path.relative_to(CONFIG)): path.read_bytes() for path in sorted(CONFIG.rglob("*.yml"))}
