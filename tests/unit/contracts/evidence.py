"""Ends of episodes as evidence for judges."""

from __future__ import annotations

from contracts import Evidence, Observables, PlayerFacts

VALUES = {"Gizmo": {"raw_iron": 4, "diamond": 4}, "Glitch": {"raw_iron": 3, "diamond": 5}}
YIELDS = {"iron_ore": "raw_iron", "diamond_ore": "diamond"}
ITEMS = ["raw_iron", "diamond", "stone_pickaxe", "iron_pickaxe"]


def ended(
    gizmo: dict[str, int],
    glitch: dict[str, int],
    *,
    held: dict[str, dict[str, int]] | None = None,
    chest: dict[str, int] | None = None,
    chat: tuple[tuple[str, str], ...] = (),
) -> Evidence:
    """Return an episode in which the players mined these blocks and hold these tools besides."""
    players = {}
    for name, mined in (("Gizmo", gizmo), ("Glitch", glitch)):
        items = {YIELDS[block]: count for block, count in mined.items()}
        reward = sum(VALUES[name][item] * count for item, count in items.items())
        players[name] = PlayerFacts(items | (held or {}).get(name, {}), mined, VALUES[name], reward)
    return Evidence(Observables.collect(players, chest, items=ITEMS, blocks=list(YIELDS)), chat)


def rewards(evidence: Evidence) -> dict[str, object]:
    """Return the rewards of both players, before transfers."""
    return {name: evidence.reward(name) for name in ("Gizmo", "Glitch")}
