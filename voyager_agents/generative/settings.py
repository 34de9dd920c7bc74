"""Settings of generative agents for perception, memory and council, validated at construction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import exp
from typing import Any

from contracts.institutions import InstitutionSettings, VotingRule
from voyager_agents.errors import AgentError

ROLES = ("act", "perceive", "plan", "reflect", "understand", "council", "reputation")
"""Roles of the models: one for each part of an agent, and one for the judge of its reputation."""
MODULES = ("understanding", "communication", "constitution", "reputation")
"""Modules proposed by Mosquera et al. (2024), section 7.2; each can be enabled separately."""
PERCEIVING = ("model", "rule")
"""Legal values of `perceive`."""
MAJORITIES = ("majority", "unanimity")
"""Legal values of `voting`."""
_AT_LEAST_ONE = (
    "attention", "reflect_every", "questions", "retrieved", "understand_every", "talk_every", "phases",
    "agreement_rounds", "longest_agreement", "open_proposals", "proposal_rounds", "rules", "rule_period",
)  # fmt: skip


IMPORTANCE = ("rated", "uniform")
"""Legal values of `importance`."""
ACT_FORMS = ("short", "paper")
"""Legal values of `act_form`."""
REPUTATIONS = ("counted", "judged")
"""Legal values of `reputation`."""
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "accord": {},
    "paper": {"importance": "uniform", "decay": exp(-1), "act_form": "paper", "reputation": "judged"},
}
"""Name -> settings that differ from the defaults. `paper` follows Mosquera et al. (2024), sections 4.2 and 7.2, and
appendix F; docs/generative-agents.md says where it departs."""
_WEIGHTS = ("similarity", "recency", "poignancy", "decay")
_TEXTS = ("perceive", "voting", "importance", "act_form", "reputation")


class GenerativeSettingsError(AgentError):
    """Illegal setting of generative agents; the message is one line with name, value and legal values."""


@dataclass(frozen=True)
class GenerativeSettings:
    """Settings of all generative agents of a run. Raises GenerativeSettingsError for an illegal value."""

    modules: tuple[str, ...] = ()
    """Enabled modules, from `MODULES`; empty for the architecture that the paper evaluates."""
    perceive: str = "model"
    """Source of poignancy ratings and reasons to replan: `model` (one call per turn) or `rule` (no call)."""
    attention: int = 10
    """Maximum number of visible things that are perceived, nearest first (the paper's attention bandwidth)."""
    similarity: float = 1.0
    """Weight of the similarity to the query in a memory's score; the paper gives no value."""
    recency: float = 1.0
    """Weight of recency in a memory's score; the paper gives no value."""
    poignancy: float = 1.0
    """Weight of poignancy in a memory's score; the paper gives no value."""
    importance: str = "rated"
    """Poignancy of memories: `rated` by the model or the rule, or `uniform`, which is 10 for all."""
    decay: float = 0.97
    """Decay factor per round: the recency of a memory is decay ** (rounds since it was stored)."""
    retrieved: int = 10
    """Number of memories retrieved for a reflection question or a plan."""
    reflect_every: int = 30
    """Number of observations between two reflections."""
    questions: int = 3
    """Number of questions in a reflection; each yields one insight."""
    react_at: int = 8
    """Minimum poignancy, 1 to 10, at which the rule makes an observation a reason to replan."""
    act_form: str = "short"
    """Reasoning in the answer of the act part: one text (`short`), or the paper's five (`paper`)."""
    understand_every: int = 5
    """Number of rounds between two searches for hypotheses about the world and other players."""
    confirmed_at: int = 3
    """Minimum support (evidence for, less twice the evidence against) of a confirmed hypothesis."""
    talk_every: int = 5
    """Number of rounds between meetings; the council meets before rounds 1, 1 + talk_every, ..."""
    phases: int = 2
    """Number of messages of each member in a meeting; messages of one phase are simultaneous."""
    agreement_rounds: int = 3
    """Minimum duration of an agreement, in rounds: a promise that costs nothing earns no reputation."""
    longest_agreement: int = 50
    """Maximum duration of an agreement, in rounds."""
    open_proposals: int = 3
    """Maximum number of open agreements and motions of one member."""
    proposal_rounds: int = 6
    """Number of rounds after which an unsettled proposal or motion lapses."""
    voting: str = "majority"
    """Votes that pass a rule: more than half of all members (`majority`), or all of them (`unanimity`)."""
    rules: int = 5
    """Maximum number of rules in force."""
    rule_period: int = 10
    """Length of a rule's period, in rounds; compliance and rewards are settled at its end."""
    highest_penalty: int = 10
    """Maximum penalty and reward of a rule, in apples."""
    reputation: str = "counted"
    """Source of reputation: `counted` from promises kept and broken, or `judged` by a model before each meeting."""

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
        texts = (PERCEIVING, MAJORITIES, IMPORTANCE, ACT_FORMS, REPUTATIONS)
        for name, legal in zip(_TEXTS, texts, strict=True):
            if getattr(self, name) not in legal:
                raise GenerativeSettingsError(f"{name}: {getattr(self, name)!r}: choose one of {', '.join(legal)}")
        if self.judges and "communication" not in self.modules:
            raise GenerativeSettingsError(
                "reputation: 'judged' comes from agreements alone: add communication to modules, or give counted"
            )
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
        """True if the enabled modules need a council."""
        return "communication" in self.modules or "constitution" in self.modules

    @property
    def judges(self) -> bool:
        """True if a model judges the members' reputation."""
        return "reputation" in self.modules and self.reputation == "judged"

    @property
    def roles(self) -> tuple[str, ...]:
        """Roles of the parts that ask a model."""
        used = {
            "perceive": self.perceive == "model",
            "understand": "understanding" in self.modules,
            "council": self.meets,
            "reputation": self.judges,
        }
        return tuple(role for role in ROLES if used.get(role, True))

    @property
    def prompts(self) -> dict[str, tuple[str, ...]]:
        """Names of the prompts of each role in `roles`."""
        chosen = {
            "act": ("act_weighed" if self.act_form == "paper" else "act",),
            "perceive": ("perceive_equal" if self.importance == "uniform" else "perceive",),
            "reflect": ("reflect_questions", "reflect_insights"),
        }
        return {role: chosen.get(role, (role,)) for role in self.roles}

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
            reputation="reputation" in self.modules and not self.judges,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON-compatible data, the inverse of `from_mapping`."""
        return {**asdict(self), "modules": list(self.modules)}

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> GenerativeSettings:
        """Parse the settings of a condition; they replace those of its `preset`, one of `PRESETS`.

        Raises:
            GenerativeSettingsError: A key is unknown or a value is illegal.
        """
        known = ["preset", *(each.name for each in fields(cls))]
        preset = data.get("preset", "accord")
        if preset not in PRESETS:
            raise GenerativeSettingsError(f"preset: {preset!r}: choose one of {', '.join(PRESETS)}")
        for key in data:
            if key not in known:
                raise GenerativeSettingsError(
                    f"{key}: unknown setting of generative agents: known are {', '.join(known)}"
                )
        read = {key: _read(key, value) for key, value in data.items() if key != "preset"}
        return cls(**{**PRESETS[preset], **read})


OPTIONS = ("preset", "embedding", *(each.name for each in fields(GenerativeSettings)))
"""Names of the agents' options."""


def _read(key: str, value: Any) -> Any:  # noqa: ANN401 - a value from YAML or the command line
    """Parse a setting's value: modules may be comma-separated text, numbers may be text."""
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
