"""Action part: writes the program."""

from __future__ import annotations

import re
from collections.abc import Callable

from common.answers.fitting import ShrinkRule, keep_ends
from common.answers.spoken import spoken
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker, require_answer
from voyager_agents.prompts.fitting import ShownPrimitives, fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import ACTION
from voyager_agents.voyager.code import check_start, extract_policy

MAX_SHOWN_PROGRAM = 6000
"""Maximum characters of an unusable program that the model is shown again; a usual program has 3,600."""
RULES = (
    ShrinkRule("primitives", lambda shown: shown.shorter(last=1)),
    *keep_ends("log", "chat"),
    ShrinkRule("primitives", ShownPrimitives.shorter),
)
"""Rules that shorten a prompt: primitives that the task does not need, logs, all other primitives."""
_FENCE = re.compile(r"`{3,}|~{3,}")


class ActionPart:
    """Requests one JavaScript function from a model."""

    def __init__(self, asker: Asker, primitives: str, prompts: Prompts = STANDARD) -> None:
        """`primitives` is the documentation of the functions in scope, generated from the running code."""
        self._asker = asker
        self._primitives = primitives
        self._prompt = prompts.load("action")

    async def write(
        self, observation: Observation, critique: str, skills: str = "", whole: Callable[[str], str] = str
    ) -> tuple[str, str]:
        """Return the program, and the model's text before it.

        Args:
            observation: The player's observation.
            critique: The critic's review of the last episode.
            skills: Functions that the program may call in addition to the primitives; empty without a library.
            whole: Turns the program into the one that runs, e.g. by adding the skills that it calls.

        Raises:
            ReplyError: The last answer is still malformed, or could not start.
        """

        def read(text: str) -> str:
            policy = extract_policy(text)
            check_start(policy)
            if (program := whole(policy)) != policy:
                check_start(program)
            return policy

        question = self._question(observation, critique, skills)
        answer = await self._asker.ask_text(*question, read, part=ACTION, shown=MAX_SHOWN_PROGRAM)
        return require_answer(answer), _FENCE.split(spoken(answer.raw), maxsplit=1)[0].strip()

    def _question(self, observation: Observation, critique: str, skills: str) -> tuple[str, str]:
        observation = observation.shown_to(drawn=self._asker.drawn)
        values = {
            "primitives": ShownPrimitives.of_page(self._primitives, whole_task(observation)),
            **acting_values(observation, critique),
            "last_code": rendering.last_code(observation),
            "error": rendering.ending(observation),
            "skills": skills,
        }
        return self._asker.fit(values, RULES, fill_with(self._prompt))


def whole_task(observation: Observation) -> str:
    """Return task, scenario and contract in words, which tell the primitives that are needed first."""
    return f"{observation.task}\n{observation.scenario}\n{rendering.contract_text(observation.contract)}"


def acting_values(observation: Observation, critique: str) -> dict[str, str]:
    """Return the values that prompts for programs and for tool calls share.

    Args:
        observation: The player's observation.
        critique: The critic's review of the last episode.
    """
    others = [name for name in observation.players if name != observation.player]
    return {
        "player": observation.player,
        "others": ", ".join(others) or "(none)",
        "task": observation.task,
        "scenario": observation.scenario,
        "facts": rendering.facts(observation.facts),
        "contract": rendering.contract_text(observation.contract),
        "log": rendering.printed(observation),
        "chat": rendering.conversation(observation.chat),
        "inventories": rendering.inventories(observation),
        "reward": rendering.reward(observation),
        "critique": critique or "(none)",
        "judge_critique": observation.judge_critique or "(none)",
    }
