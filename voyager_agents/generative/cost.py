"""Cost estimate of a generative agent: the number of calls follows from its settings, their size from real prompts.

The prompts are rendered in a short simulated game of `IMAGINED` rounds without a model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cache, partial
from math import ceil
from typing import Any

from common.answers.form import AnswerForm
from contracts.institutions.elections import ElectionBallot
from contracts.institutions.frame import CivicQuestion
from voyager_agents.asking import MAX_SHOWN, TRIES, Asker
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.commons_harvest import HarvestAct, HarvestTurn, Place, Seen
from voyager_agents.context import AgentContext
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, mean, sizing_asker, total
from voyager_agents.generative.act import THOUGHTS
from voyager_agents.generative.asking import Mind, T, role_of
from voyager_agents.generative.assembly import make_family, read_options
from voyager_agents.generative.reputation import PromiseRecord, ReputationJudge
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.short_term import LAST_STEPS

IMAGINED = 12
"""Number of simulated rounds: enough for calls of every part with partly filled memories."""
SIZE: Place = (24, 18)
"""Size of the simulated field, in cells: columns and rows."""
ANSWERS = {
    "act": 120, "act_weighed": 400, "perceive": 80, "perceive_equal": 40, "plan": 200, "reflect_questions": 80,
    "reflect_insights": 250, "understand": 200, "council": 200, "reputation": 100, "act_institution": 80,
}  # fmt: skip
"""Part -> tokens of a typical answer."""
_WORDS = "What a sentence of usual length would say about the trees, the others, and what to do next. "
_REPLIES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "act": lambda _: {"reasoning": _WORDS, "move": "stay"},
    "act_weighed": lambda _: {**dict.fromkeys(THOUGHTS, _WORDS), "move": "stay"},
    "perceive_equal": lambda _: {"reason": _WORDS, "react": False},
    "perceive": lambda shown: {
        "reason": _WORDS, "poignancy": [5] * len(shown["new_observations"]), "react": False
    },
    "plan": lambda _: {"reasoning": _WORDS, "goal": _WORDS, "plan": 2 * _WORDS, "steps": [_WORDS] * 3},
    "reflect_questions": lambda shown: {"questions": [_WORDS] * shown["questions_wanted"]},
    "reflect_insights": lambda shown: {
        "insights": [
            {"evidence": [group["memories"][0]["id"]], "insight": _WORDS} for group in shown["groups"]
        ]
    },
    "understand": lambda _: {"hypotheses": [], "evidence": []},
    "council": lambda _: {"reasoning": _WORDS, "acts": []},
    "reputation": lambda _: {"reasoning": _WORDS, "score": 5},
    "act_institution": lambda _: {"reasoning": _WORDS, "choices": []},
}  # fmt: skip


class SizingMind(Mind):
    """Mind without a model: measures each prompt and returns a fixed valid answer."""

    def __init__(self, context: AgentContext, world: str) -> None:
        """Create the mind of the context's player; `world` holds the scenario's rules."""
        self._sizing = Sizing("", 0)
        askers = cache(partial(sizing_asker, context, sizing=self._sizing))
        super().__init__(askers, context.player, world, context.about, prompts=context.prompts)
        self.asked: dict[str, list[CallCost]] = {}
        """Part -> cost of each of its calls."""

    async def ask(
        self,
        part: str,
        document: Mapping[str, Any],
        form: AnswerForm[T],
        check: Callable[[T], object] | None = None,
        constants: Mapping[str, str] | None = None,
        *,
        as_player: bool = True,
    ) -> T:
        """Measure the prompt, and return a valid answer.

        Args:
            part: Name of the part and of its prompt.
            document: The data of the prompt.
            form: Form of the answer.
            check: Validator of the answer.
            constants: Further values of the prompt that stay the same for the whole run.
            as_player: False for a question that comes from no player.
        """
        self._sizing.answer, self._sizing.tokens = json.dumps(_REPLIES[part](document)), ANSWERS[part]
        answer = await super().ask(part, document, form, check, constants, as_player=as_player)
        self.asked.setdefault(part, []).append(self._sizing.asked[-1])
        return answer


async def estimate_cost(run: ImaginedRun) -> dict[str, Range]:
    """Estimate the calls of an agent's roles in a game; `run.extent` is the range of the agent's own turns.

    Lower bound: it perceives and plans once, modules call the model as in one round, and it acts every turn. Upper
    bound: it perceives, reflects, plans and acts every turn, modules call the model as often as their settings allow,
    and every answer takes all its tries.
    """
    context, (least, most) = run.context, run.extent
    settings, trees = read_options(context.options)
    sizes = await _sizes(context, settings, trees or ("tree 1",))
    prompts = settings.prompts
    few = {**dict.fromkeys(prompts["act"], least), "plan": 1, **dict.fromkeys(prompts.get("perceive", ()), 1)}
    few |= _modules(settings, 1)
    parts = [name for role in ("act", "plan", "reflect", "perceive") for name in prompts.get(role, ())]
    many = {
        **dict.fromkeys(parts, most),
        **_modules(settings, most),
        "act_institution": sum(run.civic_questions.values()),
    }
    corrected = CallCost(0, MAX_SHOWN // CHARS_A_TOKEN, 0)
    tries = {part: size.times(TRIES).plus(corrected.times(TRIES - 1)) for part, size in sizes.items()}
    return {
        role: (
            total([sizes[part].times(count) for part, count in few.items() if count and role_of(part) == role]),
            total([tries[part].times(count) for part, count in many.items() if count and role_of(part) == role]),
        )
        for role in dict.fromkeys(role_of(part) for part, count in many.items() if count)
    }


def _modules(settings: GenerativeSettings, rounds: int) -> dict[str, int]:
    """Return the calls of each enabled module, for an agent that is never out of the game."""
    understood = rounds // settings.understand_every if "understanding" in settings.modules else 0
    meetings = ceil(rounds / settings.talk_every) if settings.meets else 0
    judged = max(0, meetings - 1) if settings.judges else 0
    return {"understand": understood, "council": settings.phases * meetings, "reputation": judged}


async def _sizes(context: AgentContext, settings: GenerativeSettings, trees: tuple[str, ...]) -> dict[str, CallCost]:
    """Return the mean cost of each part's calls in the simulated rounds."""
    # Call each part early and often: only prompt sizes are measured here, the number of calls is counted elsewhere.
    eager = replace(settings, perceive="model", understand_every=3, talk_every=3, reflect_every=10, react_at=1)
    world = "\n\n".join(text for text in (context.text.strip(), context.task.strip()) if text)
    mind = SizingMind(context, world)
    family = make_family(
        {context.player: partial(Asker, Sizing("", 0))},
        settings=eager,
        world=world,
        players=context.players,
        trees=trees,
        mind=mind,
    )
    agent = family.agents[context.player]
    for number in range(1, IMAGINED + 1):
        turn = _turn(context, number, trees[0])
        if family.council is not None:
            await family.council.talk({context.player: turn})
        await agent.take_turn(turn)
    agent.hear_institutions([{"part": "law", "what": "breach", "who": context.player, "why": _WORDS}] * LAST_STEPS)
    await agent.answer_institution(_ballot(context))
    if settings.judges:
        await ReputationJudge(mind).judge(_record(context))
    return {part: mean(costs) for part, costs in mind.asked.items()}


def _ballot(context: AgentContext) -> CivicQuestion[ElectionBallot]:
    """Return a typical question of an institution."""
    form = AnswerForm("ballot", ElectionBallot, {"reasoning": "<why>", "choices": []}, reasoning="reasoning")
    return CivicQuestion(context.player, "elections", "ballot", 3 * _WORDS, {"candidates": list(context.players)}, form)


def _record(context: AgentContext) -> dict[str, Any]:
    """Return a typical record of a member's agreements and actions, as shown to the judge of reputations."""
    record = PromiseRecord()
    parties, deed = list(context.players[:3]), HarvestAct("take", context.player, (3, 4), "tree 1", left=8)
    for number in range(1, IMAGINED + 1):
        made = {"agreement": f"A{number}", "parties": parties, "says": _WORDS, "first": number, "until": number + 5}
        record.add([{"what": "agreement_made", **made}, {"what": "deed", "round": number, **asdict(deed)}])
    found = record.of(context.player, IMAGINED, 1)
    assert found is not None, "an agreement binds the player"
    return found


def _turn(context: AgentContext, number: int, tree: str) -> HarvestTurn:
    """Return a typical turn: a tree and other players in sight, apples taken, one message."""
    at = (2 + number, 6)
    cells = [(at[0] + x, at[1] + z) for x in range(-1, 3) for z in range(-1, 2)]
    others = [name for name in context.players if name != context.player][:2]
    seen = [Seen("bare" if place % 4 == number % 4 else "apple", cell, tree) for place, cell in enumerate(cells)]
    players = [Seen("player", (at[0] + 3 + place, at[1]), name) for place, name in enumerate(others)]
    return HarvestTurn(
        player=context.player,
        players=context.players,
        round=number,
        at=at,
        size=SIZE,
        seen=(*players, *seen, Seen("tree", at, tree, "9 apples, 3 bare cells in sight")),
        deeds=tuple(HarvestAct("take", name, (at[0], number), tree, left=8) for name in others),
        said=tuple((name, _WORDS) for name in others[:1]),
        apples=float(number),
    )
