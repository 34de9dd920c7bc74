"""Reset of the arena between episodes: nothing that players left behind stays within reach, on any world.

Scenarios build their own boxes, but players change more: they dig below, build above, walk away, and put items into
chests, item frames, boats, mobs and ender chests. A world border therefore bounds the players, the land within is
restored from bottom to top, entities are removed, and players lose what they keep outside their inventories. Vanilla
commands do all of this.
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
"""y of the lowest air block in vanilla's superflat world."""
FLAT_LAYERS = ((FLAT_SURFACE, 319, "air"), (-61, -61, "grass_block"), (-63, -62, "dirt"), (-64, -64, "bedrock"))
"""Layers of the superflat world from the top down: lowest y, highest y, block."""
FILL_LIMIT = 32_768
"""Vanilla's limit of blocks changed by one command."""
WIDEST_BORDER = 59_999_968
"""Vanilla's default size of the world border."""
EDGE = ("warning distance 0", "damage buffer 1", "damage amount 20")
"""Border settings: no warning nearby, and quick death beyond it, which returns a player to the world's spawn."""
MARGIN = 2
"""Number of blocks beyond the border that are restored too, since blocks can be placed there from inside."""
NOTHING_CHANGED = "Nothing changed"
NO_EFFECTS = "Target has no effects to remove"
RESET_PLAYERS = (
    Command("defaultgamemode spectator"),
    # Excludes players of earlier studies and visitors from play; it also closes open windows.
    Command(quiet_gamemode("spectator", "@a")),
    Command("effect clear @a", (NO_EFFECTS,)),
    Command("experience set @a 0 levels"),
    Command("experience set @a 0 points"),
)
EMPTY_ENDER_CHESTS = tuple(
    Command(f"item replace entity @a enderchest.{slot} with minecraft:air") for slot in range(27)
)
UNBOUNDED = Command(f"worldborder set {WIDEST_BORDER}", (NOTHING_CHANGED,))
"""Removes the border that an earlier study may have left on a server that stays up."""


@dataclass(frozen=True)
class Square:
    """Square of columns from (x, z) on, in the shape of a world border."""

    x: int
    z: int
    size: int

    @classmethod
    def around(cls, spots: Iterable[tuple[int, int]]) -> Square:
        """Return the smallest square of whole columns around the spots, with them in the middle."""
        xs, zs = zip(*spots, strict=True)
        wide, deep = max(xs) - min(xs) + 1, max(zs) - min(zs) + 1
        size = max(wide, deep)
        return cls(min(xs) - (size - wide) // 2, min(zs) - (size - deep) // 2, size)

    def border(self) -> list[Command]:
        """Return commands that set the border around the square."""
        # Vanilla reads whole numbers as block centers.
        middle = f"{self.x + self.size / 2:.1f} {self.z + self.size / 2:.1f}"
        settings = (f"center {middle}", f"set {self.size}", *EDGE)
        return [Command(f"worldborder {each}", (NOTHING_CHANGED,)) for each in settings]

    def flat_land(self) -> list[Command]:
        """Return commands that restore empty superflat land in the square and a margin around it."""
        x, z, size = self.x - MARGIN, self.z - MARGIN, self.size + 2 * MARGIN
        fills = [
            f"fill {x} {high} {z} {x + size - 1} {low} {z + size - 1} minecraft:{block}"
            for low, high, block in FLAT_LAYERS
        ]
        most = max(FILL_LIMIT, size**2 * max(high - low + 1 for low, high, _ in FLAT_LAYERS))
        filled = [Command(each, (NOTHING_FILLED,)) for each in fills]
        return [
            # Commands do not reach unloaded chunks or their entities.
            *(Command(f"forceload add {area}", ("No chunks were marked",)) for area in loading(filled)),
            Command(f"gamerule commandModificationBlockLimit {most}"),
            *filled,
            Command(f"gamerule commandModificationBlockLimit {FILL_LIMIT}"),
        ]


async def reset_players(world: World) -> int:
    """Suspend players, and clear effects, experience and ender chests. Returns the number of commands.

    Inventories and game modes are reset per player when players are placed.
    """
    count = await give(world, RESET_PLAYERS)
    # Rarely true: the test is one quick query, while clearing takes a command per slot.
    if await holds(world, "if entity @a[nbt={EnderItems:[{}]}]"):
        count += await give(world, EMPTY_ENDER_CHESTS)
    return count + 1


def bounds_of(building: Sequence[Command], origin: Cell, spawns: Iterable[Cell]) -> Square | None:
    """Return the square that contains all constructions and starting positions; None if nothing is built.

    Args:
        building: Building commands.
        origin: World position of the scenario's cell (0, 0, 0).
        spawns: Starting positions relative to `origin`.
    """
    boxes = [box for command in building if (box := box_of(command.text))]
    if not boxes:
        return None
    corners = [(corner[0], corner[2]) for box in boxes for corner in (box.low, box.high)]
    return Square.around([*corners, *((origin[0] + x, origin[2] + z) for x, _, z in spawns)])


def reset_land(bounds: Square, respawn: Cell) -> list[Command]:
    """Return commands that confine players to `bounds` and restore its land; dead players return to `respawn`."""
    # Twice, because killed mobs drop their items.
    removed = [Command("kill @e[type=!player]", (NO_ENTITY,))] * 2
    comes_back = Command("setworldspawn {} {} {}".format(*respawn))
    return [comes_back, *bounds.border(), *bounds.flat_land(), *removed]
