"""Cost estimate of a generative agent: the number of calls follows from its settings, their size from real prompts.

The prompts are rendered in a short simulated game of `IMAGINED` rounds without a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil
from typing import Any

from common.answers.reading import Strict
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.commons_harvest import HarvestAct, HarvestTurn, Place, Seen
from voyager_agents.context import AgentContext
from voyager_agents.cost import CallCost, ImaginedRun, Range
from voyager_agents.generative.asking import TRIES, Mind
from voyager_agents.generative.assembly import make_family, read_options
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.models import ScriptedModel
from voyager_agents.prompts.folder import STANDARD, Prompts

IMAGINED = 12
"""Number of simulated rounds: enough for calls of every part with partly filled memories."""
SIZE: Place = (24, 18)
"""Size of the simulated field, in cells: columns and rows."""
ANSWERS = {
    "act": 120, "perceive": 80, "plan": 200, "reflect_questions": 80, "reflect_insights": 250, "understand": 200,
    "council": 200,
}  # fmt: skip
"""Part -> tokens of a typical answer."""
_WORDS = "What a sentence of usual length would say about the trees, the others, and what to do next. "
_REPLIES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "act": lambda _: {"reasoning": _WORDS, "move": "stay"},
    "perceive": lambda shown: {"poignancy": [5] * len(shown["new_observations"]), "react": False, "reason": ""},
    "plan": lambda _: {"reasoning": _WORDS, "goal": _WORDS, "plan": 2 * _WORDS, "steps": [_WORDS] * 3},
    "reflect_questions": lambda shown: {"questions": [_WORDS] * shown["questions_wanted"]},
    "reflect_insights": lambda shown: {
        "insights": [
            {"insight": _WORDS, "evidence": [group["memories"][0]["id"]]} for group in shown["groups"]
        ]
    },
    "understand": lambda _: {"hypotheses": [], "evidence": []},
    "council": lambda _: {"reasoning": _WORDS, "acts": []},
}  # fmt: skip


class SizingMind(Mind):
    """Mind without a model: measures each prompt and returns a fixed valid answer."""

    def __init__(self, player: str, world: str, personality: str, prompts: Prompts = STANDARD) -> None:
        super().__init__(ScriptedModel([]), player, world, personality, prompts=prompts)
        self.asked: dict[str, list[int]] = {}
        """Part -> length of each of its prompts, in characters."""

    async def ask(
        self,
        part: str,
        document: Mapping[str, Any],
        shape: type[Any],
        check: Callable[[Any], None] | None = None,
        constants: Mapping[str, str] | None = None,
    ) -> Any:  # noqa: ANN401 - an instance of `shape`
        """Measure the prompt, and return a valid answer.

        Args:
            part: Name of the part and of its prompt.
            document: The data of the prompt.
            shape: Form of the answer.
            check: Validator of the answer.
            constants: Further values of the prompt that stay the same for the whole run.
        """
        messages = self.messages(part, document, constants)
        self.asked.setdefault(part, []).append(sum(len(each.content) for each in messages))
        answer: Strict = shape.model_validate(_REPLIES[part](document))
        if check is not None:
            check(answer)
        return answer


async def estimate_cost(run: ImaginedRun) -> Range:
    """Estimate the calls of an agent in a game; `run.extent` is the range of the agent's own turns.

    Lower bound: it perceives and plans once, modules call the model as in one round, and it acts every turn. Upper
    bound: it perceives, reflects, plans and acts every turn, modules call the model as often as their settings allow,
    and every answer takes two calls.
    """
    context, (least, most) = run.context, run.extent
    settings, trees = read_options(context.options)
    sizes = await _sizes(context, settings, trees or ("tree 1",))
    perceived = settings.perceive == "model"
    few = {"act": least, "plan": 1, "perceive": int(perceived), **_modules(settings, 1)}
    parts = ("act", "plan", "reflect_questions", "reflect_insights", *(["perceive"] if perceived else []))
    many = {**dict.fromkeys(parts, most), **_modules(settings, most)}
    return _total(few, sizes), _total({part: TRIES * count for part, count in many.items()}, sizes)


def _modules(settings: GenerativeSettings, rounds: int) -> dict[str, int]:
    """Return the calls of each enabled module, for an agent that is never out of the game."""
    understood = rounds // settings.understand_every if "understanding" in settings.modules else 0
    spoken = settings.phases * ceil(rounds / settings.talk_every) if settings.meets else 0
    return {"understand": understood, "council": spoken}


def _total(calls: Mapping[str, int], sizes: Mapping[str, int]) -> CallCost:
    wanted = {part: count for part, count in calls.items() if count}
    return CallCost(
        sum(wanted.values()),
        sum(count * sizes[part] for part, count in wanted.items()) // CHARS_A_TOKEN,
        sum(count * ANSWERS[part] for part, count in wanted.items()),
    )


async def _sizes(context: AgentContext, settings: GenerativeSettings, trees: tuple[str, ...]) -> dict[str, int]:
    """Return the mean prompt length of each part in the simulated rounds, in characters."""
    # Call each part early and often: only prompt sizes are measured here, the number of calls is counted elsewhere.
    eager = replace(settings, perceive="model", understand_every=3, talk_every=3, reflect_every=10, react_at=1)
    world = "\n\n".join(text for text in (context.text.strip(), context.task.strip()) if text)
    mind = SizingMind(context.player, world, context.about, context.prompts)
    family = make_family(
        {context.player: ScriptedModel([])},
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
        await agent.take(turn)
    return {part: sum(sizes) // len(sizes) for part, sizes in mind.asked.items()}


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
