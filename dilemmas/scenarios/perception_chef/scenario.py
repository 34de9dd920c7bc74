"""Perception, by a chef: limited food, and four hungry others who feel differently for the one who gives it away.

Rules
    Vanilla's. A chef has bread, cooked salmon and cooked chicken, too little for all. Four guests are hungry; what each
    of them feels for the chef is its own, and their words show it. Whatever has come to a guest is what the server
    shows.

What is asked
    Whether the chef's thoughts of its guests follow what they feel, and whether the food follows the chef's thoughts.
    There are no payoffs.

Source
    Project Sid (section 4.1, figure 6 D and E): Adam, Bob, Charles and David; 6 repeats. Where it is silent the YAML
    file beside this module chooses.

Version history
    1   first version
"""

from __future__ import annotations

from dilemmas.scenarios.perception.scenario import Perception


class PerceptionChef(Perception):
    """The kitchen and its variants."""
