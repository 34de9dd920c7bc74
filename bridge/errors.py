"""Errors of the bridge, by audience.

BridgeError
    InfrastructureError   a server, host or the supervisor was lost; the episode must not be scored
        ServerError       the Minecraft server did not start, died, or refused RCON
        HostError         a bot host or the supervisor died or stopped answering
        BotLostError      a player's bot was disconnected while it was needed
            HostTakenDownError  because another player's program took down the host that they shared
    CommandError          the server refused a vanilla command (its own text is kept)

`common.errors.PrerequisiteError` (the operator has to do something first) is none of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge.types import PolicyResult


class BridgeError(Exception):
    """Base class of errors of the bridge."""


class InfrastructureError(BridgeError):
    """A part below the experiment failed; the episode must not be scored."""


class ServerError(InfrastructureError):
    """The Minecraft server did not start, died, or does not answer."""


class HostError(InfrastructureError):
    """A bot host or the supervisor died or stopped answering."""


class BotLostError(InfrastructureError):
    """A player's bot was disconnected while it was needed."""


class HostTakenDownError(BotLostError):
    """Bots lost with their host because a program took it down; `culprits` maps its bots to their results."""

    def __init__(self, reason: str, culprits: Mapping[str, PolicyResult]) -> None:
        super().__init__(reason)
        self.culprits = dict(culprits)


class CommandError(BridgeError):
    """The server refused a vanilla command; `command` and `reply` hold both texts."""

    def __init__(self, command: str, reply: str) -> None:
        super().__init__(f"command {command!r} was refused: {reply}")
        self.command = command
        self.reply = reply
