"""Giving and asking: the vanilla commands of scenarios, and the reading of vanilla's replies.

A question never guesses: a reply in another shape than vanilla's is a ServerError, since nothing may be scored from it.
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
_BLOCK_DATA = re.compile(r"-?\d+, -?\d+, -?\d+ has the following block data: (.*)$", re.DOTALL)


@dataclass(frozen=True)
class Command:
    """One vanilla command, and the refusals that mean "it is so already"."""

    text: str
    tolerate: tuple[str, ...] = ()
    """Beginnings of vanilla's failure texts that are no failure here."""


@dataclass(frozen=True)
class Stack:
    """One stack in a container, as the server told of it."""

    at: tuple[int, int, int]
    slot: int
    item: str
    """Without `minecraft:`."""
    count: int
    data: str
    """A pattern of NBT that it fits as long as nobody has changed it."""


async def give(world: World, commands: Iterable[Command]) -> int:
    """Run the commands in their order, in as few crossings as the world allows; returns how many.

    Raises CommandError for the first refusal that was not to be expected, when all have been given.
    """
    return len(await _given(world, commands))


async def _given(world: World, commands: Iterable[Command]) -> list[str]:
    """The reply to each."""
    given = list(commands)
    replies = await world.commands([each.text for each in given])
    return [
        _expected(reply, command.tolerate) if isinstance(reply, CommandError) else reply
        for command, reply in zip(given, replies, strict=True)
    ]


async def together(questions: Iterable[Awaitable[T]]) -> list[T]:
    """The answers to questions of which none depends on another: asked in their order, without waiting in between.

    Raises what the first of them raised, when all have been answered.
    """
    answers = await asyncio.gather(*questions, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return [answer for answer in answers if not isinstance(answer, BaseException)]


async def ask(world: World, command: Command) -> str:
    """Run one command; its reply, or the refusal that was to be expected. Raises CommandError for any other."""
    return await _reply(world, command.text, command.tolerate)


async def held(world: World, players: Sequence[str], item: str) -> dict[str, int]:
    """Player -> how many of that item it holds, cursor and off-hand included, of those of them that play (in survival
    mode) and hold any; one question for all."""
    reply = await _reply(world, f"execute as {PLAYING} run clear @s minecraft:{item} 0", (NOTHING_HELD,))
    # Servers tell this line by line, RCON without the ends of the lines; of who has none some say so, vanilla nothing.
    said = re.compile(_FOUND.format(names=_any_of(players)))
    if said.sub("", reply).strip():
        raise ServerError(f"the server answered {reply[:80]!r}, not in vanilla's words ({said.pattern})")
    return {told["name"]: int(told["count"]) for told in said.finditer(reply) if told["count"]}


async def scores(world: World, players: Sequence[str]) -> dict[str, dict[str, int]]:
    """Player -> all its scores by objective, of those of them that play (in survival mode); one question for all.

    Who has no score is there with none; who is missing has left.
    """
    reply = await _reply(world, f"execute as {PLAYING} run scoreboard players list @s", ())
    # Servers tell this line by line, RCON without the ends of the lines.
    found = {}
    for player, told in _split(reply, players, _LISTED):
        found[player] = {name: int(value) for name, value in _SCORES.findall(told)}
    return found


async def positions(world: World, players: Sequence[str]) -> dict[str, tuple[float, float, float]]:
    """Player -> where its feet are, of those of them that play (in survival mode); one question for all."""
    reply = await _reply(world, f"execute as {PLAYING} run data get entity @s Pos", ())
    found = {}
    for player, told in _split(reply, players, _ENTITY_DATA):
        match snbt.parse(told):
            case [(int() | float()) as x, (int() | float()) as y, (int() | float()) as z]:
                found[player] = (float(x), float(y), float(z))
            case _:
                raise ServerError(f"the server answered {reply[:80]!r}, which holds no position of {player}")
    return found


def _split(reply: str, players: Sequence[str], verb: str) -> list[tuple[str, str]]:
    """(player, what is said of it) for each player that a reply speaks of; longer names are not cut to shorter ones."""
    heads = list(re.finditer(rf"({_any_of(players)}) {verb}", reply))
    if reply and (not heads or heads[0].start() > 0):
        raise ServerError(f"the server answered {reply[:80]!r}, not in vanilla's words ({verb})")
    ends = [*(each.start() for each in heads[1:]), len(reply)]
    return [(each[1], reply[each.end() : end].strip()) for each, end in zip(heads, ends, strict=True)]


def _any_of(players: Sequence[str]) -> str:
    """A pattern of these names; longer ones first, so that none is taken for another's beginning."""
    return "|".join(sorted(players, key=len, reverse=True))


async def holds(world: World, condition: str) -> bool:
    """Whether `execute CONDITION` passes, e.g. `if block 1 2 3 minecraft:stone`."""
    return (await _reply(world, f"execute {condition}", (TEST_FAILED,))).startswith(TEST_PASSED)


async def inventory(world: World, player: str) -> dict[str, int]:
    """Item -> count of all that a player carries, armour and off-hand included. Raises BotLostError for who left."""
    question = _inventory_of(player)
    held = _carried(player, await _reply(world, question.text, question.tolerate))
    if held is None:
        raise BotLostError(f"{player} has left the game: the server tells nothing of it")
    return held


async def contents(world: World, at: tuple[int, int, int]) -> dict[str, int]:
    """Item -> count in the container at that position; empty when there is none any more."""
    question = _items_at(at)
    reply = await _reply(world, question.text, question.tolerate)
    return _counted(_lying(reply), reply)


async def goods(
    world: World, containers: Sequence[tuple[int, int, int]], players: Sequence[str], *, players_first: bool = False
) -> tuple[list[list[Stack]], list[dict[str, int] | None]]:
    """What lies in containers, slot by slot, and what players carry (None: has left the game), in one crossing.

    On a server that runs by itself the game may go on between two answers: containers are asked first, or players.
    """
    lying, carried = [_items_at(at) for at in containers], [_inventory_of(name) for name in players]
    if players_first:
        replies = await _given(world, [*carried, *lying])
        told, said = replies[len(carried) :], replies[: len(carried)]
    else:
        replies = await _given(world, [*lying, *carried])
        told, said = replies[: len(lying)], replies[len(lying) :]
    return (
        [_stacks(at, reply) for at, reply in zip(containers, told, strict=True)],
        [_carried(name, reply) for name, reply in zip(players, said, strict=True)],
    )


async def take_out(world: World, found: Sequence[Stack]) -> list[bool]:
    """Take these stacks out of their containers; for each whether it was still there as it was found.

    The server looks and takes in one command, so nothing is lost that somebody has added meanwhile: such a stack stays.
    """
    taken = []
    for stack in found:
        x, y, z = stack.at
        same = f"if data block {x} {y} {z} Items[{stack.data}]"
        text = f"execute {same} run item replace block {x} {y} {z} container.{stack.slot} with air"
        taken.append(Command(text, (NO_BLOCK_ENTITY,)))
    return [reply.startswith(SLOT_REPLACED) for reply in await _given(world, taken)]


def _inventory_of(player: str) -> Command:
    return Command(f"data get entity {player} Inventory", (NO_DATA, NO_ENTITY))


def _carried(player: str, reply: str) -> dict[str, int] | None:
    """What the answer says; None for who is not in the game."""
    if reply.startswith(NO_ENTITY):
        return None
    if reply.startswith(NO_DATA):
        return {}
    ((_, told),) = _split(reply, [player], _ENTITY_DATA)
    try:
        stacks = snbt.parse(told)
    except ValueError as error:
        raise ServerError(f"the server's inventory data cannot be read ({error}): {reply[:80]!r}") from None
    return _counted(stacks, reply)


def _items_at(at: tuple[int, int, int]) -> Command:
    x, y, z = at
    return Command(f"data get block {x} {y} {z} Items", (NO_BLOCK_ENTITY, NO_DATA))


def _lying(reply: str) -> snbt.Tag:
    """The items of a container, by the answer."""
    if reply.startswith((NO_BLOCK_ENTITY, NO_DATA)):
        return []
    try:
        return snbt.parse(_match(_BLOCK_DATA, reply)[1])
    except ValueError as error:
        raise ServerError(f"the server's container data cannot be read ({error}): {reply[:80]!r}") from None


def _stacks(at: tuple[int, int, int], reply: str) -> list[Stack]:
    told, found = _lying(reply), []
    for stack in told if isinstance(told, list) else []:
        ((item, count),) = _counted([stack], reply).items()
        slot = stack.get("Slot") if isinstance(stack, dict) else None
        if not isinstance(stack, dict) or not isinstance(slot, int):
            raise ServerError(f"the server's container data holds a stack without a slot: {reply[:80]!r}")
        counts = {"Count": f",Count:{count}b", "count": f",count:{count}"}
        counted = "".join(text for key, text in counts.items() if key in stack)
        found.append(Stack(at, slot, item, count, f'{{Slot:{slot}b,id:"{stack["id"]}"{counted}}}'))
    return found


def _counted(stacks: snbt.Tag, reply: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for stack in stacks if isinstance(stacks, list) else []:
        name = stack.get("id") if isinstance(stack, dict) else None
        # 1.20.5 renamed Count to count and leaves a count of one away.
        count = stack.get("Count", stack.get("count", 1)) if isinstance(stack, dict) else None
        if not isinstance(name, str) or not isinstance(count, int):
            raise ServerError(f"the server's container data holds a stack without id or count: {reply[:80]!r}")
        item = name.removeprefix("minecraft:")
        found[item] = found.get(item, 0) + count
    return found


async def _reply(world: World, text: str, tolerate: Sequence[str]) -> str:
    try:
        return await world.command(text)
    except CommandError as error:
        return _expected(error, tolerate)


def _expected(refusal: CommandError, tolerate: Sequence[str]) -> str:
    """The text of a refusal that was to be expected; raises what any other one means."""
    if refusal.reply.startswith(tuple(tolerate)):
        return refusal.reply
    if refusal.reply.startswith(NO_PLAYER):
        raise BotLostError(f"a player has left the server: {refusal.command!r} was answered {refusal.reply!r}")
    raise refusal


def _match(pattern: re.Pattern[str], reply: str) -> re.Match[str]:
    found = pattern.match(reply)
    if found is None:
        raise ServerError(f"the server answered {reply[:80]!r}, not in vanilla's words ({pattern.pattern})")
    return found
