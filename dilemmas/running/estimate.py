"""What a study would ask of its models: calls, tokens and price, before anything is started or paid.

The prompts are the real ones: each family of agents says what its agents ask for in a run (`voyager_agents.cost`), the
mode of play says how long a run is. Negotiations before a game and the judge are counted here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from contracts import Contract, Evidence, Negotiator, negotiate
from contracts.signing import TRIES
from dilemmas.errors import UsageError
from dilemmas.modes.protocol import Mode
from dilemmas.running.conditions import Condition, resolve_all
from dilemmas.running.players import (
    Assignment,
    check_options,
    check_players,
    mode_of,
    role_specs,
    seat_of,
    seating,
)
from dilemmas.running.settings import StudySettings
from dilemmas.scenarios.observables import untouched
from dilemmas.scenarios.protocol import Scenario
from dilemmas.scenarios.registry import load_scenario
from dilemmas.skills.docs import skill_docs
from voyager_agents import ModelError, Prices, language_judge, load_prices
from voyager_agents.cost import Cost, ImaginedRun, Range, Sizing, mean, repeated, total
from voyager_agents.registry import FAMILIES, JUDGE, NEGOTIATOR, load, roles
from voyager_agents.voyager.cost import negotiators

MESSAGES = 2
"""Tries for one message at the negotiating table (`contracts.negotiation`)."""
SIGNINGS = TRIES
"""Typings, each with the signatures of all, at most."""
JUDGMENT = '{"transfers": [], "findings": [], "critique": ""}'
JUDGMENT_TOKENS = 250
"""Tokens of a judge's answer that are usual."""


@dataclass(frozen=True)
class Expected:
    """What one role needs: at least (all goes well at once) and at most (every round and episode is used)."""

    role: str
    model: str
    least: Cost
    most: Cost


async def estimate(settings: StudySettings) -> list[Expected]:
    """What each role needs, over all conditions and runs. Raises UsageError for wrong settings and without models."""
    specs = role_specs(settings)
    if not specs:
        raise UsageError("no model would be asked: reference players cost nothing; give --model openai/NAME")
    scenario = load_scenario(settings.scenario)
    check_players(settings, scenario)
    players = seating(settings, scenario)
    wanted = {JUDGE, *(role for place in players.values() for role in FAMILIES[place.family].roles)}
    found = {role: Expected(role, spec, Cost(), Cost()) for role, spec in specs.items() if role in wanted}
    conditions = resolve_all(scenario, settings.contracts, settings.judge)
    check_options(settings, scenario, [each.name for each in conditions])
    for condition in conditions:
        needs = await _condition(settings, scenario, condition, players)
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
    settings: StudySettings, scenario: Scenario, condition: Condition, players: Mapping[str, Assignment]
) -> dict[str, Range]:
    """Role -> least and most for one run under that condition; for roles without a model as well."""
    mode = mode_of(settings, scenario)
    found: dict[str, Range] = dict.fromkeys(roles(), (Cost(), Cost()))
    contract = condition.contract
    imagined = _imagined(settings, scenario, condition, players, mode)
    if condition.kind == "negotiated":
        contract, found[NEGOTIATOR] = await _table(settings, condition, imagined, players)
    for player, run in imagined.items():
        if cost := FAMILIES[players[player].family].cost:
            asked: Mapping[str, Range] = await load(cost)(replace(run, contract=contract))
            for role, (least, most) in asked.items():
                found[role] = (found[role][0].plus(least), found[role][1].plus(most))
    if contract is not None:
        episodes = settings.episodes if mode.several else 1
        found[JUDGE] = await _judged(scenario, condition, contract, episodes)
    return found


async def _judged(scenario: Scenario, condition: Condition, contract: Contract, episodes: int) -> Range:
    """What judges: each episode under a contract, and the typing of one that is signed. Nothing at least where it is
    negotiated, since they may come to none."""
    judged, negotiated = await _judging(scenario, contract), condition.kind == "negotiated"
    least = most = Cost()
    if condition.axes.judge != "formal":
        least, most = Cost() if negotiated else judged, judged.times(episodes)
    if negotiated and _may_sign(condition):
        most = most.plus(judged.times(SIGNINGS * _tables(condition, episodes)))
    return least, most


def _may_sign(condition: Condition) -> bool:
    """Whether a contract that is agreed on may be typed and ratified (`dilemmas.running.agreement`)."""
    return condition.axes.typed is not False


def _tables(condition: Condition, episodes: int) -> int:
    """Negotiations of a run at most."""
    return episodes if condition.renegotiates else 1


def _imagined(
    settings: StudySettings, scenario: Scenario, condition: Condition, players: Mapping[str, Assignment], mode: Mode
) -> dict[str, ImaginedRun]:
    """Player -> a run as it would find it, as yet without a contract."""
    limit_s = settings.time_limit_s or scenario.spec.end.time_limit_s
    docs = skill_docs()
    run = (condition.name, settings.seed)
    return {
        player: ImaginedRun(
            seat=replace(seat_of(settings, scenario, player, place, run), docs=docs),
            facts=scenario.facts(),
            contract=None,
            extent=mode.extent(scenario, player, limit_s, settings.episodes),
            anew=condition.renegotiates,
        )
        for player, place in players.items()
    }


async def _table(
    settings: StudySettings,
    condition: Condition,
    imagined: Mapping[str, ImaginedRun],
    players: Mapping[str, Assignment],
) -> tuple[Contract | None, Range]:
    """A contract that stands for the negotiated one; at least an offer that all others accept, at most every round,
    each message after a correction, and every signature twice."""
    names = list(imagined)
    rounds = condition.axes.rounds or settings.rounds
    sizing, agents = negotiators(imagined)
    outcome = await negotiate([cast(Negotiator, agent) for agent in agents], max(rounds, len(names)))
    # The players speak in turn, and who opens is not always known; only those with a model for it cost something.
    asking = [name for name in names if NEGOTIATOR in FAMILIES[players[name].family].roles]
    least, most = (
        [sum(names[(opens + turn) % len(names)] in asking for turn in range(count)) for opens in range(len(names))]
        for count in (min(rounds, len(names)), rounds)
    )
    costs = sizing.asked
    signing = total(costs[: len(names)]).times(SIGNINGS if _may_sign(condition) else 0)
    paid = mean(costs).times(MESSAGES * max(most)).plus(signing).times(_tables(condition, settings.episodes))
    return outcome.transcript[-1].proposal, (repeated(costs[0], costs[-1], min(least)), paid)


async def _judging(scenario: Scenario, contract: Contract) -> Cost:
    sizing = Sizing(JUDGMENT, JUDGMENT_TOKENS)
    tasks = dict.fromkeys(scenario.spec.players, scenario.spec.task)
    await language_judge(sizing).judge(contract, Evidence(untouched(scenario), (), tasks))
    return total(sizing.asked)
