"""What to do about a call that failed: wait and ask again, or tell the operator in one line.

Overload (429 and 5xx) and trouble of an endpoint that has worked before are waited for with patience, by the server's
own hints where it gives some; they never end an agent. A used-up quota is not waited for, nor is what does not pass.
"""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import openai

from voyager_agents.models.watching import Retrying

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
PATIENCE_S = 900.0
"""Waiting for an overloaded endpoint, for one completion in all."""
UNKNOWN_TRIES = 3
"""Calls at most while the endpoint has never worked: a wrong URL has to be told soon."""
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


class Malformed(Exception):
    """The endpoint answered, but not with a completion; the text says with what."""


@dataclass
class Patience:
    """How far one completion has come with its tries."""

    known: Callable[[], bool]
    """Whether the endpoint has ever given a completion."""
    jitter: random.Random
    patience_s: float = PATIENCE_S
    tries: int = 0
    waited_s: float = 0.0

    def pause(self, error: Exception, timeout_s: float) -> float | None:
        """Seconds to wait before the next try; None when there should be none."""
        self.tries += 1
        if isinstance(error, openai.APITimeoutError):
            self.waited_s += timeout_s
        if not self._worth(error):
            return None
        pause = self._hint(error)
        if pause is None:
            # Agents that were refused together do not come back together.
            pause = min(FIRST_PAUSE_S * 2.0 ** (self.tries - 1), LONGEST_PAUSE_S) * self.jitter.uniform(0.75, 1.25)
        self.waited_s += pause
        return pause

    def _worth(self, error: Exception) -> bool:
        if is_overload(error) or (self._trouble(error) and self.known()):
            return self.waited_s < self.patience_s
        return self._trouble(error) and self.tries < UNKNOWN_TRIES

    @staticmethod
    def _trouble(error: Exception) -> bool:
        return isinstance(error, Malformed | openai.APIConnectionError)

    @staticmethod
    def _hint(error: Exception) -> float | None:
        """Seconds that the server asks to wait, as far as that is sensible."""
        if not isinstance(error, openai.APIStatusError):
            return None
        headers = error.response.headers
        milliseconds, after = _number(headers.get("retry-after-ms", "")), headers.get("retry-after", "")
        seconds = milliseconds / 1000 if milliseconds is not None else _number(after)
        if seconds is None and after:
            seconds = _until(after)
        return None if seconds is None else min(seconds, LONGEST_PAUSE_S)


def is_overload(error: Exception) -> bool:
    """Whether waiting may help: the endpoint is there and has too much to do, or trouble of its own."""
    if not isinstance(error, openai.APIStatusError) or is_quota(error):
        return False
    return error.status_code in (408, 409, 429) or error.status_code >= 500


def is_quota(error: Exception) -> bool:
    """Whether the money at the provider is used up."""
    return isinstance(error, openai.APIStatusError) and (error.status_code == 402 or error.code in _QUOTA_CODES)


def reason(error: Exception, timeout_s: float) -> str:
    """What went wrong with a try, in a few words."""
    match error:
        case openai.APIStatusError():
            return str(error.status_code)
        case openai.APITimeoutError():
            return f"no answer within {timeout_s:g} s"
        case openai.APIConnectionError():
            return "no connection"
        case Malformed():
            return "no completion"
    return type(error).__name__


def retrying(model: str, error: Exception, timeout_s: float, pause_s: float, tries: int) -> Retrying:
    """What is told of a try that failed and is repeated after that pause."""
    limited = isinstance(error, openai.APIStatusError) and error.status_code == 429
    return Retrying(model, reason(error, timeout_s), is_overload(error), limited, pause_s, tries)


def _number(text: str) -> float | None:
    return float(text) if text.replace(".", "", 1).isdigit() else None


def _until(date: str) -> float | None:
    """Seconds until an HTTP date."""
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - time.time())
    except ValueError:
        return None
