"""Options of `chooser` agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from voyager_agents.errors import AgentError

ROLE = "player"
"""Name of the model role of players."""
HISTORY = 20
"""Default number of past rounds in a chooser's prompt."""
MAX_HISTORY = 500
"""Maximum number of past rounds in a chooser's prompt."""
PLAIN_WAY, EQUILIBRIA = "plain", "equilibria"
WAY_NAMES = (PLAIN_WAY, "partner", "predict", "belief-1", "belief-2", EQUILIBRIA)
"""Names of the ways of asking (`voyager_agents.stage_games.ways`), the default first."""
PARTNER = (
    "The other player reasons carefully and wants as much for itself as it can get. Now and then it makes a mistake."
)
"""Default description of the partner, for the way `partner`."""
MAX_PARTNER = 1000
"""Maximum length of a description of the partner, in characters."""
MAX_STRATEGY = 2000
"""Maximum length of a written strategy, in characters."""
MAX_ADVICE = 50
"""Maximum number of strategies that a writer reads."""
OPTIONS = {
    "history": "the rounds remembered",
    "way": "the way of asking",
    "partner": "the description of the partner",
    "population": "the strategies of a population, which accord generations sets",
}
"""Option -> meaning, for messages."""


def check_options(options: Mapping[str, Any]) -> None:
    """Check the options of a chooser.

    Raises:
        AgentError: An option is unknown, or its value is not legal.
    """
    if unknown := sorted(set(options) - set(OPTIONS)):
        told = "; ".join(f"{name}, {meaning}" for name, meaning in OPTIONS.items())
        raise AgentError(f"{unknown[0]!r} is no option of 'chooser' agents: they have {told}")
    history_of(options)
    way_of(options)
    partner_of(options)
    written_strategies(options)


@dataclass(frozen=True)
class WrittenStrategies:
    """Strategies in words of the players of a game."""

    own: Mapping[str, str] = field(default_factory=dict)
    """Player -> the strategy that it wrote in an earlier generation."""
    writers: tuple[str, ...] = ()
    """Players that write a strategy before their first choice."""
    advice: tuple[str, ...] = ()
    """Strategies of survivors, which writers read."""


def written_strategies(options: Mapping[str, Any], most: int = MAX_STRATEGY) -> WrittenStrategies:
    """Return the strategies in words.

    Args:
        options: Options of an agent.
        most: Maximum length of a strategy, in characters.

    Raises:
        AgentError: They have another form.
    """
    given = options.get("population", {})
    try:
        found = WrittenStrategies(
            {str(name): _strategy(text, most) for name, text in dict(given.get("own", {})).items()},
            tuple(str(name) for name in given.get("writers", ())),
            tuple(_strategy(text, most) for text in given.get("advice", ())),
        )
        if set(given) - set(vars(found)) or len(found.advice) > MAX_ADVICE:
            raise ValueError("unknown keys, or too much advice")
    except (AttributeError, TypeError, ValueError):
        raise AgentError("population: has no legal form; accord generations writes it") from None
    return found


def _strategy(text: object, most: int) -> str:
    if not isinstance(text, str) or len(text) > most:
        raise ValueError("no strategy")
    return text


def history_of(options: Mapping[str, Any]) -> int:
    """Return the number of past rounds in a chooser's prompt.

    Raises:
        AgentError: The number is not legal.
    """
    given = str(options.get("history", HISTORY))
    if not given.isdecimal() or int(given) > MAX_HISTORY:
        raise AgentError(f"history: {given!r} is not legal; give rounds from 0 to {MAX_HISTORY}")
    return int(given)


def way_of(options: Mapping[str, Any]) -> str:
    """Return the name of the way of asking. Raises AgentError if there is no such way."""
    given = str(options.get("way", PLAIN_WAY))
    if given not in WAY_NAMES:
        raise AgentError(f"way: {given!r} is not legal; choose one of {', '.join(WAY_NAMES)}")
    return given


def partner_of(options: Mapping[str, Any]) -> str:
    """Return the description of the partner. Raises AgentError if it is too long."""
    given = str(options.get("partner", PARTNER)).strip()
    if len(given) > MAX_PARTNER:
        raise AgentError(f"partner: {len(given)} characters are too many; write at most {MAX_PARTNER}")
    return given
