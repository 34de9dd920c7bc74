"""Registry of social rules; a game's file names the rules it uses."""

from __future__ import annotations

from grid_games.errors import GameError
from grid_games.rules.base import SocialRules
from grid_games.rules.contract import ContractRules
from grid_games.rules.exploration import Exploration
from grid_games.rules.negotiation import Negotiation
from grid_games.rules.structure import Structure

RULES: dict[str, type[SocialRules]] = {
    "contract": ContractRules,
    "exploration": Exploration,
    "negotiation": Negotiation,
    "structure": Structure,
}


def rules_of(name: str) -> type[SocialRules]:
    """Return the class of social rules with this name.

    Raises:
        GameError: The name is unknown.
    """
    if name not in RULES:
        raise GameError(f"there are no rules {name!r}; rules are {', '.join(sorted(RULES))}")
    return RULES[name]


__all__ = ["RULES", "ContractRules", "Exploration", "Negotiation", "SocialRules", "Structure", "rules_of"]
