"""Errors of the agents room, grouped by audience.

AgentError
    ObservationError    an observation has a forbidden or missing field (a bug in the caller)
    PlayerError         a reference player cannot play this: unknown kind, no typed terms, no facts
    PromptError         a prompt file has an unknown or missing placeholder (a bug, found when prompts are loaded)
    IndexUnusable       an index of texts cannot be used; one line with the fix
        IndexBusy       another process is writing the index
    PersonaError        a persona, or a file of personas, is invalid
    WiringError         a mind's modules do not fit together, or one breaks its declaration
    SkillError          a skill or a skill library is invalid or is refused
    BudgetError         a budget is invalid
    BudgetExhausted     a budget is used up: the run stops with all finished work kept, and can be resumed
    ReplyError          a model's answer is malformed; `code` names the fault, the text corrects the model
    ModelError          a model cannot be used; one line with the fix (no key, dead URL, unknown name, timeout)
        ModelBlocked    calls to remote models are forbidden (tests)
        QuotaExhausted  the provider's quota is used up; waiting does not help
        ScriptExhausted a scripted model has no answer left
"""

from __future__ import annotations

from collections.abc import Iterable


class AgentError(Exception):
    """Base class of all errors that the agents room raises."""


class ObservationError(AgentError):
    """A forbidden or missing field of an observation."""


class PlayerError(AgentError):
    """A reference player cannot play this scenario."""


class PromptError(AgentError):
    """A prompt file and its declared placeholders disagree."""


class IndexUnusable(AgentError):
    """An index is missing, broken, or belongs to another embedding or process; `str(error)` names the fix."""


class IndexBusy(IndexUnusable):
    """Another process is writing the index."""


class PersonaError(AgentError):
    """An invalid persona; one line that names it."""


class WiringError(AgentError):
    """Modules that do not fit together; one line that names them."""


class SkillError(AgentError):
    """An invalid skill or library file; one line that names it."""


class BudgetError(AgentError):
    """An invalid cap; one line for the operator."""


class BudgetExhausted(AgentError):
    """A budget is used up; the run stops and can be resumed with a larger one."""


class ReplyError(AgentError):
    """A malformed answer of a model; the text is sent back to the model as the correction."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class ModelError(AgentError):
    """A model cannot be used; `str(error)` is one line for the operator."""


class ModelBlocked(ModelError):
    """Calls to remote models are forbidden."""


class QuotaExhausted(ModelError):
    """The provider's quota is used up; the run stops and can be resumed."""


class ToolsRefused(ModelError):
    """An endpoint takes no tools."""


class ImagesRefused(ModelError):
    """An endpoint takes no images."""


class ScriptExhausted(ModelError):
    """A scripted model has no answer left."""


def did_you_mean(name: str, legal: Iterable[str]) -> str:
    """Return " (did you mean 'NAME'?)" with the legal name closest to `name`; empty if none is close."""
    import difflib

    close = difflib.get_close_matches(name, list(legal), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
