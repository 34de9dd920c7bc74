"""Action part that acts by tool calls instead of writing a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from common.answers.fitting import keep_ends
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.skill_library import Skill
from voyager_agents.tool_calls.session import ToolSession, open_toolbox
from voyager_agents.voyager.action import acting_values, whole_task


class ToolActionPart:
    """Opens a conversation in which the model calls primitives."""

    def __init__(self, asker: Asker, primitives: str, prompts: Prompts = STANDARD) -> None:
        """Create the part.

        Args:
            asker: Access to the model.
            primitives: Documentation of the primitives, which tells those that a task needs first.
            prompts: Prompts of the study.
        """
        self._asker = asker
        self._primitives = primitives
        self._prompt = prompts.load("action_tools")

    def begin(
        self,
        observation: Observation,
        critique: str,
        skills: Sequence[Skill] = (),
        wrap: Callable[[str], str] = str,
    ) -> ToolSession:
        """Return the conversation of an episode.

        Args:
            observation: The player's observation.
            critique: The critic's review of the last episode.
            skills: Skills that are tools too.
            wrap: Turns the program of a call into the one that runs, e.g. by adding the skill that it calls.
        """
        observation = observation.shown_to(drawn=self._asker.drawn)
        toolbox = open_toolbox(self._asker, self._primitives, whole_task(observation), skills)
        values = {
            **acting_values(observation, critique),
            "error": rendering.ending(observation) if observation.last_run else "(no episode yet)",
        }
        system, user = self._asker.fit(values, keep_ends("log", "chat"), fill_with(self._prompt), tools=toolbox.tools)
        return ToolSession(self._asker, toolbox, system, user, wrap=wrap)
