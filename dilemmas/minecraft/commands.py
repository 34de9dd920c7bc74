"""Vanilla commands of scenarios, and the parsing of vanilla's replies.

Queries never guess: a reply in any other form than vanilla's is a ServerError, since nothing may be scored from it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bridge.errors import BotLostError, CommandError, ServerError
from bridge.worlds import World
from dilemmas.minecraft import snbt

SAME_BLOCK = "Could not set the block"
NOTHING_FILLED = "No blocks were filled"
NOTHING_HELD = "No items were found on player"
NO_ENTITY = "No entity was found"
UNKNOWN_OBJECTIVE = "Unknown scoreboard objective"
NO_BLOCK_ENTITY = "The target block is not a block entity"
NO_DATA = "Found no elements matching"
NO_PLAYER = "No player was found"
NO_EFFECT = "Unable to apply this effect"
TEST_FAILED = "Test failed"
TEST_PASSED = "Test passed"
PLAYING = "@a[gamemode=survival]"
BLOCK_CHANGED = "Changed the block at"
SLOT_REPLACED = "Replaced a slot"
NO_CONTAINER = "Target position"

T = TypeVar("T")

_FOUND = r"(?:Found (?P<count>\d+) matching item\(s\)|No items were found) on player (?P<name>{names})"
_SCORES = re.compile(r"\[(\w+)\]: (-?\d+)")
_LISTED = r"has (?:\d+ score\(s\):|no scores to show)"
_ENTITY_DATA = r"has the following entity data: "
_PASSED_COUNT = re.compile(rf"{TEST_PASSED}[.,] [Cc]ount: (\d+)$")
_BLOCK_DATA = re.compile(r"-?\d+, -?\d+, -?\d+ has the following block data: (.*)$", re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A vanilla command, with the refusals that mean "already done"."""

    text: str
    tolerate: tuple[str, ...] = ()
    """Prefixes of vanilla's failure messages that are no failure here."""


@dataclass(frozen=True)
class Stack:
    """One item stack in a container, as reported by the server."""

    at: tuple[int, int, int]
    slot: int
    item: str
    """Item name without `minecraft:`."""
    count: int
    data: str
    """NBT pattern that matches the stack as long as it is unchanged."""


async def give(world: World, commands: Iterable[Command]) -> int:
    """Run the commands in order with as few calls as the world allows, and return their number.

    Raises CommandError for the first unexpected refusal, after all commands have run.
    """
    return len(await ask_all(world, commands))


async def ask_all(world: World, commands: Iterable[Command]) -> list[str]:
    """Run the commands as `give` does, and return the reply or tolerated refusal of each."""
    given = list(commands)
    replies = await world.commands([each.text for each in given])
    return [
        _check_refusal(reply, command.tolerate) if isinstance(reply, CommandError) else reply
        for command, reply in zip(given, replies, strict=True)
    ]


async def together(questions: Iterable[Awaitable[T]]) -> list[T]:
    """Await independent queries concurrently, and return their answers in order.

    Raises the first query's error after all have finished.
    """
    answers = await asyncio.gather(*questions, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return [answer for answer in answers if not isinstance(answer, BaseException)]


async def ask(world: World, command: Command) -> str:
    """Run one command, and return its reply or tolerated refusal. Raises CommandError for other refusals."""
    return await _run_one(world, command.text, command.tolerate)


async def held(world: World, players: Sequence[str], item: str) -> dict[str, int]:
    """Return player -> number of `item` held, cursor and off-hand included, with one query for all players.

    Only players in survival mode that hold any are included.

    Raises:
        ServerError: The reply is not vanilla's.
    """
    reply = await _run_one(world, f"execute as {PLAYING} run clear @s minecraft:{item} 0", (NOTHING_HELD,))
    # Servers separate replies by newlines, RCON does not. For players without the item some servers reply, vanilla does
    # not.
    said = re.compile(_FOUND.format(names=_any_of(players)))
    if said.sub("", reply).strip():
        raise ServerError(f"the server answered {reply[:80]!r}, which is not vanilla's form ({said.pattern})")
    return {told["name"]: int(told["count"]) for told in said.finditer(reply) if told["count"]}


async def scores(world: World, players: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return player -> objective -> score with one query, for players in survival mode.

    Players without scores have an empty mapping; missing players have left.
    """
    reply = await _run_one(world, f"execute as {PLAYING} run scoreboard players list @s", ())
    # Servers separate replies by newlines, RCON does not.
    found = {}
    for player, told in _split_by_player(reply, players, _LISTED):
        found[player] = {name: int(value) for name, value in _SCORES.findall(told)}
    return found


async def positions(world: World, players: Sequence[str]) -> dict[str, tuple[float, float, float]]:
    """Return player -> position of its feet with one query, for players in survival mode.

    Raises:
        ServerError: The reply holds no position.
    """
    reply = await _run_one(world, f"execute as {PLAYING} run data get entity @s Pos", ())
    found = {}
    for player, told in _split_by_player(reply, players, _ENTITY_DATA):
        match snbt.parse(told):
            case [(int() | float()) as x, (int() | float()) as y, (int() | float()) as z]:
                found[player] = (float(x), float(y), float(z))
            case _:
                raise ServerError(f"the server answered {reply[:80]!r}, which holds no position of {player}")
    return found


def _split_by_player(reply: str, players: Sequence[str], verb: str) -> list[tuple[str, str]]:
    """Return (player, text about it) for each player in a reply; a longer name is never split into a shorter one.

    Players that have left are not in the reply, which is empty once all have.
    """
    heads = list(re.finditer(rf"({_any_of(players)}) {verb}", reply))
    if reply and (not heads or heads[0].start() > 0):
        raise ServerError(f"the server answered {reply[:80]!r}, which is not vanilla's form ({verb})")
    nexts = [*(each.start() for each in heads), len(reply)][1:]
    return [(each[1], reply[each.end() : end].strip()) for each, end in zip(heads, nexts, strict=True)]


def _any_of(players: Sequence[str]) -> str:
    """Return a regex of the names, longer ones first, so that no name matches another's prefix."""
    return "|".join(sorted(players, key=len, reverse=True))


async def holds(world: World, condition: str) -> bool:
    """Return True if `execute CONDITION` passes, such as `if block 1 2 3 minecraft:stone`."""
    return (await _run_one(world, f"execute {condition}", (TEST_FAILED,))).startswith(TEST_PASSED)


async def tests(world: World, conditions: Sequence[str]) -> list[bool]:
    """Return for each condition, such as `if block 1 2 3 minecraft:stone`, True if `execute CONDITION` passes."""
    asked = [Command(f"execute {condition}", (TEST_FAILED,)) for condition in conditions]
    return [reply.startswith(TEST_PASSED) for reply in await ask_all(world, asked)]


async def filled_cells(world: World, start: tuple[int, int, int], end: tuple[int, int, int]) -> int:
    """Return the number of cells of a cuboid, both corners included, that hold a block other than air."""
    low, high = (" ".join(str(part) for part in corner) for corner in (start, end))
    # Compared with itself, masked: all blocks but air are equal, and vanilla counts them.
    reply = await _run_one(world, f"execute if blocks {low} {high} {low} masked", (TEST_FAILED,))
    return 0 if reply.startswith(TEST_FAILED) else int(_match(_PASSED_COUNT, reply)[1])


async def inventory(world: World, player: str) -> dict[str, int]:
    """Return item -> count of everything a player carries, armour and off-hand included.

    Raises:
        BotLostError: The player has left.
    """
    question = _inventory_of(player)
    held = _parse_inventory(player, await _run_one(world, question.text, question.tolerate))
    if held is None:
        raise BotLostError(f"{player} has left the game: the server does not know it")
    return held


async def food_levels(world: World, players: Sequence[str]) -> dict[str, int]:
    """Return player -> food level, 0 to 20; players that left are missing."""
    asked = [Command(f"data get entity {name} foodLevel", (NO_DATA, NO_ENTITY)) for name in players]
    found = {}
    for name, reply in zip(players, await ask_all(world, asked), strict=True):
        if told := re.search(_ENTITY_DATA + r"(\d+)", reply):
            found[name] = int(told[1])
    return found


async def contents(world: World, at: tuple[int, int, int]) -> dict[str, int]:
    """Return item -> count of the container at a position; empty if there is no container."""
    question = _items_at(at)
    reply = await _run_one(world, question.text, question.tolerate)
    return _count_items(_parse_container(reply), reply)


async def goods(
    world: World, containers: Sequence[tuple[int, int, int]], players: Sequence[str], *, players_first: bool = False
) -> tuple[list[list[Stack]], list[dict[str, int] | None]]:
    """Return the stacks in containers, and the items that players carry (None for players that left), in one call.

    Args:
        world: World to query.
        containers: Positions of the containers.
        players: Names of the players.
        players_first: Query players before containers; a running server's state may change between two replies.
    """
    lying, carried = [_items_at(at) for at in containers], [_inventory_of(name) for name in players]
    if players_first:
        replies = await ask_all(world, [*carried, *lying])
        told, said = replies[len(carried) :], replies[: len(carried)]
    else:
        replies = await ask_all(world, [*lying, *carried])
        told, said = replies[: len(lying)], replies[len(lying) :]
    return (
        [_stacks(at, reply) for at, reply in zip(containers, told, strict=True)],
        [_parse_inventory(name, reply) for name, reply in zip(players, said, strict=True)],
    )


async def take_out(world: World, found: Sequence[Stack]) -> list[bool]:
    """Remove stacks from their containers; return for each whether it was unchanged and hence removed.

    The server checks and removes in one command. A stack that someone has added to meanwhile stays, so nothing is lost.
    """
    taken = []
    for stack in found:
        x, y, z = stack.at
        same = f"if data block {x} {y} {z} Items[{stack.data}]"
        text = f"execute {same} run item replace block {x} {y} {z} container.{stack.slot} with air"
        taken.append(Command(text, (NO_BLOCK_ENTITY,)))
    return [reply.startswith(SLOT_REPLACED) for reply in await ask_all(world, taken)]


def _inventory_of(player: str) -> Command:
    return Command(f"data get entity {player} Inventory", (NO_DATA, NO_ENTITY))


def _parse_inventory(player: str, reply: str) -> dict[str, int] | None:
    """Return the items in a reply; None for a player that is not in the game."""
    if reply.startswith(NO_ENTITY):
        return None
    if reply.startswith(NO_DATA):
        return {}
    ((_, told),) = _split_by_player(reply, [player], _ENTITY_DATA)
    try:
        stacks = snbt.parse(told)
    except ValueError as error:
        raise ServerError(f"the server's inventory data cannot be read ({error}): {reply[:80]!r}") from None
    return _count_items(stacks, reply)


def _items_at(at: tuple[int, int, int]) -> Command:
    x, y, z = at
    return Command(f"data get block {x} {y} {z} Items", (NO_BLOCK_ENTITY, NO_DATA))


def _parse_container(reply: str) -> snbt.Tag:
    """Return the container's items from a reply."""
    if reply.startswith((NO_BLOCK_ENTITY, NO_DATA)):
        return []
    try:
        return snbt.parse(_match(_BLOCK_DATA, reply)[1])
    except ValueError as error:
        raise ServerError(f"the server's container data cannot be read ({error}): {reply[:80]!r}") from None


def _stacks(at: tuple[int, int, int], reply: str) -> list[Stack]:
    told, found = _parse_container(reply), []
    for stack in told if isinstance(told, list) else []:
        ((item, count),) = _count_items([stack], reply).items()
        slot = stack.get("Slot") if isinstance(stack, dict) else None
        if not isinstance(stack, dict) or not isinstance(slot, int):
            raise ServerError(f"the server's container data holds a stack without a slot: {reply[:80]!r}")
        counts = {"Count": f",Count:{count}b", "count": f",count:{count}"}
        counted = "".join(text for key, text in counts.items() if key in stack)
        found.append(Stack(at, slot, item, count, f'{{Slot:{slot}b,id:"{stack["id"]}"{counted}}}'))
    return found


def _count_items(stacks: snbt.Tag, reply: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for stack in stacks if isinstance(stacks, list) else []:
        name = stack.get("id") if isinstance(stack, dict) else None
        # 1.20.5 renamed Count to count and omits a count of one.
        count = stack.get("Count", stack.get("count", 1)) if isinstance(stack, dict) else None
        if not isinstance(name, str) or not isinstance(count, int):
            raise ServerError(f"the server's container data holds a stack without id or count: {reply[:80]!r}")
        item = name.removeprefix("minecraft:")
        found[item] = found.get(item, 0) + count
    return found


async def _run_one(world: World, text: str, tolerate: Sequence[str]) -> str:
    try:
        return await world.command(text)
    except CommandError as error:
        return _check_refusal(error, tolerate)


def _check_refusal(refusal: CommandError, tolerate: Sequence[str]) -> str:
    """Return the text of a tolerated refusal. Raises BotLostError for a missing player, else the refusal."""
    if refusal.reply.startswith(tuple(tolerate)):
        return refusal.reply
    if refusal.reply.startswith(NO_PLAYER):
        raise BotLostError(f"a player has left the server: {refusal.command!r} was answered {refusal.reply!r}")
    raise refusal


def _match(pattern: re.Pattern[str], reply: str) -> re.Match[str]:
    found = pattern.match(reply)
    if found is None:
        raise ServerError(f"the server answered {reply[:80]!r}, which is not vanilla's form ({pattern.pattern})")
    return found
