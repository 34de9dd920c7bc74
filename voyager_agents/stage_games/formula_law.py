"""Games of any number of players by formula: payoffs from the player's own choice, the group's choices and a type.

Every option stands for a number. Players choose together or one after another; a later mover may see all choices so
far, the last one, their sum, or nothing. Parts name different positions, such as dictator and recipient. A private type
is drawn for each player and round, uniformly, and only that player reads it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Literal

from voyager_agents.stage_games.formulas import COUNT, GROUP_NAMES, ORDERED, Formula, counted_option
from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, plain

Sees = Literal["everything", "last", "sum", "nothing"]
"""Information of a later mover about the choices so far in a round."""
MAX_PROFILES = 5_000
"""Maximum number of combinations of choices and types of a game, whose payoffs are all computed before it starts."""
SEEN: Mapping[Sees, str] = {
    "everything": "Each sees all choices made before its own.",
    "last": "Each sees the choice made just before its own, and no other.",
    "sum": "Each is told the sum of the numbers chosen before its own, and no single choice.",
    "nothing": "Nobody sees another's choice before the round is over.",
}
"""Information of later movers -> the sentence shown to players."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class Part:
    """Part of one or all players in a round: options with their numbers, and the payoff."""

    name: str
    """Name such as `dictator`; empty if all players have the same part."""
    numbers: tuple[tuple[str, Fraction], ...]
    """Options with their numbers; empty for a part without a choice."""
    payoff: Formula
    cooperative: str = ""
    """Most cooperative option; empty without options."""
    selfish: str = ""
    """Most selfish option. If it is the cooperative one, the part's choices are not rated."""

    @cached_property
    def number_of(self) -> dict[str, Fraction]:
        """Option -> its number."""
        return dict(self.numbers)


@dataclass(frozen=True)
class PrivateType:
    """A number that chance draws for each player in each round, and that only this player reads."""

    name: str
    values: tuple[Fraction, ...]
    """Equally likely values."""

    @property
    def mean(self) -> Fraction:
        """The expected value, which stands for a type that is hidden from the reader."""
        return sum(self.values, Fraction(0)) / len(self.values)


@dataclass(frozen=True)
class Survey:
    """Payoffs of all combinations of choices and types."""

    amounts: tuple[Fraction, ...]
    best: Fraction
    """Highest total payoff, as expected before types are drawn."""


@dataclass(frozen=True)
class FormulaLaw(StageLaw):
    """Game of any number of players whose payoffs are formulas."""

    players: tuple[str, ...]
    parts: tuple[Part, ...]
    """One part for all players, or one for each, in the order of players in round 1."""
    values: tuple[tuple[str, Fraction], ...] = ()
    """Names of constants in the formulas, with their values."""
    in_turn: bool = False
    """True if the players who have a choice make it one after another, in the order of parts."""
    sees: Sees = "everything"
    rotates: bool = False
    """True if each player takes the next place in each round."""
    private: PrivateType | None = None
    form: str = "formula"

    def __post_init__(self) -> None:
        if len(self.parts) not in (1, len(self.players)):
            raise ValueError(f"{len(self.parts)} roles are for as many players, not for {len(self.players)}")
        if not any(part.numbers for part in self.parts):
            raise ValueError("nobody has a choice; give choices")
        if self._size > MAX_PROFILES:
            raise ValueError(
                f"{self._size} combinations of choices and types are too many; at most {MAX_PROFILES} are legal, so "
                "give fewer choices, types or players"
            )

    @property
    def has_types(self) -> bool:  # type: ignore[override] # of the class elsewhere
        """True if players have a private type."""
        return self.private is not None

    @property
    def hides(self) -> bool:  # type: ignore[override] # of the class elsewhere
        """True with private types, or if movers in turn do not see all earlier choices."""
        return self.has_types or (self.in_turn and self.sees != "everything")

    @cached_property
    def _moves(self) -> tuple[tuple[int, ...], ...]:
        """Places that choose in each stage."""
        choosing = tuple(place for place in range(len(self.players)) if self.part(place).numbers)
        return tuple((place,) for place in choosing) if self.in_turn else (choosing,)

    @cached_property
    def stages(self) -> tuple[str, ...]:  # type: ignore[override] # of the class elsewhere
        """Names of the stages: `choice`, or `first move`, `second move`, ..."""
        count = len(self._moves)
        return ("choice",) if count == 1 else tuple(f"{ordinal(place)} move" for place in range(count))

    @cached_property
    def names_read(self) -> frozenset[str]:
        """Names that any payoff reads."""
        return frozenset().union(*(part.payoff.names for part in self.parts))

    @property
    def alike(self) -> bool:
        """True if all players have the same part and no payoff depends on who chose what."""
        return len(self.parts) == 1 and not self.names_read & ORDERED

    def part(self, place: int) -> Part:
        """Return the part of a place, counted from 0."""
        return self.parts[place if len(self.parts) > 1 else 0]

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return the roles in the order of places; the names of parts, or places of movers in turn."""
        return self._roles(number, [draw.choice(self.private.values) for _ in self.players] if self.private else None)

    def _roles(self, number: int, types: Sequence[Fraction] | None) -> Roles:
        count = len(self.players)
        first = (number - 1) % count if self.rotates else 0
        order = [*self.players[first:], *self.players[:first]]
        found = {}
        for place, player in enumerate(order):
            name = self.part(place).name or (f"{ordinal(place)} mover" if self.in_turn else "")
            partner = order[place - 1] if count == 2 or "received" in self.names_read else ""
            found[player] = RoundRole(name, partner, None if types is None else types[place])
        return found

    def situations(self) -> list[Roles]:
        """Return roles with every player in every place, and with every type held by all players."""
        values = self.private.values if self.private else (None,)
        rounds = len(self.players) if self.rotates else 1
        return [
            self._roles(number, None if value is None else [value] * len(self.players))
            for number in range(1, rounds + 1)
            for value in values
        ]

    def roles_of_type(self, private: Fraction) -> Roles:
        """Return the roles of round 1 if all players have this type."""
        return self._roles(1, [private] * len(self.players))

    def _part_of(self, player: str, roles: Roles) -> Part:
        return self.part(list(roles).index(player))

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the options of the player's part, in the stage in which its place chooses."""
        place = list(roles).index(player)
        return tuple(self.part(place).number_of) if place in self._moves[stage] else ()

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the cooperative option of the player's part."""
        return self._part_of(player, roles).cooperative

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the selfish option of the player's part."""
        return self._part_of(player, roles).selfish

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the number's position between the selfish and the cooperative one; None for a part without rating.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        part = self._part_of(player, roles)
        low, high = part.number_of[part.selfish], part.number_of[part.cooperative]
        if low == high:
            return None
        return max(Fraction(0), min(Fraction(1), (part.number_of[option] - low) / (high - low)))

    def seen_choices(self, stage: int, player: str, choices: Choices) -> Choices:
        """Return the choices that a mover sees, with an empty stage for each hidden one."""
        if self.sees == "everything":
            return choices
        shown = 1 if self.sees == "last" else 0
        return tuple(each if place >= len(choices) - shown else {} for place, each in enumerate(choices))

    def seen_lines(self, stage: int, player: str, roles: Roles, choices: Choices) -> tuple[str, ...]:
        """Return the player's type, and the sum of the choices so far if that is what a mover sees.

        Args:
            stage: Number of the stage, from 0.
            player: The player that reads them.
            roles: Role of each player in this round.
            choices: Choices of the stages that are over.
        """
        found = []
        role = roles[player]
        if self.private is not None and role.private is not None:
            found.append(f"Your {self.private.name} in this round is {plain(role.private)}; only you know it.")
        if self.sees == "sum" and choices:
            found.append(
                f"The numbers chosen so far sum to {plain(sum(self.numbers(roles, choices).values(), Fraction(0)))}."
            )
        return tuple(found)

    def numbers(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return player -> chosen number, in the order of stages."""
        return {
            player: self._part_of(player, roles).number_of[option]
            for stage in choices
            for player, option in stage.items()
        }

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the value of each player's formula. A hidden type counts with its mean."""
        numbers = self.numbers(roles, choices)
        group = self._group(roles, numbers, choices)
        return {player: self._payoff(player, roles, numbers, group) for player in self.players}

    def payoff_to(self, player: str, roles: Roles, choices: Choices) -> Fraction:
        """Return the payoff of one player.

        Args:
            player: The player.
            roles: Role of each player in the round.
            choices: Choices of all stages of the round.
        """
        numbers = self.numbers(roles, choices)
        return self._payoff(player, roles, numbers, self._group(roles, numbers, choices))

    def _payoff(
        self, player: str, roles: Roles, numbers: Mapping[str, Fraction], group: Mapping[str, Fraction]
    ) -> Fraction:
        order = list(roles)
        place = order.index(player)
        own = numbers.get(player, Fraction(0))
        told = {"own": own, "others": group["total"] - own}
        if "before" in self.names_read:
            told["before"] = group[f"before {player}"]
        if "received" in self.names_read:
            told["received"] = numbers.get(order[place - 1], Fraction(0))
        if self.private is not None:
            held = roles[player].private
            told[self.private.name] = self.private.mean if held is None else held
        return self._value(self.part(place).payoff, {**group, **told})

    def _group(self, roles: Roles, numbers: Mapping[str, Fraction], choices: Choices) -> dict[str, Fraction]:
        """Return the values of the names that are the same for all players, and sums before each mover."""
        amounts = list(numbers.values())
        chosen = [option for stage in choices for option in stage.values()]
        found = {
            **dict(self.values),
            "n": Fraction(len(self.players)),
            "total": sum(amounts, Fraction(0)),
            "lowest": min(amounts),
            "highest": max(amounts),
        }
        for name in self.names_read:
            if name.startswith(f"{COUNT}("):
                found[name] = Fraction(chosen.count(counted_option(name)))
        for player, role in roles.items():
            if player in numbers and role.name:
                found[role.name] = numbers[player]
        if "before" in self.names_read:
            found |= self._sums_before(numbers, choices)
        return found

    def _sums_before(self, numbers: Mapping[str, Fraction], choices: Choices) -> dict[str, Fraction]:
        """Return `before NAME` -> sum of the numbers chosen in earlier stages than that player's."""
        found = {f"before {player}": Fraction(0) for player in self.players}
        so_far = Fraction(0)
        for stage in choices:
            found |= {f"before {player}": so_far for player in stage}
            so_far += sum((numbers[player] for player in stage), Fraction(0))
        return found

    def _value(self, payoff: Formula, values: Mapping[str, Fraction]) -> Fraction:
        """Return a payoff, computed once for the same values of the names that it reads."""
        key = (payoff.source, *(values[name] for name in sorted(payoff.names)))
        if key not in self._known:
            self._known[key] = payoff.number(values)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[object, ...], Fraction]:
        return {}

    @property
    def _size(self) -> int:
        """Number of profiles of `profiles`, with all types."""
        types = len(self.private.values) if self.private else 1
        if self.alike and types == 1:
            options, count = len(self.parts[0].numbers), len(self.players)
            return comb(count + options - 1, count)
        numbers = (len(self.part(place).numbers) for place in range(len(self.players)))
        return prod(types * max(1, number) for number in numbers)

    def profiles(self, roles: Roles) -> Iterator[Choices]:
        """Yield all combinations of choices; those that differ by a change of alike players only once."""
        order = list(roles)
        choosing = [(player, tuple(self.part(place).number_of)) for place, player in enumerate(order)]
        choosing = [(player, options) for player, options in choosing if options]
        if self.alike and not self.has_types:
            combined: Iterator[tuple[str, ...]] = combinations_with_replacement(choosing[0][1], len(choosing))
        else:
            combined = product(*(options for _, options in choosing))
        for each in combined:
            yield self.arranged(roles, dict(zip((player for player, _ in choosing), each, strict=True)))

    def arranged(self, roles: Roles, chosen: Mapping[str, str]) -> Choices:
        """Return one choice of each player by stages."""
        order = list(roles)
        return tuple({order[place]: chosen[order[place]] for place in stage} for stage in self._moves)

    def survey(self) -> Survey:
        """Return the payoffs of all combinations; compute them anew."""
        amounts: dict[Fraction, None] = {}
        draws = product(self.private.values, repeat=len(self.players)) if self.private else [None]
        totals = []
        for types in draws:
            roles = self._roles(1, types)
            paid = [self.payoffs(roles, chosen).values() for chosen in self.profiles(roles)]
            amounts |= dict.fromkeys(amount for each in paid for amount in each)
            totals.append(max(sum(each, Fraction(0)) for each in paid))
        return Survey(tuple(amounts), sum(totals, Fraction(0)) / len(totals))

    def amounts(self) -> Sequence[Fraction]:
        """Return every possible payoff."""
        return _survey_of(self).amounts

    def worst(self) -> Fraction:
        """Return the lowest possible payoff."""
        return min(_survey_of(self).amounts)

    def finest(self) -> Fraction:
        """Return the highest possible payoff."""
        return max(_survey_of(self).amounts)

    def best(self) -> Fraction:
        """Return the highest total payoff, as expected before types are drawn."""
        return _survey_of(self).best

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        found = [*self._choice_lines(), *self._payoff_lines()]
        if self.in_turn and len(self._moves) > 1:
            names = [role.name for role in self._roles(1, None).values()]
            movers = ", ".join(f"the {names[stage[0]]}" for stage in self._moves)
            found.append(f"They choose one after another: {movers}. {SEEN[self.sees]}")
        if self.private is not None:
            drawn = ", ".join(plain(value) for value in self.private.values)
            found.append(
                f"In each round chance draws every player's own {self.private.name}, each of {drawn} with the same "
                "probability. Only that player is told."
            )
        if self.in_turn or len(self.parts) > 1:
            places = ", ".join(f"{player} is the {role.name}" for player, role in self._roles(1, None).items())
            moves = "; in each round everybody takes the next place" if self.rotates else " in all rounds"
            found.append(f"{places}{' in round 1' if self.rotates else ''}{moves}.")
        return found

    def _choice_lines(self) -> list[str]:
        found = []
        for part in self.parts:
            if part.numbers:
                who = f"The {part.name}" if part.name else f"Each of the {len(self.players)} players"
                named = all(option.endswith(f"_{plain(number)}") for option, number in part.numbers)
                told = ", ".join(
                    option if named else f"{option} (the number {plain(number)})" for option, number in part.numbers
                )
                found.append(
                    f"{who} chooses one of {told}{', which stand for the numbers in their names' if named else ''}."
                )
        return found

    def _payoff_lines(self) -> list[str]:
        """Return the formulas as they stand, with the meaning of their names."""
        parts = [(f"The {part.name}'s payoff" if part.name else "Each player's payoff", part) for part in self.parts]
        found = [f"{whose} in a round is {part.payoff.source}." for whose, part in parts]
        read = self.names_read
        meanings = [f"{name} is {meaning}" for name, meaning in GROUP_NAMES.items() if name in read]
        meanings += [f"{name} is {plain(value)}" for name, value in self.values if name in read]
        meanings += [f"{part.name} is the {part.name}'s number" for part in self.parts if part.name in read]
        if self.private is not None and self.private.name in read:
            meanings.append(f"{self.private.name} is the player's own {self.private.name}")
        counts = sorted(name for name in read if name.startswith(f"{COUNT}("))
        meanings += [f"{name} is the number of players who chose {counted_option(name)}" for name in counts]
        return [*found, f"In it {', '.join(meanings)}."] if meanings else found


@cache
def _survey_of(law: FormulaLaw) -> Survey:
    return law.survey()


def ordinal(place: int) -> str:
    """Return the ordinal of a place that is counted from 0: `first`, `second`, ..., `11th`."""
    return ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"
