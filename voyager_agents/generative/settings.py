"""Settings of generative agents: all numbers of perceiving, remembering and meeting, checked when made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from contracts.institutions import InstitutionSettings, VotingRule
from voyager_agents.errors import AgentError

MODULES = ("understanding", "communication", "constitution", "reputation")
"""Modules that Mosquera et al. (2024), section 7.2, propose; each can be switched on by itself."""
PERCEIVING = ("model", "rule")
MAJORITIES = ("majority", "unanimity")
_AT_LEAST_ONE = (
    "attention", "reflect_every", "questions", "retrieved", "understand_every", "talk_every", "phases",
    "agreement_rounds", "longest_agreement", "open_proposals", "proposal_rounds", "rules", "rule_period",
)  # fmt: skip


_WEIGHTS = ("similarity", "recency", "poignancy", "decay")
_TEXTS = ("perceive", "voting")


class GenerativeSettingsError(AgentError):
    """A setting of generative agents that is not legal; one line with name, value and what is legal."""


@dataclass(frozen=True)
class GenerativeSettings:
    """Raises GenerativeSettingsError for a value that is not legal."""

    modules: tuple[str, ...] = ()
    """Names from `MODULES`; none for the architecture that was studied."""
    perceive: str = "model"
    """Source of ratings and of reasons to react: the `model` (one call a turn) or the stated `rule` (none)."""
    attention: int = 10
    """Things in sight that get through, nearest first (the study's attention bandwidth)."""
    similarity: float = 1.0
    recency: float = 1.0
    poignancy: float = 1.0
    """Weights of the three parts of a memory's score; the study does not give its own."""
    decay: float = 0.97
    """A memory's recency after so many rounds is decay ** rounds."""
    retrieved: int = 10
    """Memories retrieved for a question or a plan."""
    reflect_every: int = 30
    """Observations perceived between two reflections."""
    questions: int = 3
    """Questions of a reflection; each gives one insight."""
    react_at: int = 8
    """By the rule: poignancy from which an observation is a reason to plan anew."""
    understand_every: int = 5
    """Rounds between two looks for rules of the world and of others."""
    confirmed_at: int = 3
    """Support (evidence for, less twice the evidence against) from which a hypothesis is held to be a rule."""
    talk_every: int = 5
    """The council meets before rounds 1, 1 + talk_every, ..."""
    phases: int = 2
    """Messages of each member in a meeting; those of a phase are written at the same time."""
    agreement_rounds: int = 3
    """Rounds that an agreement has to bind at least: a promise that costs nothing earns no reputation."""
    longest_agreement: int = 50
    open_proposals: int = 3
    """Agreements and motions that one member may have open at a time."""
    proposal_rounds: int = 6
    """Rounds after which a proposal or motion that was not settled lapses."""
    voting: str = "majority"
    """Majority that passes a rule: more than half of all members (`majority`), or all of them (`unanimity`)."""
    rules: int = 5
    """Rules in force at a time, at most."""
    rule_period: int = 10
    """Rounds after which a rule's rewards are settled and its keeping is counted."""
    highest_penalty: int = 10
    """Apples, of penalties and rewards."""

    def __post_init__(self) -> None:
        for module in self.modules:
            if module not in MODULES:
                raise GenerativeSettingsError(f"modules: {module!r} is unknown: choose from {', '.join(MODULES)}")
        if len(set(self.modules)) != len(self.modules):
            raise GenerativeSettingsError(f"modules: {list(self.modules)!r}: name each once")
        if "reputation" in self.modules and not self.meets:
            raise GenerativeSettingsError(
                "modules: 'reputation' comes from agreements and rules: add communication or constitution"
            )
        for name, legal in (("perceive", PERCEIVING), ("voting", MAJORITIES)):
            if getattr(self, name) not in legal:
                raise GenerativeSettingsError(f"{name}: {getattr(self, name)!r}: choose one of {', '.join(legal)}")
        self._check_numbers()

    def _check_numbers(self) -> None:
        for name in (*_AT_LEAST_ONE, "confirmed_at", "react_at", "highest_penalty"):
            value = getattr(self, name)
            least = 1 if name != "highest_penalty" else 0
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 10_000:
                raise GenerativeSettingsError(f"{name}: {value!r}: give a whole number from {least} to 10000")
        for name in _WEIGHTS[:3]:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
                raise GenerativeSettingsError(f"{name}: {value!r}: give a weight from 0 to 1000")
        if self.similarity + self.recency + self.poignancy <= 0:
            raise GenerativeSettingsError("similarity, recency, poignancy: all weights are 0: give one above 0")
        if isinstance(self.decay, bool) or not isinstance(self.decay, int | float) or not 0 < self.decay <= 1:
            raise GenerativeSettingsError(f"decay: {self.decay!r}: give a number above 0, at most 1")
        if self.longest_agreement < self.agreement_rounds:
            raise GenerativeSettingsError(
                f"longest_agreement: {self.longest_agreement}: give agreement_rounds ({self.agreement_rounds}) or more"
            )

    @property
    def meets(self) -> bool:
        """True if there is a council."""
        return "communication" in self.modules or "constitution" in self.modules

    @property
    def institutions(self) -> InstitutionSettings:
        """Return the settings of the council's institutions."""
        return InstitutionSettings(
            agreement_rounds=self.agreement_rounds,
            longest_agreement=self.longest_agreement,
            open_proposals=self.open_proposals,
            proposal_rounds=self.proposal_rounds,
            voting=VotingRule(self.voting),
            rules=self.rules,
            rule_period=self.rule_period,
            highest_penalty=self.highest_penalty,
            unit="apples",
            reputation="reputation" in self.modules,
        )

    def plain(self) -> dict[str, Any]:
        """For records; `from_mapping` takes it back."""
        return {**asdict(self), "modules": list(self.modules)}

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> GenerativeSettings:
        """Return the settings of a condition. Raises GenerativeSettingsError for an unknown key or an illegal value."""
        known = [each.name for each in fields(cls)]
        for key in data:
            if key not in known:
                raise GenerativeSettingsError(
                    f"{key}: unknown setting of generative agents: known are {', '.join(known)}"
                )
        read = {key: _read(key, value) for key, value in data.items()}
        return cls(**read)


def _read(key: str, value: Any) -> Any:  # noqa: ANN401 - what YAML or a command line gives
    """Return the value as the settings hold it: lists come as such or as text with commas, numbers as such or as
    text."""
    if key == "modules":
        parts = [each.strip() for each in value.split(",") if each.strip()] if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or not all(isinstance(each, str) for each in parts):
            raise GenerativeSettingsError(f"modules: {value!r}: give a list such as [communication, reputation]")
        return tuple(parts)
    if not isinstance(value, str) or key in _TEXTS:
        return value
    try:
        return float(value) if key in _WEIGHTS else int(value)
    except ValueError:
        raise GenerativeSettingsError(f"{key}: {value!r} is no number: give one") from None
