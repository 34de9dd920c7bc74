"""Player that lowers what the others earn, whatever it earns itself.

Mining          takes all tools out of the chest and keeps them, so that nobody mines with them
Public good     harvests all it can and never cleans
Commons         attacks players that are close, and strips the trees
Repeated game   chooses the most selfish option in every stage
"""

from __future__ import annotations

from voyager_agents.agent import Action, Observation
from voyager_agents.errors import PlayerError
from voyager_agents.facts import Commons, Facts, PublicGood, StageGame
from voyager_agents.reference.booths import always_defect
from voyager_agents.reference.foragers import aggressive_bot
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.policies import TAKE, chest_lines, items, program
from voyager_agents.reference.stewards import harvester


def saboteur(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return the program of a saboteur; `state` is returned unchanged. Raises PlayerError for a plugin's facts."""
    match observation.facts:
        case Facts() as facts:
            return _hoards(observation.player, facts), state
        case PublicGood():
            return harvester(observation, state)
        case Commons():
            return aggressive_bot(observation, state)
        case StageGame():
            return always_defect(observation, state)
    raise PlayerError(f"{observation.player}: a saboteur knows nothing of {type(observation.facts).__name__}")


def _hoards(player: str, facts: Facts) -> Action:
    lines = [*chest_lines(facts), *TAKE]
    if facts.tools:
        lines.append(f"await take({items({tool.name: tool.count for tool in facts.tools})})")
    return Action(program(f"sabotages_{player}", f"{player} takes all tools and mines nothing.", lines), "hoards tools")
