"""Recognition of refusals among the replies of a Minecraft console.

RCON carries only text. Every syntax or argument error of vanilla and Paper ends in a marker at its position; errors
during execution are whole sentences, listed here from the server's language file (1.20.4). A sentence that says that a
legal command had nothing to do, such as "No blocks were filled", is no refusal: a scenario that resets a clean world
must not fail.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bridge.errors import CommandError

_HERE = "<--[HERE]"

_SENTENCES = (
    "An unexpected error occurred trying to execute that command",
    "Unknown or incomplete command, see below for error%s",
    "Unknown command or insufficient permissions",
    "Unknown command%s",
    "Incorrect argument for command%s",
    "Could not parse command: %s",
    "No player was found",
    "That player does not exist",
    "Only one entity is allowed, but the provided selector allows more than one%s",
    "Only one player is allowed, but the provided selector allows more than one%s",
    "Only players may be affected by this command, but the provided selector includes entities%s",
    "That position is not loaded",
    "That position is out of this world!",
    "That position is outside the allowed boundaries.",
    "Too many blocks in the specified area (maximum %s, specified %s)",
    "Too many blocks in the specified volume (maximum %s, specified %s)",
    "Too many chunks in the specified area (maximum %s, specified %s)",
    "The source and destination areas cannot overlap",
    "%s can only stack up to %s",
    "Can't give more than %s of %s",
    "Unknown scoreboard objective '%s'",
    "Scoreboard objective '%s' is read-only",
    "No relevant score holders could be found",
    "Can't get value of %s for %s; none is set",
    "The source does not have slot %s",
    "The target does not have slot %s",
    "Source position %s is not a container",
    "Target position %s is not a container",
    "The target block is not a block entity",
    "Unable to modify player data",
    "Can't get %s; only numeric tags are allowed",
    "Can't get %s; tag doesn't exist",
    "Found no elements matching %s",
    "Invalid position for teleport",
    "Invalid position for summon",
    "Unable to summon entity%s",
    "No bossbar exists with the ID '%s'",
    "Unknown team '%s'",
    "Unknown ID: %s",
    "Unknown block tag '%s'",
    "Unknown item tag '%s'",
    "Unknown function%s",
    "%s is not a valid entity for this command",
    "%s is not in spectator mode",
    "Cannot spectate yourself",
    "Cannot divide by zero",
    "World border cannot be %s",
    "An entity is required to run this command here",
    "A player is required to run this command here",
)


def _pattern(sentence: str) -> str:
    return re.escape(sentence).replace("%s", ".*")


_REFUSAL = re.compile("|".join(f"(?:{_pattern(sentence)})" for sentence in _SENTENCES), re.DOTALL)


def is_refusal(reply: str) -> bool:
    """Return whether a console's reply is a refusal."""
    text = reply.strip()
    return text.endswith(_HERE) or _REFUSAL.fullmatch(text) is not None


def accepted(command: str, reply: str) -> str:
    """Return the reply to a command. Raises CommandError if it is a refusal."""
    if is_refusal(reply):
        raise CommandError(command, reply)
    return reply


def judged(commands: Sequence[str], replies: Sequence[str | CommandError]) -> list[str | CommandError]:
    """Return for each command its reply, or a CommandError if the reply is a refusal."""
    return [
        CommandError(command, reply) if isinstance(reply, str) and is_refusal(reply) else reply
        for command, reply in zip(commands, replies, strict=True)
    ]
