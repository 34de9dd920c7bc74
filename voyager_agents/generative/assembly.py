"""Construction of a run's generative agents, their memories, and their shared council."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.generative.agent import GenerativeAgent
from voyager_agents.generative.asking import Mind
from voyager_agents.generative.council import SocialCouncil
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import LongTermMemory
from voyager_agents.generative.settings import GenerativeSettings, GenerativeSettingsError
from voyager_agents.generative.short_term import ShortTermMemory
from voyager_agents.generative.spatial import SpatialMemory
from voyager_agents.index import Embedding, open_embedding, open_memory_index
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import Tell, silent


@dataclass(frozen=True)
class GenerativeFamily:
    """Generative agents of one run, and their council."""

    agents: Mapping[str, GenerativeAgent]
    council: SocialCouncil | None
    """Shared council; None without the communication and constitution modules."""


def make_family(
    askers: Mapping[str, Asker],
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
    """Return an agent for each player that has a model, in the order of `askers`.

    Args:
        askers: Player -> access to its model.
        settings: Settings of all agents; defaults to `GenerativeSettings()`.
        world: The scenario's rules in words; trusted text at the beginning of every prompt.
        personalities: Player -> personality text of the condition; trusted like `world`.
        players: All players of the game, including those that are not agents; defaults to the agents.
        trees: Names of the trees; by default those in sight at the first meeting.
        embedding: Embedding for memory retrieval; defaults to the offline one.
        mind: Model access shared by all agents; by default each agent has its own.
        prompts: Prompt templates of the parts.
        tell: Player -> recorder of its thought events.

    Raises:
        IndexUnusable: Packages that the index needs are missing.
    """
    chosen = settings or GenerativeSettings()
    finder = embedding or open_embedding()
    agents = {}
    for name, asker in askers.items():
        told = (tell or {}).get(name, silent)
        own = mind or Mind(asker, name, world, (personalities or {}).get(name, ""), prompts=prompts)
        memory = LongTermMemory(open_memory_index(finder), chosen)
        agents[name] = GenerativeAgent(name, Kit(own, chosen, memory, ShortTermMemory(), SpatialMemory(), told))
    council = None
    if chosen.meets:
        council = SocialCouncil(list(agents.values()), list(players) or list(agents), trees, chosen)
        for agent in agents.values():
            agent.council = council
    return GenerativeFamily(agents, council)


def make_agents(contexts: Sequence[AgentContext], role: str) -> list[GenerativeAgent]:
    """Return one agent for each context, for `voyager_agents.registry`.

    Raises:
        GenerativeSettingsError: An option is illegal.
        IndexUnusable: Packages that the index needs are missing.
    """
    first = contexts[0]
    settings, trees = read_options(first.options)
    family = make_family(
        {context.player: context.asker(role) for context in contexts},
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
    """Parse options into settings and the names of the trees.

    Raises:
        GenerativeSettingsError: An option is illegal.
    """
    trees = options.get("trees", ())
    if isinstance(trees, str) or not all(isinstance(each, str) for each in trees):
        raise GenerativeSettingsError(f"trees: {trees!r}: give a list of names")
    given = {key: value for key, value in options.items() if key != "trees"}
    return GenerativeSettings.from_mapping(given), tuple(trees)
