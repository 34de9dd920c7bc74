"""Run directories in the format of `accord run`, written by the record's own writer without a world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from accord.analysis.measures import gini, gini_plain
from contracts.loading import contract_as_mapping, library_contract
from dilemmas.records import events as log
from dilemmas.records.record import RunRecord
from dilemmas.records.states import StateChanges

Prices = dict[str, dict[str, float]]
Items = dict[str, dict[str, int]]
PRICES: Prices = {
    "Gizmo": {"raw_iron": 4, "diamond": 4},
    "Glitch": {"raw_iron": 3, "diamond": 5},
}
FAIR = {"Gizmo": {"raw_iron": 12}, "Glitch": {"diamond": 6}}
GREEDY = {"Gizmo": {"raw_iron": 9, "diamond": 6}, "Glitch": {"raw_iron": 3}}


@dataclass
class Story:
    """Content of a synthetic run."""

    condition: str = "contract-1"
    seed: int = 0
    items: Mapping[str, Mapping[str, int]] = field(default_factory=lambda: FAIR)
    transfer: float = 0.0
    """Transfer from Gizmo to Glitch, in emeralds."""
    game_s: float = 40.0
    contract: str | None = None
    kind: Literal["none", "given", "negotiated"] = "given"
    """Kind of contract in conditions other than "none"."""
    turns: tuple[log.NegotiationTurn | log.TermsTyped | log.TermsRatified, ...] = ()
    extra: tuple[log.Event, ...] = ()
    """Events during the episode."""
    source: str = "async function play(bot) {\n  await bot.chat('hello')\n}"
    problem: log.PolicyProblem | None = None
    status: log.Status = "complete"
    scenario: str = "double-vein"
    players: tuple[str, str] = ("Gizmo", "Glitch")
    finished: bool = True
    findings: tuple[dict[str, Any], ...] = ()
    world: Mapping[str, int] = field(default_factory=dict)
    """Block -> count at the start; half of each is left at the end."""
    measures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Measures of the scenario, as in the result."""


class Ticking:
    """Clock that advances one second per reading."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def write_run(directory: Path, story: Story) -> Path:
    """Write a run directory with the story's content and return its path."""
    record = RunRecord.create(directory, {"scenario": story.scenario}, clock=Ticking())
    names = dict(zip(PRICES, story.players, strict=True))
    prices = {names[old]: each for old, each in PRICES.items()}
    items = {names[old]: dict(each) for old, each in story.items.items()}
    accounts = _accounts(prices, items, story)
    record.log(
        log.RunStarted(
            run=directory.name, scenario=story.scenario, version=1, condition=story.condition,
            contract_kind="none" if story.condition == "none" else story.kind, world="embedded", seed=story.seed,
            players={name: log.PlayerTerms(prices=each, author="reference/greedy") for name, each in prices.items()},
        )
    )  # fmt: skip
    for turn in story.turns:
        record.log(turn)
    if story.contract:
        mapping = contract_as_mapping(library_contract(story.contract))
        record.log(log.ContractEvent(state="agreed", contract=mapping))
    record.episode = 1
    _episode(record, story, prices, items, accounts)
    record.episode = None
    result = _result(story, accounts)
    if story.finished:
        record.log(log.RunEnded(status=story.status, result=result))
        record.save_result(result)
    record.close()
    return directory


def _accounts(prices: Prices, items: Items, story: Story) -> dict[str, log.PlayerAccount]:
    payer, payee = story.players
    moved = {payer: -story.transfer, payee: story.transfer}
    accounts = {}
    for name, held in items.items():
        earned = float(sum(prices[name].get(item, 0) * count for item, count in held.items()))
        accounts[name] = log.PlayerAccount(items=held, reward=earned, transfer=moved[name], payoff=earned + moved[name])
    return accounts


def _holdings(
    prices: dict[str, dict[str, float]], items: dict[str, dict[str, int]], share: float
) -> dict[str, log.Holdings]:
    found = {}
    for name, held in items.items():
        part = {item: int(count * share) for item, count in held.items() if int(count * share)}
        earned = float(sum(prices[name].get(item, 0) * count for item, count in part.items()))
        found[name] = log.Holdings(items=part, mined={}, reward=earned)
    return found


def _episode(
    record: RunRecord,
    story: Story,
    prices: Prices,
    items: Items,
    accounts: dict[str, log.PlayerAccount],
) -> None:
    record.log(log.EpisodeStarted(attempt=1))
    for name in story.players:
        file = record.save_policy(1, "Gizmo", story.source)
        author = "reference/greedy"
        record.log(log.PolicyWritten(player=name, author=author, source=story.source, file=file, attempt=1))
    record.log(log.PoliciesStarted(players=list(story.players)), 100)
    states = StateChanges()
    for step in range(11):
        now = story.game_s * step / 10
        seen = states.event(now, _holdings(prices, items, step / 10), _world(story, step))
        record.log(seen, 100 + int(now * 20))
    for event in story.extra:
        record.log(event)
    for name in story.players:
        outcome = "threw" if story.problem else "returned"
        record.log(log.PolicyEnded(player=name, outcome=outcome, error=story.problem, wall_ms=40_000, cpu_ms=12))
    record.log(log.EndStateRead(t_s=story.game_s, players=_holdings(prices, items, 1), chest={}))
    if story.contract:
        _judged(record, story)
    record.log(log.EpisodeEnded(reason="all_collected", game_s=story.game_s, wall_s=41.0, players=accounts))


def _world(story: Story, step: int) -> dict[str, int]:
    return {block: count - count * step // 20 for block, count in story.world.items()}


def _judged(record: RunRecord, story: Story) -> None:
    payer, payee = story.players
    record.log(
        log.VerdictGiven(
            judge="formal", readable=True, critique="Both kept to it.", awards=[], raw="",
            findings=list(story.findings), transfers={payer: -story.transfer, payee: story.transfer},
        )
    )  # fmt: skip
    if story.transfer:
        record.log(log.TransferBooked(term="gizmo-pays-glitch", payer=payer, payee=payee, amount=story.transfer))


def _result(story: Story, accounts: dict[str, log.PlayerAccount]) -> dict[str, Any]:
    payoffs = [account.payoff for account in accounts.values()]
    return {
        "scenario": story.scenario, "version": 1, "world": "embedded", "condition": story.condition,
        "seed": story.seed, "status": story.status,
        "players": {name: account.model_dump(mode="json") for name, account in accounts.items()},
        "welfare": sum(payoffs), "gini": gini(payoffs), "gini_plain": gini_plain(payoffs),
        "episodes": 1, "wall_s": 45.2, "episode_wall_s": 41.0, "game_s": story.game_s,
        "usage": {"calls": 0, "tokens": 0, "usd": 0.0},
        **({"measures": {name: dict(each) for name, each in story.measures.items()}} if story.measures else {}),
    }  # fmt: skip
