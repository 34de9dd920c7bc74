"""Context of an agent: its player, scenario and models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from common.answers.reasoning import Reasoning
from voyager_agents.asking import TRIES, Asker
from voyager_agents.errors import ModelError
from voyager_agents.eyes import Look, LookCost, See, images_of, no_tokens, no_views, with_captions
from voyager_agents.human.connection import HumanContext
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import Tell, silent


@dataclass(frozen=True)
class AgentContext:
    """Everything that a family gets about one player of a run to create the player's agent."""

    player: str
    players: tuple[str, ...]
    """All players of the run, in the scenario's order."""
    condition: str
    seed: int
    """The run's seed. All randomness of the agent derives from the seed and the player's name."""
    kind: str
    """One of the family's kinds; empty if the family has none."""
    about: str
    """Private text of the condition for this player, such as a personality; may be empty."""
    text: str
    """The scenario's description as players read it."""
    task: str
    model: Callable[[str], Model | None]
    """Role -> this player's model for the role, or None. The study records every call and charges it to the budget."""
    docs: str
    """Documentation of the primitives for agents that write programs; empty if no model plays."""
    options: Mapping[str, Any]
    """Options from the scenario's condition; `--agents-option KEY=VALUE` (text) overrides them."""
    folder: Path
    """Folder in the run's record for the agent's own files; created by the agent."""
    done: int = 0
    """Number of episodes that an interrupted run had finished before this agent was created."""
    base_url: str | None = None
    """Endpoint of the study's models; None for the provider's default."""
    api_key_file: Path | None = None
    embedder: Callable[[str, Callable[[], Model]], Model] = lambda _name, opened: opened()
    """Wrapper of an embedding model that records its calls and charges them (`voyager_agents.index.Through`)."""
    prompts: Prompts = STANDARD
    """Prompt files of the study."""
    persona: Mapping[str, Any] = field(default_factory=dict)
    """The player's persona (`voyager_agents.personas.Persona.to_dict`) with the places it knows, in mode `life`."""
    person: HumanContext | None = None
    """Connection to the human player; None for all other players."""
    tell: Tell = silent
    """Callback that records a step of the agent's reasoning. Nothing in the run reads it."""
    roles: tuple[str, ...] = ()
    """Roles of the agent's family, the required one first."""
    reasoning: Reasoning = "field"
    """Place of a model's reasoning in its typed answers."""
    by_calls: bool = False
    """True if the agent acts by tool calls instead of programs (`--act tools`)."""
    see: See = "words"
    """Form in which the agent's models see the world: words, a picture, or both (`--see`)."""
    sees: tuple[str, ...] = ()
    """Roles of the agent's family whose models see."""
    look: Look = no_views
    """Role -> pictures for its next question; none for a role that does not see."""
    look_tokens: LookCost = no_tokens
    about_pictured: str | None = None
    """`about` without the words for what pictures show, for roles that see them; None if it is the same."""

    def is_drawn(self, role: str) -> bool:
        """Return whether a role sees pictures instead of words for what they show."""
        return self.see == "image" and role in self.sees

    def asker(
        self,
        role: str,
        settings: Settings | None = None,
        *,
        tries: int = TRIES,
        tell: Tell | None = None,
        looks: bool = True,
    ) -> Asker:
        """Return the access to the player's model for a required role.

        Args:
            role: The role to ask for.
            settings: Sampling settings.
            tries: Maximum answers to one question.
            tell: Records unusable answers; None for the context's recorder.
            looks: False for questions without pictures.

        Raises:
            ModelError: The study has no model for the role.
        """
        model = require_model(self, role)
        recorder = self.tell if tell is None else tell
        limit = self.prompts.limit(role)
        return Asker(
            model, role, settings=settings, reasoning=self.reasoning, tell=recorder, tries=tries, limit=limit,
            look=partial(self.look, role) if looks else no_views,
            look_tokens=self.look_tokens(role) if looks else 0,
            drawn=looks and self.is_drawn(role),
        )  # fmt: skip

    async def ask(self, request: str, *, system: str | None = None, role: str = "") -> str:
        """Ask the player's model and return the text of its answer.

        Args:
            request: The user message.
            system: The system message; by default the documentation of the primitives.
            role: The role to ask for; by default the family's first role.

        Raises:
            ModelError: There is no model for the role, or the call failed.
        """
        instructions = self.docs if system is None else system
        asked = role or next(iter(self.roles), "")
        views = await self.look(asked)
        user = ChatMessage("user", with_captions(request, views), images=images_of(views))
        messages = [ChatMessage("system", instructions), user]
        reply = await require_model(self, asked).complete(messages, Settings())
        return reply.text


def require_model(context: AgentContext, role: str) -> Model:
    """Return the player's model for a required role.

    Raises:
        ModelError: The study has no model for the role.
    """
    model = context.model(role)
    if model is None:
        raise ModelError(f"{context.player}: there is no model for the role {role!r}: give --model openai/NAME")
    return model
