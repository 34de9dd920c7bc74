"""Game of hidden roles in rounds: a round of the mode is a stage, and all of it happens in words, without a world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bridge.types import PolicyResult
from bridge.worlds import World
from dilemmas.records.events import Event, Holdings, RolesDealt, RolesRevealed, WordSaid
from dilemmas.scenarios.chameleon.spec import POINT, ChameleonSpec
from dilemmas.scenarios.protocol import EndState, Rules
from voyager_agents.hidden_roles.match import HiddenDeal, HiddenRoleMatch
from voyager_agents.hidden_roles.turns import EndedGame, WordDecision, WordStage, WordTurn, clean_clue

GAMES_LEFT = "games_left"
"""Key of `EndState.world` that holds the number of games left."""


class Host(Rules):
    """Host of all games of one attempt."""

    positions: Mapping[str, tuple[float, float]] = {}
    """Nobody is in a world."""

    def __init__(self, spec: ChameleonSpec, seed: int) -> None:
        self._spec = spec
        self.match = HiddenRoleMatch(list(spec.players), spec.game.deck(), spec.game.rules(), spec.games, seed)
        self.happened: list[Event] = [dealt_event(1, self.match.deal)]
        """Events since the last step."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Return the players' points and the events since the last step; decisions were applied before."""
        happened, self.happened = tuple(self.happened), []
        points = {
            name: Holdings.of({POINT: count}, {}, self._spec.players[name].prices)
            for name, count in self.match.points.items()
        }
        left = self.match.games - len(self.match.ended)
        return EndState(points, world={GAMES_LEFT: left}, happened=happened)


class HiddenRoleGame:
    """One attempt at the games (a `dilemmas.scenarios.protocol.RoundGame`)."""

    round_s = 0.0
    move_s = 1.0
    deeds: Sequence[object] = ()

    def __init__(self, host: Host, notices: Sequence[str]) -> None:
        """Start the games; all players read the notices before the first stage."""
        self._host, self._match = host, host.match
        self._notices: dict[str, tuple[str, ...]] = dict.fromkeys(self._match.players, tuple(notices))

    def turn(self, player: str, number: int) -> WordTurn:
        """Return what the player knows now."""
        acts = player in self._match.acting()
        return self._match.turn(player, self._notices.pop(player, ()) if acts else ())

    def programs(self, number: int, decisions: Mapping[str, WordDecision]) -> dict[str, str]:
        """Apply the decisions; nothing is carried out in a world."""
        match = self._match
        game, stage, deal = match.number, match.stage, match.deal
        votes, asked = dict[str, str](), match.acting()
        faults, ended = match.decide({player: decisions[player] for player in asked if player in decisions})
        for player, fault in faults.items():
            decision = decisions.get(player, WordDecision())
            if fault:
                self._notices[player] = (f"Your last answer counted for nothing: {fault}.",)
            elif stage == "vote":
                votes[player] = decision.vote
            self._host.happened.append(_said_event(number, (game, stage), player, decision, fault))
        if ended is not None:
            self._host.happened.append(revealed_event(ended, deal))
            if not match.over:
                self._host.happened.append(dealt_event(match.number, match.deal))
        return {}

    def after_step(self, number: int, state: EndState) -> Sequence[Event]:
        """Return the events of the stage."""
        return state.happened

    def after_programs(self, number: int, results: Mapping[str, PolicyResult]) -> list[Event]:
        """Return nothing: there are no programs."""
        return []


def _said_event(number: int, at: tuple[int, WordStage], player: str, decision: WordDecision, fault: str) -> WordSaid:
    """Return the event of a decision; an illegal one has no clue, vote or guess.

    Args:
        number: Number of the stage in the run, from 1.
        at: Number of the game, and the stage.
        player: The player.
        decision: Its decision.
        fault: Reason why it counts for nothing; empty for none.
    """
    game, stage = at
    return WordSaid(
        round=number,
        game=game,
        stage=stage,
        player=player,
        clue="" if fault else clean_clue(decision.clue),
        vote="" if fault else decision.vote,
        guess="" if fault else decision.guess,
        role="" if fault else decision.role,
        expects="" if fault else decision.expects,
        why=decision.why,
        fault=fault,
    )


def dealt_event(game: int, deal: HiddenDeal) -> RolesDealt:
    """Return the event of a game's start."""
    return RolesDealt(
        game=game,
        topic=deal.card.topic,
        words=list(deal.card.words),
        word=deal.word,
        odd=deal.odd,
        odd_word=deal.odd_word,
        order=list(deal.order),
    )


def revealed_event(ended: EndedGame, deal: HiddenDeal) -> RolesRevealed:
    """Return the event of a game's end."""
    return RolesRevealed(game=ended.number, odd=ended.odd, word=deal.word, accused=ended.accused, outcome=ended.outcome)
