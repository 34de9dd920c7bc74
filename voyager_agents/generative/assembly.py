"""Construction of a run's generative agents, their memories, and their shared council."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from voyager_agents.context import AgentContext
from voyager_agents.generative.agent import GenerativeAgent
from voyager_agents.generative.asking import Askers, Mind
from voyager_agents.generative.council import SocialCouncil
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import LongTermMemory
from voyager_agents.generative.reputation import ReputationJudge
from voyager_agents.generative.settings import GenerativeSettings, GenerativeSettingsError
from voyager_agents.generative.short_term import ShortTermMemory
from voyager_agents.generative.spatial import SpatialMemory
from voyager_agents.index import OFFLINE, Embedding, check_embedding, open_embedding, open_memory_index
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import Tell, silent


@dataclass(frozen=True)
class GenerativeFamily:
    """Generative agents of one run, and their council."""

    agents: Mapping[str, GenerativeAgent]
    council: SocialCouncil | None
    """Shared council; None without the communication and constitution modules."""


def make_family(
    askers: Mapping[str, Askers],
    *,
    settings: GenerativeSettings | None = None,
    world: str = "",
    personalities: Mapping[str, str] | None = None,
    players: Sequence[str] = (),
    trees: Sequence[str] = (),
    embeddings: Mapping[str, Embedding] | None = None,
    mind: Mind | None = None,
    prompts: Prompts = STANDARD,
    tell: Mapping[str, Tell] | None = None,
) -> GenerativeFamily:
    """Return an agent for each player that has a model, in the order of `askers`.

    Args:
        askers: Player -> role -> access to its model.
        settings: Settings of all agents; defaults to `GenerativeSettings()`.
        world: The scenario's rules in words; trusted text at the beginning of every prompt.
        personalities: Player -> personality text of the condition; trusted like `world`.
        players: All players of the game, including those that are not agents; defaults to the agents.
        trees: Names of the trees; by default those in sight at the first meeting.
        embeddings: Player -> embedding for memory retrieval; defaults to the offline one.
        mind: Model access shared by all agents; by default each agent has its own.
        prompts: Prompt templates of the parts.
        tell: Player -> recorder of its thought events.

    Raises:
        IndexUnusable: Packages that the index needs are missing.
    """
    chosen = settings or GenerativeSettings()
    offline = open_embedding()
    agents = {}
    for name, asker in askers.items():
        told = (tell or {}).get(name, silent)
        own = mind or Mind(asker, name, world, (personalities or {}).get(name, ""), prompts=prompts)
        memory = LongTermMemory(open_memory_index((embeddings or {}).get(name, offline)), chosen)
        agents[name] = GenerativeAgent(name, Kit(own, chosen, memory, ShortTermMemory(), SpatialMemory(), told))
    council = None
    if chosen.meets:
        judges = {name: ReputationJudge(agent.kit.mind) for name, agent in agents.items()} if chosen.judges else {}
        council = SocialCouncil(list(agents.values()), list(players) or list(agents), trees, chosen, judges)
        for agent in agents.values():
            agent.council = council
    return GenerativeFamily(agents, council)


def make_agents(contexts: Sequence[AgentContext]) -> list[GenerativeAgent]:
    """Return one agent for each context, for `voyager_agents.registry`.

    Raises:
        GenerativeSettingsError: An option is illegal.
        IndexUnusable: Packages that the index needs are missing.
        ModelError: The embedding cannot be opened.
    """
    first = contexts[0]
    settings, trees = read_options(first.options)
    family = make_family(
        {context.player: cache(context.asker) for context in contexts},
        settings=settings,
        world="\n\n".join(text for text in (first.text.strip(), first.task.strip()) if text),
        personalities={context.player: context.about for context in contexts},
        players=first.players,
        trees=trees,
        embeddings={context.player: _embedding(context) for context in contexts},
        prompts=first.prompts,
        tell={context.player: context.tell for context in contexts},
    )
    return list(family.agents.values())


def _embedding(context: AgentContext) -> Embedding:
    spec = str(context.options.get("embedding", OFFLINE))
    return open_embedding(spec, base_url=context.base_url, api_key_file=context.api_key_file, through=context.embedder)


def read_options(options: Mapping[str, Any]) -> tuple[GenerativeSettings, tuple[str, ...]]:
    """Parse options into settings and the names of the trees.

    The option `embedding` names the embedding of the memories; it is only checked here.

    Raises:
        GenerativeSettingsError: An option is illegal.
        ModelError: The embedding is unknown.
        IndexUnusable: Packages that the embedding needs are missing.
    """
    if "embedding" in options:
        check_embedding(str(options["embedding"]))
    trees = options.get("trees", ())
    if isinstance(trees, str) or not all(isinstance(each, str) for each in trees):
        raise GenerativeSettingsError(f"trees: {trees!r}: give a list of names")
    given = {key: value for key, value in options.items() if key not in ("trees", "embedding")}
    return GenerativeSettings.from_mapping(given), tuple(trees)
