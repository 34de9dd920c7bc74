"""Retry policy of failed calls: wait and repeat, or report to the operator in one line.

Overload (429 and 5xx) and faults of an endpoint that has worked before are retried, after the server's own hint if it
gives one; they never end an agent. A used-up quota and permanent errors are not retried.
"""

from __future__ import annotations

import email.utils
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import openai

from voyager_agents.models.watching import Retrying

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
PATIENCE_S = 900.0
"""Maximum seconds of waiting for an overloaded endpoint, per completion."""
UNKNOWN_TRIES = 3
"""Maximum tries while the endpoint has never answered, so that a wrong URL is reported soon."""
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
URL_REMEDY = "check --base-url, it has to be an OpenAI one"


class Malformed(Exception):
    """An answer that is not a completion; the text names the fault, `remedy` the fix."""

    def __init__(self, text: str, remedy: str = URL_REMEDY) -> None:
        super().__init__(text)
        self.remedy = remedy


class ErrorBody(Malformed):
    """An error sent with status 200; `code` is the endpoint's own, often the intended status."""

    def __init__(self, text: str, code: int | str | None) -> None:
        shown = "" if code is None else f" (code {one_line(str(code))[:40]})"
        super().__init__(
            f"answered status 200 with an error in it{shown}: {text}", "check the model's name and the key"
        )
        self.code = code


@dataclass
class Patience:
    """Retry state of one completion."""

    known: Callable[[], bool]
    """True once the endpoint has returned a completion."""
    jitter: random.Random
    patience_s: float = PATIENCE_S
    tries: int = 0
    waited_s: float = 0.0

    def pause(self, error: Exception, timeout_s: float) -> float | None:
        """Return the seconds to wait before the next try; None to give up."""
        self.tries += 1
        if isinstance(error, openai.APITimeoutError):
            self.waited_s += timeout_s
        if not self._worth(error):
            return None
        pause = self._hint(error)
        if pause is None:
            # Jitter keeps agents that were refused together from retrying together.
            pause = min(FIRST_PAUSE_S * 2.0 ** (self.tries - 1), LONGEST_PAUSE_S) * self.jitter.uniform(0.75, 1.25)
        self.waited_s += pause
        return pause

    def _worth(self, error: Exception) -> bool:
        if is_overload(error) or (self._trouble(error) and self.known()):
            return self.waited_s < self.patience_s
        return self._trouble(error) and self.tries < UNKNOWN_TRIES

    @staticmethod
    def _trouble(error: Exception) -> bool:
        if isinstance(error, ErrorBody):
            return status_of(error) is None and not is_quota(error)
        return isinstance(error, Malformed | openai.APIConnectionError)

    @staticmethod
    def _hint(error: Exception) -> float | None:
        """Return the pause that the server asks for in seconds, within sensible bounds."""
        if not isinstance(error, openai.APIStatusError):
            return None
        headers = error.response.headers
        milliseconds, after = _number(headers.get("retry-after-ms", "")), headers.get("retry-after", "")
        seconds = milliseconds / 1000 if milliseconds is not None else _number(after)
        if seconds is None and after:
            seconds = _until(after)
        return None if seconds is None else min(seconds, LONGEST_PAUSE_S)


def status_of(error: Exception) -> int | None:
    """Return the HTTP status of an error, or the status given in its body; None if there is none."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code
    code = error.code if isinstance(error, ErrorBody) else None
    if isinstance(code, str) and re.fullmatch("[45][0-9]{2}", code):
        code = int(code)
    return code if isinstance(code, int) and 400 <= code <= 599 else None


def is_overload(error: Exception) -> bool:
    """Return True if waiting may help: the endpoint is overloaded or has a fault of its own."""
    status = status_of(error)
    return status is not None and not is_quota(error) and (status in (408, 409, 429) or status >= 500)


def is_quota(error: Exception) -> bool:
    """Return True if the provider's quota is used up."""
    code = error.code if isinstance(error, openai.APIStatusError | ErrorBody) else None
    return status_of(error) == 402 or code in _QUOTA_CODES


def one_line(text: str) -> str:
    """Return a foreign text as one line of at most 200 characters."""
    return " ".join(text[:2000].split())[:200] or "no reason given"


def reason(error: Exception, timeout_s: float) -> str:
    """Return the fault of a try in a few words."""
    match error:
        case openai.APIStatusError():
            return str(error.status_code)
        case openai.APITimeoutError():
            return f"no answer within {timeout_s:g} s"
        case openai.APIConnectionError():
            return "no connection"
        case ErrorBody():
            return str(status_of(error) or "an error under status 200")
        case Malformed():
            return "no completion"
    return type(error).__name__


def retrying(model: str, error: Exception, timeout_s: float, pause_s: float, tries: int) -> Retrying:
    """Return the event of a failed try that is repeated after a pause.

    Args:
        model: Name of the model.
        error: The error of the try.
        timeout_s: Time limit of a try, in seconds.
        pause_s: Pause before the next try, in seconds.
        tries: Number of tries so far.
    """
    return Retrying(model, reason(error, timeout_s), is_overload(error), status_of(error) == 429, pause_s, tries)


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _until(date: str) -> float | None:
    """Return the seconds until an HTTP date."""
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
