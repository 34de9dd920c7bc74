"""Questions of a generative agent's parts: constant text first, quoted data, and a typed answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from common.answers.fitting import ShrinkRule, drop_last, drop_oldest, shorten_inside
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.untrusted_text import quote_document
from voyager_agents.asking import Asker, require_answer
from voyager_agents.prompts.folder import STANDARD, Prompts

FOLDER = Path(__file__).parent / "prompts"
"""Folder of the prompt templates."""
MAX_REASONING = 1200
"""Maximum length of the reasoning in an answer, in characters; a longer one is cut."""

RULES = (
    ShrinkRule("memories", drop_last),
    ShrinkRule("groups", shorten_inside("memories", drop_last)),
    *(ShrinkRule(key, drop_oldest) for key in ("observations", "insights", "last_events")),
    ShrinkRule("institutions", drop_oldest),
    ShrinkRule("in_sight_nearest_first", drop_last),
    *(ShrinkRule(key, drop_oldest) for key in ("actions", "agreements")),
)
"""Rules that shorten a prompt: memories that match least, then what was oldest or farthest."""
SHOWN_BY_PICTURES = frozenset({"in_sight_nearest_first"})
"""Data of prompts that a picture of what an agent sees shows too."""
T = TypeVar("T", bound=Strict)


Askers = Callable[[str], Asker]
"""Role -> access to the agent's model for it."""


def role_of(part: str) -> str:
    """Return the role of a part's questions: `reflect` for `reflect_questions`."""
    return part.partition("_")[0]


class Mind:
    """Model access of one agent, which keeps the beginning of all its prompts."""

    def __init__(
        self, askers: Askers, player: str, world: str, personality: str, *, prompts: Prompts = STANDARD
    ) -> None:
        """Every prompt begins with `world`, the scenario's rules, and `personality`, the condition's text."""
        self._askers = askers
        self._prompts = prompts
        self.world = world.strip()
        """The scenario's rules in words."""
        values = {"player": player, "world": self.world, "personality": personality.strip() or "(none is given)"}
        self._preamble, _ = prompts.load("preamble").fill(values)
        self.faults: list[str] = []
        """Errors of answers that were still unusable after a correction, oldest first."""

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
        """Ask the model for a part's typed answer.

        Args:
            part: Name of the part and of its prompt.
            document: Data of the prompt, all texts of players included.
            form: Form of the answer.
            check: Validator that raises ReplyError for a well-formed but illegal answer.
            constants: Further values of the prompt that stay the same for the whole run.
            as_player: False for a question that comes from no player, whose prompt begins without the player.

        Raises:
            ReplyError: The last answer is unusable, too.
            ModelError: The model failed.
        """
        prompt = self._prompts.load(part)

        def build(values: Mapping[str, Any]) -> tuple[str, str]:
            instructions, request = prompt.fill({"data": quote_document(values), **(constants or {})})
            return f"{self._preamble}\n\n{instructions}" if as_player else instructions, request

        asker = self._askers(role_of(part))
        if asker.drawn:
            document = {key: value for key, value in document.items() if key not in SHOWN_BY_PICTURES}
        question = asker.fit(document, RULES, build, form)
        answer = await asker.ask(*question, form, check, part=part)
        if answer.value is None:
            self.faults.append(f"{part}: {answer.faults[-1].text}")
        return require_answer(answer)
