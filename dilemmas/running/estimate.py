"""What a study would ask of its models: calls, tokens and price, before anything is started or paid.

The prompts are the real ones: the agents are asked as in a study, only that what answers is a stand-in that measures.
Their episodes are imagined: one that failed, with a program and a few lines of chat to look back on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from contracts import Contract, Evidence, Negotiator, Observables, PlayerFacts, negotiate
from contracts.signing import TRIES
from dilemmas.errors import UsageError
from dilemmas.running.conditions import Condition, resolve_all
from dilemmas.running.players import agent_options, check_options, check_players, role_specs, seating
from dilemmas.running.settings import StudySettings
from dilemmas.scenarios.protocol import Scenario
from dilemmas.scenarios.registry import load_scenario
from dilemmas.skills.docs import skill_docs
from voyager_agents import (
    Model,
    ModelError,
    Prices,
    Settings,
    VoyagerAgent,
    language_judge,
    load_prices,
    permitted,
    standard_parts,
)
from voyager_agents.agent import LastRun
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.models import ChatMessage, Reply, Usage
from voyager_agents.registry import FAMILIES, JUDGE, Calls, Seat, Stay, load, roles

MESSAGES = 2
"""Tries for one message at the negotiating table (`contracts.negotiation`)."""
SIGNINGS = TRIES
"""Typings, each with the signatures of all, at most."""
ANSWERS = {"action": 900, "critic": 150, "negotiator": 200, "judge": 250}
"""Tokens of an answer that are usual for a role."""
_LINE = "  await mineBlock(bot, 'iron_ore', 12) // and what else a program of usual length says\n"
_PROGRAM = f"async function play(bot) {{\n{_LINE * 25}}}\n"
_REPLIES = {
    "action": f"```javascript\n{_PROGRAM}```\n",
    "critic": '{"reasoning": "", "success": false, "critique": "Mine what is worth most to you first."}',
    "negotiator": "[message] This. [contract]\n1. %s pays %s 5 emeralds if it mined all diamonds.\n[contract end]",
    "judge": '{"transfers": [], "findings": [], "critique": ""}',
}


@dataclass(frozen=True)
class Cost:
    """Calls of one role of one player, and what they need."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0

    def times(self, count: int) -> Cost:
        """The same, so many times."""
        return Cost(self.calls * count, self.prompt * count, self.completion * count)

    def plus(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(self.calls + other.calls, self.prompt + other.prompt, self.completion + other.completion)

    @property
    def usage(self) -> Usage:
        """The tokens."""
        return Usage(self.prompt, self.completion)


@dataclass(frozen=True)
class Expected:
    """What one role needs: no complete run asks less or more often than this."""

    role: str
    model: str
    least: Cost
    most: Cost


@dataclass
class Sizing:
    """Stands in for a model: measures what it is asked and gives an answer of the right form."""

    role: str
    name: str = "sizing"
    asked: list[Cost] = field(default_factory=list)
    parties: Sequence[str] = ()

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """An answer in form."""
        chars = sum(len(each.content) for each in messages)
        self.asked.append(Cost(1, chars // CHARS_A_TOKEN, ANSWERS[self.role]))
        text = _REPLIES[self.role]
        return Reply(text % tuple(self.parties) if self.role == "negotiator" else text)

    async def close(self) -> None:
        """Nothing to give back."""


async def estimate(settings: StudySettings) -> list[Expected]:
    """What each role needs, over all conditions and runs. Raises UsageError for wrong settings and without models."""
    specs = role_specs(settings)
    if not specs:
        raise UsageError("no model would be asked: reference players cost nothing; give --model openai/NAME")
    scenario = load_scenario(settings.scenario)
    check_players(settings, scenario)
    families = {player: place.family for player, place in seating(settings, scenario).items()}
    playing = [FAMILIES[name] for name in families.values()]
    wanted = {JUDGE, *(role for family in playing for role in family.roles)}
    found = {role: Expected(role, spec, Cost(), Cost()) for role, spec in specs.items() if role in wanted}
    conditions = resolve_all(scenario, settings.contracts, settings.judge)
    check_options(settings, scenario, [each.name for each in conditions])
    for condition in conditions:
        needs = await _condition(settings, scenario, condition, families)
        for role, before in found.items():
            least, most = (cost.times(settings.runs) for cost in needs[role])
            found[role] = replace(before, least=before.least.plus(least), most=before.most.plus(most))
    return list(found.values())


async def expect(settings: StudySettings) -> dict[str, Any]:
    """The estimate as data, with prices. Raises UsageError."""
    try:
        prices = load_prices(settings.prices)
    except ModelError as error:
        raise UsageError(str(error)) from None
    return plain(await estimate(settings), prices)


def plain(expected: Sequence[Expected], prices: Prices) -> dict[str, Any]:
    """The estimate as data; `usd` is null where a price is not known."""
    found = [_plain(each, prices) for each in expected]
    bounds: dict[str, Any] = {}
    for bound in ("least", "most"):
        dollars = [each[bound]["usd"] for each in found]
        bounds[bound] = {
            "calls": sum(each[bound]["calls"] for each in found),
            "tokens": sum(each[bound]["tokens"] for each in found),
            "usd": None if None in dollars else round(sum(dollars), 6),
        }
    models = {each.model: prices.of(each.model) for each in expected}
    unpriced = sorted(name for name, price in models.items() if price is None)
    undated = sorted(name for name, price in models.items() if price is not None and not price.is_dated)
    return {"roles": found, **bounds, "unpriced": unpriced, "undated": undated}


def _plain(expected: Expected, prices: Prices) -> dict[str, Any]:
    price = prices.of(expected.model)

    def bound(cost: Cost) -> dict[str, Any]:
        usd = None if price is None else round(price.of(cost.usage), 6)
        return {"calls": cost.calls, "tokens": cost.usage.total, "usd": usd}

    return {
        "role": expected.role,
        "model": expected.model,
        "least": bound(expected.least),
        "most": bound(expected.most),
    }


async def _condition(
    settings: StudySettings, scenario: Scenario, condition: Condition, families: Mapping[str, str]
) -> dict[str, tuple[Cost, Cost]]:
    """Role -> least and most for one run under that condition; for roles without a model as well."""
    players = [name for name, family in families.items() if FAMILIES[family].roles]
    found: dict[str, tuple[Cost, Cost]] = dict.fromkeys(roles(), (Cost(), Cost()))
    contract = condition.contract
    if condition.kind == "negotiated":
        contract, found["negotiator"] = await _table(settings, scenario, condition, players)
    docs = skill_docs()
    for player in players:
        if FAMILIES[families[player]].needs:
            few, many = await _rounds(settings, scenario, condition, player, families[player])
            _add(found, FAMILIES[families[player]].roles[0], few, many)
            continue
        programs = await _programs(scenario, docs, player, contract)
        options = agent_options(settings, scenario, families[player], condition.name)
        stay = Stay(settings.episodes, options, condition.renegotiates)
        for role, (least, most) in _writing(programs, families[player], stay).items():
            _add(found, role, least, most)
    if contract is not None:
        await _judged(settings, scenario, condition, contract, found)
    return found


async def _judged(
    settings: StudySettings,
    scenario: Scenario,
    condition: Condition,
    contract: Contract,
    found: dict[str, tuple[Cost, Cost]],
) -> None:
    """Adds what judges: each episode under a contract, and the typing of one that is signed. Nothing at least where
    it is negotiated, since they may come to none."""
    judged, negotiated = await _judging(scenario, contract), condition.kind == "negotiated"
    if condition.axes.judge != "formal":
        _add(found, JUDGE, Cost() if negotiated else judged, judged.times(settings.episodes))
    if negotiated and _may_sign(condition):
        _add(found, JUDGE, Cost(), judged.times(SIGNINGS * _tables(settings, condition)))


def _may_sign(condition: Condition) -> bool:
    """Whether a contract that is agreed on may be typed and ratified (`dilemmas.running.agreement`)."""
    return condition.axes.typed is not False


def _tables(settings: StudySettings, condition: Condition) -> int:
    """Negotiations of a run at most."""
    return settings.episodes if condition.renegotiates else 1


async def _rounds(
    settings: StudySettings, scenario: Scenario, condition: Condition, player: str, family: str
) -> tuple[Cost, Cost]:
    """Least and most of one player in rounds in one run."""
    spec = scenario.spec
    seat = Seat(
        player=player,
        players=tuple(spec.players),
        condition=condition.name,
        seed=settings.seed,
        kind="",
        about=spec.character(player, condition.name),
        text=spec.text,
        task=spec.task,
        model=lambda _role: None,
        docs="",
        options=agent_options(settings, scenario, family, condition.name),
        folder=Path(),
    )
    turns = spec.expected_turns(settings.time_limit_s or spec.end.time_limit_s)
    least, most = await load(FAMILIES[family].needs)(seat, *(each // spec.players[player].every for each in turns))
    few, many = (Cost(each.calls, each.chars // CHARS_A_TOKEN, each.tokens) for each in (least, most))
    return few, many.times(settings.episodes)


def _writing(programs: Programs, family: str, stay: Stay) -> dict[str, tuple[Cost, Cost]]:
    """Role -> least and most of one player in one run, by the calls that its family counts."""
    counted: Calls = load(FAMILIES[family].calls)(stay)
    found = {}
    for role, (few, many) in counted.items():
        first, later = (programs.first, programs.later) if role == "action" else (programs.review, programs.review)
        found[role] = (_repeated(first, first, few), _repeated(first, later, many))
    return found


def _repeated(first: Cost, later: Cost, count: int) -> Cost:
    """The first call and then others, so many in all."""
    return first.plus(later.times(count - 1)) if count else Cost()


def _add(found: dict[str, tuple[Cost, Cost]], role: str, least: Cost, most: Cost) -> None:
    found[role] = (found[role][0].plus(least), found[role][1].plus(most))


async def _table(
    settings: StudySettings, scenario: Scenario, condition: Condition, players: Sequence[str]
) -> tuple[Contract | None, tuple[Cost, Cost]]:
    """A contract that stands for the negotiated one; at least an offer that all others accept, at most every round,
    each message after a correction, and every signature twice."""
    names = list(scenario.spec.players)
    rounds = condition.axes.rounds or settings.rounds
    sizing = Sizing("negotiator", parties=names[:2])
    agents = [_agent(name, sizing, sizing, "") for name in names]
    for agent in agents:
        agent.observe(permitted(_seen(scenario, agent.name, None)))
    outcome = await negotiate([cast(Negotiator, agent) for agent in agents], max(rounds, len(names)))
    # The players speak in turn, and who opens is not always known; only those with a model cost something.
    least, most = (
        [sum(names[(opens + turn) % len(names)] in players for turn in range(count)) for opens in range(len(names))]
        for count in (min(rounds, len(names)), rounds)
    )
    costs = sizing.asked
    signing = _total(costs[: len(names)]).times(SIGNINGS if _may_sign(condition) else 0)
    paid = _mean(costs).times(MESSAGES * max(most)).plus(signing).times(_tables(settings, condition))
    return outcome.transcript[-1].proposal, (_repeated(costs[0], costs[-1], min(least)), paid)


def _mean(costs: Sequence[Cost]) -> Cost:
    """One of these calls, as they are on average."""
    total = _total(costs)
    return Cost(1, total.prompt // len(costs), total.completion // len(costs))


@dataclass(frozen=True)
class Programs:
    """What it costs a player to write."""

    first: Cost
    """The first program."""
    later: Cost
    """A later one."""
    review: Cost
    """A review of one."""


async def _programs(scenario: Scenario, docs: str, player: str, contract: Contract | None) -> Programs:
    acting, reviewing = Sizing("action"), Sizing("critic")
    agent = _agent(player, acting, reviewing, docs)
    agent.observe(permitted(_seen(scenario, player, contract)))
    await agent.act()
    past = LastRun(_PROGRAM, "threw", "Error: no path to the target", 3, ("mining", "no path"))
    chat = tuple((name, "I am on my way") for name in scenario.spec.players) * 3
    agent.observe(permitted(_seen(scenario, player, contract) | {"last_run": past, "chat": chat, "reward": 12.0}))
    await agent.act()
    return Programs(acting.asked[0], acting.asked[1], reviewing.asked[0])


async def _judging(scenario: Scenario, contract: Contract) -> Cost:
    words = scenario.vocabulary()
    nobody = {name: PlayerFacts() for name in scenario.spec.players}
    table = Observables.collect(nobody, {}, items=words.items, blocks=words.blocks)
    sizing = Sizing("judge")
    await language_judge(sizing).judge(contract, Evidence(table, (), dict.fromkeys(nobody, scenario.spec.task)))
    return _total(sizing.asked)


def _agent(name: str, action: Model, critic: Model, docs: str) -> VoyagerAgent:
    return VoyagerAgent(name, standard_parts(action, docs, critic=critic, negotiator=action))


def _seen(scenario: Scenario, player: str, contract: Contract | None) -> dict[str, Any]:
    spec = scenario.spec
    return {
        "player": player,
        "players": tuple(spec.players),
        "task": spec.task,
        "scenario": spec.text,
        "facts": scenario.facts(),
        "contract": contract,
    }


def _total(costs: Sequence[Cost]) -> Cost:
    total = Cost()
    for cost in costs:
        total = total.plus(cost)
    return total
