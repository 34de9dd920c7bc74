"""Perception, in a room: three speakers whose feelings change, and one who listens.

Rules
    Vanilla's. Four players stand in a closed room. Three of them speak by a script: what each feels for the fourth
    changes over time, and its words show it. The fourth listens, speaks if it likes, and thinks of each what it thinks.

What is asked
    Whether its thoughts follow the feelings of the speakers, and whether they do without social awareness. There are no
    payoffs.

Source
    Project Sid (section 4.1, figure 6 A to C): Lila, Noah and Ethan; Lila goes from affection to annoyance and back; 4
    repeats. Where it is silent the YAML file beside this module chooses.

Version history
    1   first version
"""

from __future__ import annotations

from dilemmas.scenarios.perception.scenario import Perception


class PerceptionRoom(Perception):
    """The room and its variants."""
