"""The family: the agents of one run with their memories, and the council that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voyager_agents.context import AgentContext, require_model
from voyager_agents.generative.agent import GenerativeAgent
from voyager_agents.generative.asking import Mind
from voyager_agents.generative.council import SocialCouncil
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import LongTermMemory
from voyager_agents.generative.settings import GenerativeSettings, GenerativeSettingsError
from voyager_agents.generative.short_term import ShortTermMemory
from voyager_agents.generative.spatial import SpatialMemory
from voyager_agents.index import Embedding, open_embedding, open_memory_index
from voyager_agents.models import Model
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import Tell, silent


@dataclass(frozen=True)
class GenerativeFamily:
    """Agents of one run, and their council."""

    agents: Mapping[str, GenerativeAgent]
    council: SocialCouncil | None
    """None where neither communication nor constitution is switched on."""


def make_family(
    models: Mapping[str, Model],
    *,
    settings: GenerativeSettings | None = None,
    world: str = "",
    personalities: Mapping[str, str] | None = None,
    players: Sequence[str] = (),
    trees: Sequence[str] = (),
    embedding: Embedding | None = None,
    mind: Mind | None = None,
    prompts: Prompts = STANDARD,
    tell: Mapping[str, Tell] | None = None,
) -> GenerativeFamily:
    """Make an agent for each player that has a model, in that order.

    Args:
        models: Player -> its model.
        settings: The agents' settings; by default the usual ones.
        world: The scenario's rules in words; trusted, at the beginning of every prompt.
        personalities: Player -> text of the condition; trusted like `world`.
        players: All players of the game, others than agents included.
        trees: Names of the trees; by default those in sight at the first meeting.
        embedding: Finds memories; by default the offline one.
        mind: Thinks for all agents; by default each has its own.
        prompts: Prompts of the parts.
        tell: Player -> recorder of its reasoning.

    Raises:
        IndexUnusable: Packages of the index are missing.
    """
    chosen = settings or GenerativeSettings()
    finder = embedding or open_embedding()
    agents = {}
    for name, model in models.items():
        told = (tell or {}).get(name, silent)
        own = mind or Mind(model, name, world, (personalities or {}).get(name, ""), prompts=prompts, tell=told)
        memory = LongTermMemory(open_memory_index(finder), chosen)
        agents[name] = GenerativeAgent(name, Kit(own, chosen, memory, ShortTermMemory(), SpatialMemory(), told))
    council = None
    if chosen.meets:
        council = SocialCouncil(list(agents.values()), list(players) or list(agents), trees, chosen)
        for agent in agents.values():
            agent.council = council
    return GenerativeFamily(agents, council)


def make_agents(contexts: Sequence[AgentContext], role: str) -> list[GenerativeAgent]:
    """Return the agents of these contexts, for `voyager_agents.registry`. Raises GenerativeSettingsError,
    IndexUnusable."""
    first = contexts[0]
    settings, trees = read_options(first.options)
    family = make_family(
        {context.player: require_model(context, role) for context in contexts},
        settings=settings,
        world="\n\n".join(text for text in (first.text.strip(), first.task.strip()) if text),
        personalities={context.player: context.about for context in contexts},
        players=first.players,
        trees=trees,
        prompts=first.prompts,
        tell={context.player: context.tell for context in contexts},
    )
    return list(family.agents.values())


def read_options(options: Mapping[str, Any]) -> tuple[GenerativeSettings, tuple[str, ...]]:
    """Return the settings, and the names of the trees.

    Raises:
        GenerativeSettingsError: An option is not legal.
    """
    trees = options.get("trees", ())
    if isinstance(trees, str) or not all(isinstance(each, str) for each in trees):
        raise GenerativeSettingsError(f"trees: {trees!r}: give a list of names")
    given = {key: value for key, value in options.items() if key != "trees"}
    return GenerativeSettings.from_mapping(given), tuple(trees)
