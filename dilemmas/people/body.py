"""A human player's state, read from the server in the form that bots report."""

from __future__ import annotations

from bridge.errors import ServerError
from bridge.types import Sensed
from dilemmas.minecraft import snbt

MODES = ("survival", "creative", "adventure", "spectator")


def body_of(name: str, reply: str, tick: int) -> Sensed:
    """Parse the reply to `data get entity NAME`; surroundings are not included.

    Args:
        name: Name of the player.
        reply: The server's reply.
        tick: Age of the world in ticks.

    Raises:
        ServerError: The reply is not a player's data.
    """
    _, sign, told = reply.partition("has the following entity data: ")
    try:
        data = snbt.parse(told) if sign else None
    except ValueError as error:
        raise ServerError(f"the server's data of {name} cannot be read ({error}): {reply[:80]!r}") from None
    match data:
        case {
            "Pos": [(int() | float()) as x, (int() | float()) as y, (int() | float()) as z],
            "Rotation": [(int() | float()) as yaw, (int() | float()) as pitch],
            "Health": (int() | float()) as health,
            "foodLevel": (int() | float()) as food,
            "Inventory": list(stacks),
            "playerGameType": int(mode),
        } if 0 <= mode < len(MODES):
            slot = data.get("SelectedItemSlot", 0) if isinstance(data, dict) else 0
        case _:
            raise ServerError(f"the server answered {reply[:80]!r}, which holds no state of the player {name}")
    items: dict[str, int] = {}
    held = None
    for stack in stacks:
        if not isinstance(stack, dict):
            continue
        item = str(stack.get("id", "")).removeprefix("minecraft:")
        count = stack.get("Count", stack.get("count", 1))
        items[item] = items.get(item, 0) + (count if isinstance(count, int) else 1)
        held = item if stack.get("Slot") == slot else held
    return Sensed(
        name=name,
        position=(float(x), float(y), float(z)),
        yaw=float(yaw),
        pitch=float(pitch),
        health=float(health),
        food=float(food),
        items=items,
        held=held,
        gamemode=MODES[mode],
        tick=tick,
        players=(),
        mobs=(),
        drops=(),
        blocks=(),
    )
