"""Devices of games that are given by their payoffs: a mediator, and commitments that read each other.

The scenario changes its game by them (`voyager_agents.stage_games.derived`), so that players read the game that they
are paid for. The parts tell after each round what the device did for whom.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from contracts.institutions.frame import Desk, InstitutionPart, PartSettings, Slot


@dataclass(frozen=True)
class CarriedChoice:
    """Choice of a player in the last round, and what was carried out."""

    player: str
    option: str
    carried: str
    """Option of the game that counted."""


CHOICES: Slot[tuple[CarriedChoice, ...]] = Slot("choices", "choices in the last round of a game of payoffs", ())
DEVICE: Slot[str] = Slot("device", "the device by which a game of payoffs is played", "")


class MediatorSettings(PartSettings):
    """Settings of a mediator."""

    together: str | None = None
    """Option for each delegator if enough players delegate; None for the most cooperative one."""
    otherwise: str | None = None
    """Option for each delegator if too few delegate; None for the most selfish one."""
    quorum: int | None = Field(default=None, ge=1)
    """Number of delegators that is enough; None for all players."""


class CommitmentSettings(PartSettings):
    """Settings of commitments."""

    programs: dict[str, str] | None = Field(default=None, min_length=1, max_length=6)
    """Option -> its program (`contracts.commitments`), the most cooperative one first; None for `fair` and `clique`."""


class _GameDevice(InstitutionPart):
    """A device that the scenario builds into its game."""

    reads = (CHOICES,)
    writes = (DEVICE,)

    async def step(self, desk: Desk) -> None:
        """Tell whose choice was carried out as another one."""
        desk.put(DEVICE, self.name)
        for each in desk.read(CHOICES):
            if each.carried != each.option:
                desk.tell(
                    "carried_out", each.player, f"it chose {each.option}", option=each.option, carried=each.carried
                )


class MediatorPart(_GameDevice):
    """A mediator that chooses for all players that delegate to it."""

    name = "mediator"
    Settings = MediatorSettings


class CommitmentsPart(_GameDevice):
    """Published programs that read each other and choose for their players."""

    name = "commitments"
    Settings = CommitmentSettings
