"""The arena as new: nothing that players left behind in an earlier episode is within reach in the next, on any world.

A scenario builds its own boxes, and players change more than those: they dig below, build above, walk away, and put
things into chests, item frames, boats, mobs and ender chests. So the world border bounds where players can be,
everything within it is made anew from the bottom of the world to its top, entities are removed, and players lose what
they keep outside of their inventories. All of it is done by vanilla commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bridge.worlds import World, quiet_gamemode
from dilemmas.minecraft.commands import NO_ENTITY, NOTHING_FILLED, Command, give, holds
from dilemmas.minecraft.ground import box_of
from dilemmas.minecraft.layout import Cell
from dilemmas.minecraft.visiting import loading

FLAT_SURFACE = -60
"""The lowest air of vanilla's superflat world."""
FLAT_LAYERS = ((FLAT_SURFACE, 319, "air"), (-61, -61, "grass_block"), (-63, -62, "dirt"), (-64, -64, "bedrock"))
"""All of that world, from the top down: lowest and highest y, block."""
FILL_LIMIT = 32_768
"""Vanilla's own limit of blocks that one command changes."""
WIDEST_BORDER = 59_999_968
"""The size of a world border that nobody has set."""
EDGE = ("warning distance 0", "damage buffer 1", "damage amount 20")
"""Settings of the border: no warning to players near it, and death, so the world's spawn, for whoever gets past it."""
MARGIN = 2
"""Blocks beyond a border that are made anew, too: a block can be placed there from within."""
NOTHING_CHANGED = "Nothing changed"
NO_EFFECTS = "Target has no effects to remove"
RESET_PLAYERS = (
    Command("defaultgamemode spectator"),
    # Players of an earlier study, and who came before any, play no more. It closes what a player has open, too.
    Command(quiet_gamemode("spectator", "@a")),
    Command("effect clear @a", (NO_EFFECTS,)),
    Command("experience set @a 0 levels"),
    Command("experience set @a 0 points"),
)
EMPTY_ENDER_CHESTS = tuple(
    Command(f"item replace entity @a enderchest.{slot} with minecraft:air") for slot in range(27)
)
UNBOUNDED = Command(f"worldborder set {WIDEST_BORDER}", (NOTHING_CHANGED,))
"""For players who roam: a server that stays up may have the border of an earlier study."""


@dataclass(frozen=True)
class Square:
    """Columns of blocks, from (x, z) on, as many in both directions: the shape of a world border."""

    x: int
    z: int
    size: int

    @classmethod
    def around(cls, spots: Iterable[tuple[int, int]]) -> Square:
        """Return the smallest square of whole columns around these, each at its middle."""
        xs, zs = zip(*spots, strict=True)
        wide, deep = max(xs) - min(xs) + 1, max(zs) - min(zs) + 1
        size = max(wide, deep)
        return cls(min(xs) - (size - wide) // 2, min(zs) - (size - deep) // 2, size)

    def border(self) -> list[Command]:
        """Return commands that keep players within."""
        # Whole numbers would mean the middle of a block.
        middle = f"{self.x + self.size / 2:.1f} {self.z + self.size / 2:.1f}"
        settings = (f"center {middle}", f"set {self.size}", *EDGE)
        return [Command(f"worldborder {each}", (NOTHING_CHANGED,)) for each in settings]

    def flat_land(self) -> list[Command]:
        """Return commands that make vanilla's superflat land here and a little around, with nothing in or on it."""
        x, z, size = self.x - MARGIN, self.z - MARGIN, self.size + 2 * MARGIN
        fills = [
            f"fill {x} {high} {z} {x + size - 1} {low} {z + size - 1} minecraft:{block}"
            for low, high, block in FLAT_LAYERS
        ]
        most = max(FILL_LIMIT, size**2 * max(high - low + 1 for low, high, _ in FLAT_LAYERS))
        filled = [Command(each, (NOTHING_FILLED,)) for each in fills]
        return [
            # Columns in which nobody is are not there for commands, and neither is what stands in them.
            *(Command(f"forceload add {area}", ("No chunks were marked",)) for area in loading(filled)),
            Command(f"gamerule commandModificationBlockLimit {most}"),
            *filled,
            Command(f"gamerule commandModificationBlockLimit {FILL_LIMIT}"),
        ]


async def reset_players(world: World) -> int:
    """Let nobody play, and take away effects, experience and what lies in ender chests. Returns how many commands.

    Inventories are cleared, and players put into their game mode by name, where they are placed.
    """
    count = await give(world, RESET_PLAYERS)
    # Hardly anybody ever has one: a server answers this at once, and all slots one after the other.
    if await holds(world, "if entity @a[nbt={EnderItems:[{}]}]"):
        count += await give(world, EMPTY_ENDER_CHESTS)
    return count + 1


def bounds_of(building: Sequence[Command], origin: Cell, spawns: Iterable[Cell]) -> Square | None:
    """Return the square in which something is built and players stand at first; None where nothing is built.

    `spawns` are relative to `origin`.
    """
    boxes = [box for command in building if (box := box_of(command.text))]
    if not boxes:
        return None
    corners = [(corner[0], corner[2]) for box in boxes for corner in (box.low, box.high)]
    return Square.around([*corners, *((origin[0] + x, origin[2] + z) for x, _, z in spawns)])


def reset_land(bounds: Square, respawn: Cell) -> list[Command]:
    """Return commands that keep players within these bounds and make all of the land there anew, with nothing on it.

    Who dies comes back at `respawn`, which lies within.
    """
    # Twice: a mob that is killed drops what it held.
    removed = [Command("kill @e[type=!player]", (NO_ENTITY,))] * 2
    comes_back = Command("setworldspawn {} {} {}".format(*respawn))
    return [comes_back, *bounds.border(), *bounds.flat_land(), *removed]
