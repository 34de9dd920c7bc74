"""Taxation: people of many trades live in a village, pay tax into community chests, and amend the law that says so.

Rules
    The village's. Tax is due in announced seasons: everybody goes to a community chest by itself and puts in what the
    law says. What has been paid is what the server shows in the chests. Half-way through, an assembly amends the law:
    feedback, amendments by an election manager, ballots, a count by code (`contracts.institutions.assembly`).

What is asked
    Whether people keep the law, whether a few influencers change it, and whether conduct follows the law that was
    changed. Nobody enforces anything.

Source
    Project Sid (sections 5.2 and 8.3, appendix D): 25 constituents, 3 influencers, 1 election manager, 1200 s. Where it
    is silent the YAML file beside this module chooses.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from common.hooks import helper
from contracts.institutions.charter_law import CHARTER
from contracts.institutions.frame import HostSlots
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import LogLine
from dilemmas.scenarios.protocol import COUNT, Gathering, MeasureTally, Rules, ValueBounds
from dilemmas.scenarios.societies import lives
from dilemmas.scenarios.taxation import record
from dilemmas.scenarios.taxation.measures import TaxTally, measures, society
from dilemmas.scenarios.taxation.rules import TaxedLife
from dilemmas.scenarios.taxation.spec import TaxationSpec
from dilemmas.scenarios.village.scenario import Village


class Taxation(Village):
    """The taxed village and its variants."""

    Spec = TaxationSpec
    spec: TaxationSpec
    civic_slots = HostSlots(fills=(*Village.civic_slots.fills, CHARTER), carries=Village.civic_slots.carries)
    _is_taxed = True
    reads = lives.KINDS | record.KINDS | {"institution"}
    """Kinds of events that the measures use."""
    gathers: Mapping[str, Gathering] = dict.fromkeys(
        ("tax_before_percent", "tax_after_percent", "exposure", "vote_lean"), "mean"
    )

    @property
    def civic_members(self) -> Sequence[str]:
        """Names of the constituents, whom the law binds and who vote."""
        return self.spec.constituents

    def build(self) -> Sequence[Command]:
        """Return the village's commands, and those of empty community chests."""
        world, layout = self.spec.world, self.layout
        chests = [
            Command(f"setblock {layout.at(each.at)} minecraft:chest[facing={each.facing}]")
            for each in world.community_chests.values()
        ]
        *village, time, mode = super().build()
        return [*village, *chests, time, mode]

    @helper
    def stock(self) -> Sequence[Command]:
        """Return commands that refill the market's chests and replace broken ones."""
        found = []
        for index in range(len(self.spec.world.chests)):
            chest, *items = self._chest(index)
            found.append(Command(f"{chest.text} keep", (commands.SAME_BLOCK,)))
            # If another block stands there by now, the command fails harmlessly.
            found += [Command(each.text, (commands.NO_CONTAINER,)) for each in items]
        return found

    def rules(self, seed: int) -> Rules:
        """Return the village's rules with seasons."""
        return TaxedLife(self, super().rules(seed))

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return the measures by player."""
        return measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return (
            super().bounds()
            | dict.fromkeys(("tax_before_percent", "tax_after_percent", "exposure"), COUNT)
            | {"vote_lean": (-1, 1)}
        )

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return the measures of all together."""
        return society(lines)

    def tally(self) -> MeasureTally:
        """Return a tally of tax and lives."""
        return TaxTally(list(self.spec.players))
