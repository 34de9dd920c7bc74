"""Perception, in a town: fifty people of different kinds, and what all of them come to think of each other.

Rules
    Vanilla's. People live about a few places where they meet, go from one to another and talk to whoever is near. There
    are no payoffs.

What is asked
    Whether what others think of somebody follows what that one is like, how far that depends on how many of them there
    are and how long they know each other, and who has many ties.

Source
    Project Sid (section 4.2, figure 7, appendix B, tables 1 and 2): 50 agents, 4 hours. Where it is silent the YAML
    file beside this module chooses.

Version history
    1   first version
"""

from __future__ import annotations

from dilemmas.scenarios.perception.scenario import Perception


class PerceptionTown(Perception):
    """The town and its variants."""
