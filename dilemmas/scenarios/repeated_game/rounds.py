"""Repeated game in rounds: views of the players, and consequences of their decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bridge.types import PolicyResult, ProgramOutcome
from bridge.worlds import World
from contracts.institutions.frame import Slot
from contracts.institutions.game_devices import CHOICES, CarriedChoice
from contracts.institutions.slots import CivicOrder
from dilemmas.records.events import Event, OptionChosen
from dilemmas.scenarios.protocol import EndState
from dilemmas.scenarios.repeated_game.dealer import Dealer
from dilemmas.scenarios.repeated_game.devices import Devices
from dilemmas.scenarios.repeated_game.spec import RepeatedGameSpec
from voyager_agents.stage_games.turns import StageDecision, StageTurn, turn_of


class GameInRounds:
    """One attempt at a repeated game (a `dilemmas.scenarios.protocol.RoundGame`). A round of the mode is a stage."""

    round_s = 0.0

    def __init__(self, spec: RepeatedGameSpec, devices: Devices, dealer: Dealer, notices: Sequence[str]) -> None:
        """Start a game; all players read the notices before the first round."""
        dealer.in_rounds = True
        self._spec, self._devices, self._dealer = spec, devices, dealer
        self._notices: dict[str, tuple[str, ...]] = dict.fromkeys(spec.players, tuple(notices))
        self._decided: dict[str, OptionChosen] = {}

    @property
    def move_s(self) -> float:
        """Maximum duration of a move, from the spec."""
        return self._spec.rules.move_s

    @property
    def deeds(self) -> list[object]:
        """No deeds: nobody judges single rounds."""
        return []

    def turn(self, player: str, number: int) -> StageTurn:
        """Return the history that counts, and the player's options now."""
        return turn_of(self._dealer.match, player, self._notices.pop(player, ()))

    def programs(self, number: int, decisions: Mapping[str, StageDecision]) -> dict[str, str]:
        """Return the programs that walk to the devices. A stand-in chooses for a player without a legal choice."""
        match, devices = self._dealer.match, self._devices
        self._decided, found = {}, {}
        for player, decision in decisions.items():
            options = match.options(player)
            if not options and not decision.option:
                continue
            fault = decision.fault
            if decision.option and decision.option not in options:
                legal = ", ".join(options) or "none: it is not your turn to choose"
                fault = f"{decision.option!r} is no option here; legal are {legal}"
            elif decision.option:
                found[player] = devices.program(player, options.index(decision.option))
            self._decided[player] = OptionChosen(
                round=match.number,
                stage=match.law.stages[match.stage],
                player=player,
                option=decision.option,
                why=decision.why,
                fault=fault,
                beliefs=dict(decision.beliefs),
                equilibria=None if decision.equilibria is None else list(decision.equilibria),
            )
        return found

    def after_step(self, number: int, state: EndState) -> Sequence[Event]:
        """Return the dealer's events."""
        return state.happened

    def civic_slots(self, number: int) -> Mapping[Slot[Any], Any]:
        """Return the choices of the last round with the options that were carried out."""
        if not number or not (history := self._dealer.match.history):
            return {}
        played = history[-1]
        carried = (played.law or self._dealer.match.law).carried(played.choices)
        chosen = {player: option for stage in played.choices for player, option in stage.items()}
        return {CHOICES: tuple(CarriedChoice(player, chosen[player], option) for player, option in carried.items())}

    def earned(self) -> Mapping[str, float]:
        """Return the payoffs of each player so far."""
        history = self._dealer.match.history
        return {name: float(sum(each.payoffs[name] for each in history)) for name in self._spec.players}

    async def carry_out(self, world: World, order: CivicOrder) -> None:
        """Refuse: no order reaches a game of payoffs (`RepeatedGame.civic_slots`)."""
        raise AssertionError(f"a game of payoffs carries out no order: {order}")

    def after_programs(self, number: int, results: Mapping[str, PolicyResult]) -> list[Event]:
        """Return the decisions with their faults."""
        found: list[Event] = []
        for player, decided in self._decided.items():
            fault = decided.fault or failure(results.get(player))
            if fault:
                self._notices[player] = (fault,)
            stood_in = self._dealer.stood_in.get(player, "")
            found.append(decided.model_copy(update={"fault": fault, "stood_in": stood_in}))
        return found


def failure(result: PolicyResult | None) -> str:
    """Return the reason why a player did not reach its device, or an empty text."""
    if result is None or result.outcome is ProgramOutcome.RETURNED:
        return ""
    if result.error is not None:
        return f"the move failed: {result.error.name}: {result.error.message}"
    return "the move took too long"
