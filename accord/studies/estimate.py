"""Estimate of a study's model calls, tokens and dollars before it starts.

The estimate uses the real prompts. Each family of agents estimates the calls of its agents in a run
(`voyager_agents.cost`), and the mode of play gives the length of a run. This module adds negotiations before a game and
the judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from accord.studies.adversaries import with_secret_parts
from accord.studies.conditions import Condition
from accord.studies.fitting import Assignment
from accord.studies.models import specs_of
from accord.studies.option_groups import RunOptions
from accord.studies.players import context_of, seating
from accord.studies.runner import StudyPlan, bodies_for
from accord.studies.savings import SKIPPING_MEASURED, Expected, by_stage, cached_answers, cascades, equal_prefix
from accord.studies.settings import StudySettings
from accord.studies.setup import StudyPart, models_of, replayed_prompts
from accord.studies.talks import ROUNDS as TALK_ROUNDS
from contracts import Contract, Evidence, Negotiator, negotiate
from contracts.bargaining.deals import MAX_DEALS
from contracts.forces import Force
from contracts.institutions.frame import part_class
from contracts.negotiation import MESSAGE_TRIES
from contracts.signing import TRIES
from dilemmas.errors import UsageError
from dilemmas.modes.protocol import Mode
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.institutions import governed, institutions_of
from dilemmas.scenarios.observables import initial_observables
from dilemmas.scenarios.registry import load_repeated
from dilemmas.skills.docs import skill_docs
from voyager_agents import ModelError, Prices, language_judge, load_prices
from voyager_agents.asking import PROGRAM_TRIES
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, corrected, mean, repeated, total
from voyager_agents.registry import FAMILIES, role_names
from voyager_agents.roles import JUDGE, NEGOTIATOR, RATER
from voyager_agents.voyager.cost import negotiators

SIGNINGS = TRIES
"""Maximum number of times a contract's terms are typed and put to all players for ratification."""
JUDGMENT = '{"findings": [], "transfers": [], "critique": ""}'
JUDGMENT_TOKENS = 250
"""Typical number of tokens in a judge's answer."""


Asked = tuple[str, str]
"""Role, and spec of its model."""

SKIP, NO_SKIP = "skip", "none"
"""Option of agents that skips calls, and its value for none."""


async def estimate(settings: StudySettings) -> list[Expected]:
    """Return the estimated use of each model by each role, over all conditions and runs.

    Raises UsageError for illegal settings, and if no model would be called.
    """
    plan = StudyPlan.of(settings)
    if not any(specs_of(part.settings) for part in plan.parts.values()):
        raise UsageError("no model would be asked: reference players cost nothing; give --model openai/NAME")
    found: dict[Asked, Expected] = {}
    for condition in plan.conditions:
        part = plan.parts[condition.name]
        for scenario, runs in _drawn(plan):
            needs = await _condition(part, scenario, condition)
            for asked, (least, most) in needs.items():
                before = found.setdefault(asked, Expected(*asked, CallCost(), CallCost()))
                least, most = least.times(runs), most.times(runs)
                found[asked] = replace(before, least=before.least.plus(least), most=before.most.plus(most))
    order = role_names()
    return sorted(found.values(), key=lambda each: order.index(each.role))


def _drawn(plan: StudyPlan) -> list[tuple[Scenario, int]]:
    """Return the scenario as it is drawn by the seeds of a condition's runs, with the number of such runs."""
    first, runs = plan.settings.seed, plan.settings.runs
    drawn = [plan.scenario.drawn(seed) for seed in range(first, first + runs)]
    # Most scenarios are the same under all seeds.
    return [(plan.scenario, runs)] if all(each is plan.scenario for each in drawn) else [(each, 1) for each in drawn]


async def expect(settings: StudySettings) -> dict[str, Any]:
    """Return the estimate of a study as plain data, with prices. Raises UsageError."""
    try:
        prices = load_prices(settings.prices)
    except ModelError as error:
        raise UsageError(str(error)) from None
    settings = replace(settings, prompts=replayed_prompts(settings, settings.vary))
    expected = await estimate(settings)
    found = plain(expected, prices) | {"equal_prefix": round(equal_prefix(expected), 3)}
    if cascading := cascades(expected, prices):
        found["cascades"] = cascading
    if settings.agents_options.get(SKIP, NO_SKIP) != NO_SKIP:
        options = {key: value for key, value in settings.agents_options.items() if key != SKIP}
        without = plain(await estimate(replace(settings, agents_options=options)), prices)
        found["without_skipping"] = {bound: without[bound] for bound in ("least", "most")}
        found["skipping_measured"] = SKIPPING_MEASURED
    if (answers := cached_answers(settings.cache)) is not None:
        found["cached_answers"] = answers
    bodies = bodies_for(settings, load_repeated(settings.scenario, settings.repeat))
    return found if bodies is None else {**found, "bodies": bodies}


def plain(expected: Sequence[Expected], prices: Prices) -> dict[str, Any]:
    """Return an estimate as plain data; `usd` is None if a price is unknown. Raises UsageError for a bad cascade."""
    try:
        expected = [stage for each in expected for stage in by_stage(each)]
    except ModelError as error:
        raise UsageError(str(error)) from None
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

    def bound(cost: CallCost) -> dict[str, Any]:
        usd = None if price is None else round(price.of(cost.usage), 6)
        return {"calls": cost.calls, "tokens": cost.usage.total, "usd": usd}

    return {
        "role": expected.role,
        "model": expected.model,
        "least": bound(expected.least),
        "most": bound(expected.most),
    }


async def _condition(part: StudyPart, scenario: Scenario, condition: Condition) -> dict[Asked, Range]:
    """Return (role, model) -> minimum and maximum use in one run under a condition."""
    settings = part.settings
    scenario = governed(scenario, condition.name.partition("+")[0], dict(condition.factors))
    players = seating(settings, scenario)
    scenario = with_secret_parts(settings, scenario, players)
    models = models_of(settings, scenario)
    found: dict[Asked, Range] = {
        (role, spec): (CallCost(), CallCost()) for own in models.values() for role, spec in own.items()
    }
    contract = condition.contract
    imagined = _imagined(part, scenario, condition, players)
    settlements = _settlements(part, scenario, condition)
    talks = settlements if condition.renegotiates or condition.axes.every is not None else 1

    def add(role: str, spec: str, needed: Range) -> None:
        least, most = found[role, spec]
        found[role, spec] = least.plus(needed[0]), most.plus(needed[1])

    if condition.kind == "negotiated" or (contract is not None and contract.force is not Force.BINDING):
        prefixes = {player: FAMILIES[place.family].negotiation_prefix for player, place in players.items()}
        for spec in dict.fromkeys(own[NEGOTIATOR] for own in models.values() if NEGOTIATOR in own) or ("",):
            asking = [player for player, own in models.items() if own.get(NEGOTIATOR) == spec]
            contract, needed = await _table(
                settings, condition, imagined, asking, prefixes, settlements=settlements, talks=talks
            )
            if spec:
                add(NEGOTIATOR, spec, needed)
    for player, run in imagined.items():
        for role, each in (await _playing(players[player], replace(run, contract=contract))).items():
            # Modules of a PIANO agent may be configured without a model.
            if role in models.get(player, {}):
                add(role, models[player][role], each)
    observing = models.get(scenario.spec.observer.name, {})
    if RATER in observing and "rating" in scenario.abilities:
        seconds = settings.time_limit_s or scenario.spec.end.time_limit_s
        add(RATER, observing[RATER], await scenario.rating_cost(seconds, part.prompts))
    judge = observing.get(JUDGE)
    if contract is not None and judge is not None:
        verdicts = settlements * _max_agreements(condition, len(players))
        add(JUDGE, judge, await _judged(scenario, condition, contract, verdicts, talks))
    return found


async def _playing(place: Assignment, run: ImaginedRun) -> Mapping[str, Range]:
    """Return role -> estimated use of models by a player in the run."""
    cost = FAMILIES[place.family].cost
    return {} if cost is None else await cost(run)


async def _judged(scenario: Scenario, condition: Condition, contract: Contract, verdicts: int, talks: int) -> Range:
    """Return the estimated use of the judge: its verdicts, and typing the terms of signed contracts.

    The minimum is zero for a negotiated contract, since the players may not agree on one.

    Args:
        scenario: The scenario.
        condition: The condition of the run.
        contract: The contract, or a placeholder.
        verdicts: Maximum number of verdicts in a run.
        talks: Maximum number of negotiations in a run.
    """
    judged, negotiated = await _judging(scenario, contract), condition.kind == "negotiated"
    least = most = CallCost()
    longest = corrected(judged, PROGRAM_TRIES)
    if condition.axes.judge != "formal":
        least, most = CallCost() if negotiated else judged, longest.times(verdicts)
    if negotiated and _may_sign(condition):
        most = most.plus(longest.times(SIGNINGS * talks))
    return least, most


def _may_sign(condition: Condition) -> bool:
    """Return whether a negotiated contract may be typed and ratified (`accord.studies.agreement`)."""
    return condition.axes.typed is not False


def _settlements(part: StudyPart, scenario: Scenario, condition: Condition) -> int:
    """Return the maximum number of times that agreements are judged in a run: once an episode, or once a period."""
    settings, mode, every = part.settings, part.mode, condition.axes.every
    rounds = mode.round_count(scenario, settings.time_limit_s or scenario.spec.end.time_limit_s)
    periods = 1 if every is None else max(1, -(-rounds // every))
    return (settings.episodes if mode.several else 1) * periods


def _imagined(
    part: StudyPart, scenario: Scenario, condition: Condition, players: Mapping[str, Assignment]
) -> dict[str, ImaginedRun]:
    """Return player -> the run as imagined for the player's estimate, without a contract."""
    settings, mode = part.settings, part.mode
    limit_s = settings.time_limit_s or scenario.spec.end.time_limit_s
    docs = skill_docs()
    run = (condition.name, settings.seed)
    playing = {place.family for place in players.values()}
    return {
        player: ImaginedRun(
            context=replace(
                context_of(settings, scenario, player, place, run, part.prompts, playing=playing), docs=docs
            ),
            facts=scenario.facts_of(player, condition.name),
            contract=None,
            extent=mode.extent(
                scenario, player, limit_s, settings.episodes, keeps=FAMILIES[place.family].keeps_programs
            ),
            anew=condition.renegotiates,
            within=not mode.several,
            civic_questions=_civic_questions(scenario, condition, mode, limit_s),
            words=scenario.sample_texts if "grid-game" in scenario.abilities else None,
            plans=scenario.sample_plans if "grid-game" in scenario.abilities else None,
        )
        for player, place in players.items()
    }


def _civic_questions(scenario: Scenario, condition: Condition, mode: Mode, limit_s: float) -> dict[str, int]:
    """Return institution -> maximum number of questions that it asks one player."""
    parts = institutions_of(scenario, condition.name.partition("+")[0], dict(condition.factors))
    steps, people = mode.civic_steps(scenario, limit_s) if parts else 0, len(scenario.spec.players)
    return {name: part_class(name).max_questions(each, people, steps) for name, each in parts.items()}


async def _table(
    settings: RunOptions,
    condition: Condition,
    imagined: Mapping[str, ImaginedRun],
    asking: Sequence[str],
    prefixes: Mapping[str, str],
    *,
    settlements: int,
    talks: int,
) -> tuple[Contract | None, Range]:
    """Return the contract, and the estimated use of models by negotiations and by decisions on payments.

    A negotiated contract has a placeholder. The minimum is one offer that all other players accept, or one message of
    each player in a talk. The maximum is every round, with each message corrected once, every signature asked for
    `SIGNINGS` times, and a decision of each payer on each agreement at each settlement.

    Args:
        settings: Length of the run and its negotiations.
        condition: The condition of the run.
        imagined: Player -> the run as imagined for its estimate.
        asking: Players that ask the model.
        prefixes: Player -> beginning of the names of its prompts.
        settlements: Maximum number of times that agreements are judged in a run.
        talks: Maximum number of negotiations in a run.
    """
    names = list(imagined)
    rounds = condition.axes.rounds or settings.rounds
    sizing, agents = negotiators(imagined, prefixes)
    outcome = await negotiate([cast(Negotiator, agent) for agent in agents], max(rounds, len(names)))
    # The players speak in turn, and the opening player is not always known. Only players with a model have a cost.
    least, most = (
        [sum(names[(opens + turn) % len(names)] in asking for turn in range(count)) for opens in range(len(names))]
        for count in (min(rounds, len(names)), rounds)
    )
    costs = sizing.asked
    signatures = [cost for name, cost in zip(names, costs, strict=False) if name in asking]
    decision, agreements = total([corrected(each) for each in signatures]), _max_agreements(condition, len(names))
    free = condition.force[0] is not Force.BINDING or (
        condition.contract is not None and condition.contract.force is not Force.BINDING
    )
    decisions = decision.times(agreements * settlements if free else 0)
    if condition.contract is not None:
        return condition.contract, (CallCost(), decisions)
    fewest, messages = min(least), max(most)
    if condition.axes.channels is not None:
        fewest, messages = len(asking), len(asking) * _max_messages(condition)
    signing = decision.times(SIGNINGS * agreements if _may_sign(condition) else 0)
    paid = mean(costs).times(MESSAGE_TRIES * messages).plus(signing).times(talks)
    return outcome.transcript[-1].proposal, (repeated(costs[0], costs[-1], fewest), paid.plus(decisions))


def _max_agreements(condition: Condition, players: int) -> int:
    """Return the maximum number of agreements in force at a time."""
    return 1 if condition.axes.channels is None else players * MAX_DEALS // 2


def _max_messages(condition: Condition) -> int:
    """Return the maximum number of messages of one player in a talk, answers to offers included."""
    channels = condition.axes.channels
    if channels is None:
        return 0
    rules = (channels.public, channels.pairwise, channels.group)
    sent = sum(rule.messages for rule in rules if rule is not None)
    return (condition.axes.rounds or TALK_ROUNDS) * (sent + MAX_DEALS)


async def _judging(scenario: Scenario, contract: Contract) -> CallCost:
    sizing = Sizing(JUDGMENT, JUDGMENT_TOKENS)
    tasks = dict.fromkeys(scenario.spec.players, scenario.spec.task)
    await language_judge(sizing).judge(contract, Evidence(initial_observables(scenario), (), tasks))
    return total(sizing.asked)
