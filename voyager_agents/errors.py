"""Errors of the agents room, by audience.

AgentError
    ObservationError    a scenario offered an agent what it may not see, or not enough (a bug in the caller)
    PlayerError         a reference player cannot play this: unknown kind, no typed terms, no facts
    PromptError         a prompt file has an unknown or missing placeholder (a bug, found when prompts are loaded)
    IndexUnusable       an index of texts cannot be used as asked; one line that says what to do
        IndexBusy       another process writes it
    PersonaError        a persona, or a file of them, that is not what it has to be
    WiringError         modules of a mind that do not fit together, or one that does what it has not declared
    SkillError          a skill or a skill library that is none, or may not be taken in
    BudgetError         a budget that is no budget
    BudgetExhausted     a budget is used up: the run stops, complete as far as it went, and can be resumed
    ReplyError          a model's answer has not the agreed form; `code` names what is wrong, the text tells the model
    ModelError          a model cannot be used; one line that says what to do (no key, dead URL, unknown name, time-out)
        ModelBlocked    real model calls are switched off (tests)
        QuotaExhausted  the provider's quota is used up: waiting does not help
        ScriptExhausted a scripted model was asked more often than its script answers
"""

from __future__ import annotations

from collections.abc import Iterable


class AgentError(Exception):
    """Base of everything that the agents room raises."""


class ObservationError(AgentError):
    """Something outside the permitted observations, or one that is missing."""


class PlayerError(AgentError):
    """A reference player cannot play this."""


class PromptError(AgentError):
    """A prompt file and its declared placeholders do not agree."""


class IndexUnusable(AgentError):
    """An index is missing, broken, another embedding's or another process's; `str(error)` names the fix."""


class IndexBusy(IndexUnusable):
    """Another process writes the index."""


class PersonaError(AgentError):
    """A persona that is not what it has to be; one line that names it."""


class WiringError(AgentError):
    """Modules that do not fit together; one line that names them."""


class SkillError(AgentError):
    """A skill, or a file of a library, that is not what it has to be; one line that names it."""


class BudgetError(AgentError):
    """A cap that is not legal; one line for the operator."""


class BudgetExhausted(AgentError):
    """A budget is used up; the run has to stop and can be resumed with a larger one."""


class ReplyError(AgentError):
    """A model's answer is not of the agreed form; the text is what the model is told."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class ModelError(AgentError):
    """A model cannot be used; `str(error)` is one line for the operator."""


class ModelBlocked(ModelError):
    """Real model calls are switched off."""


class QuotaExhausted(ModelError):
    """The provider's quota is used up; the run has to stop and can be resumed."""


class ScriptExhausted(ModelError):
    """A scripted model has no answer left."""


def did_you_mean(name: str, legal: Iterable[str]) -> str:
    """Return " (did you mean 'NAME'?)" with the legal name that is most like `name`; empty where none is like it."""
    import difflib

    close = difflib.get_close_matches(name, list(legal), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
