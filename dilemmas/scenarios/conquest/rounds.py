"""Conquest in rounds: the players' views of a round, and the programs that carry their orders out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from bridge.types import PolicyResult, ProgramOutcome
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import Event, OrderGiven
from dilemmas.scenarios.conquest.rules import War, troop_of
from dilemmas.scenarios.conquest.spec import ConquestSpec
from dilemmas.scenarios.protocol import EndState
from voyager_agents.conquest.turns import Battle, ConquestOrder, ConquestTurn


class ConquestGame:
    """One attempt at Conquest (a `dilemmas.scenarios.protocol.RoundGame`)."""

    round_s = 1.0

    def __init__(self, spec: ConquestSpec, layout: Layout, war: War, notices: Sequence[str]) -> None:
        """Start a game; all players read the notices before the first round."""
        self._spec, self._layout, self._war = spec, layout, war
        self._notices: dict[str, tuple[str, ...]] = dict.fromkeys(spec.players, tuple(notices))
        self._given: dict[str, tuple[ConquestOrder, str]] = {}
        """Player -> its order, and its fault."""

    @property
    def move_s(self) -> float:
        """Maximum duration of a move, from the spec."""
        return self._spec.rounds.seconds

    @property
    def deeds(self) -> list[Battle]:
        """Battles of the last round."""
        outcome = self._war.outcome
        return list(outcome.battles) if outcome else []

    def turn(self, player: str, number: int) -> ConquestTurn:
        """Return what the player sees: its territories, their neighbours, and the battles there in the last round."""
        board, outcome = self._war.board, self._war.outcome
        territories = board.seen_by(player)
        seen = {each.name for each in territories if each.owner is not None}
        # A player that has just lost a territory knows of that battle, whatever it sees now.
        battles = [
            each
            for each in (outcome.battles if outcome else ())
            if each.at in seen or player in (each.defender, *each.attackers)
        ]
        supports = [each for each in (outcome.supports if outcome else ()) if each[1] in seen or each[0] == player]
        return ConquestTurn(
            player=player,
            players=tuple(self._spec.players),
            round=number,
            rounds=self._spec.rounds.limit,
            territories=territories,
            objective=self._spec.players[player].objective,
            recruits=board.recruits(player),
            emeralds=self._war.emeralds(player),
            battles=tuple(battles),
            supports=tuple(supports),
            notices=self._notices.pop(player, ()),
        )

    def programs(self, number: int, decisions: Mapping[str, ConquestOrder]) -> dict[str, str]:
        """Return the programs that carry troops from chest to chest; an illegal order moves nothing."""
        board = self._war.board
        self._given, legal = {}, {}
        for player, order in decisions.items():
            fault = order.fault or (board.legality_fault(player, order) if board.held_by(player) else "")
            self._given[player] = (order, fault)
            legal[player] = ConquestOrder() if fault else order
        self._war.command(legal)
        return {player: self._program(player, order) for player, order in legal.items() if order.act != "hold"}

    def _program(self, player: str, order: ConquestOrder) -> str:
        """Return the program of a legal order. All its names and numbers are the scenario's own."""
        territories = self._spec.world.territories
        from_, to = (self._layout.cell(territories[name].chest) for name in (order.origin, order.target))
        troops = json.dumps({troop_of(self._spec, player): order.troops})
        return (
            "async function order (bot) {\n"
            f"  await getItemFromChest(bot, new Vec3({', '.join(map(str, from_))}), {troops})\n"
            f"  await depositItemIntoChest(bot, new Vec3({', '.join(map(str, to))}), {troops})\n"
            "}\n"
        )

    def after_step(self, number: int, state: EndState) -> Sequence[Event]:
        """Return the events of the rules."""
        return state.happened

    def after_programs(self, number: int, results: Mapping[str, PolicyResult]) -> list[Event]:
        """Return the orders with their faults."""
        found: list[Event] = []
        for player, (order, fault) in self._given.items():
            told = fault or self._failure(player, results.get(player))
            if told:
                self._notices[player] = (told,)
            found.append(
                OrderGiven(
                    round=number,
                    player=player,
                    act=order.act,
                    origin=order.origin,
                    target=order.target,
                    troops=order.troops,
                    place=order.place,
                    why=order.why,
                    fault=told,
                    stood_in="idle" if fault else "",
                )
            )
        return found

    def _failure(self, player: str, result: PolicyResult | None) -> str:
        """Return the reason why troops did not arrive, or an empty text."""
        home = "; the troops that had not arrived went home" if player in self._war.astray else ""
        if result is None or result.outcome is ProgramOutcome.RETURNED:
            return home.removeprefix("; ")
        if result.error is not None:
            return f"the move failed: {result.error.name}: {result.error.message}{home}"
        return f"the move took too long{home}"
