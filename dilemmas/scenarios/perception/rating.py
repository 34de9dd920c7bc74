"""Scores of thoughts by a model, after the lives were lived; in a town, scores of traits by the same prompt.

As in the paper, a thought about another, in a sentence, gets a sentiment, and so do the traits that make a person
likeable. Without a model the sentiment of the profile and the persona's number count.
"""

from __future__ import annotations

from collections.abc import Iterable

from dilemmas.records import events as log
from dilemmas.scenarios.perception.spec import PerceptionSpec
from dilemmas.scenarios.societies.perceiving import MAX_FEW_JUDGES, perception_history
from voyager_agents.cost import Range
from voyager_agents.errors import AgentError, BudgetExhausted, QuotaExhausted
from voyager_agents.piano.role_classifier import RoleClassifier, sentiments_cost
from voyager_agents.prompts.folder import Prompts

THOUGHT_S = 5.0
"""Minimum interval between two scored thoughts of one agent, in seconds."""


async def rate_thoughts(lines: Iterable[log.LogLine], rater: RoleClassifier) -> list[log.SummariesRated]:
    """Return the scores of all thoughts of a few observers, or of the last ones of many.

    Raises:
        BudgetExhausted: A budget of the run is used up.
        QuotaExhausted: The account with the model's provider is used up.
    """
    found = perception_history(lines)
    if found.truth is None:
        return []
    asked = [(observer, of, t_s, text) for (observer, of), told in found.thoughts.items() for t_s, text in told]
    if found.truth.study == "town":
        asked += [("", name, 0.0, " ".join(traits)) for name, traits in found.truth.traits.items()]
    fault = ""
    scores: dict[str, float | None] = {}
    try:
        texts = list(dict.fromkeys(text for *_, text in asked))
        scores = dict(zip(texts, await rater.sentiments(texts), strict=True))
    except (BudgetExhausted, QuotaExhausted):
        raise
    except AgentError as error:
        fault = str(error)
    told = [log.ScoredThought(observer=who, of=of, t_s=t_s, score=scores.get(text)) for who, of, t_s, text in asked]
    return [log.SummariesRated(scores=told, fault=fault)]


async def rating_cost(spec: PerceptionSpec, seconds: float, prompts: Prompts) -> Range:
    """Return the cost of scoring the thoughts of lives of `seconds` seconds."""
    judges, others = len(spec.judges or spec.players), len(spec.players) - 1
    times = int(seconds / THOUGHT_S) + 1 if judges <= MAX_FEW_JUDGES else 1
    traits = len(spec.players) if spec.study == "town" else 0
    return await sentiments_cost(traits, judges * others * times + traits, prompts)
