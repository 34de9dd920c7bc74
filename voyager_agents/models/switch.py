"""Global switch that forbids calls to remote models; tests set it so that no test costs money or leaks data."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from voyager_agents.errors import ModelBlocked
from voyager_agents.models.watching import Blocked, tell

VARIABLE = "ACCORD_ALLOW_MODEL_REQUESTS"
"""Environment variable; `0` forbids all models that are not on this machine."""
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def is_local(base_url: str | None) -> bool:
    """Return True for a loopback URL; None means the provider's own URL, which is remote."""
    return base_url is not None and urlsplit(base_url).hostname in _LOOPBACK


def require_permission(base_url: str | None) -> None:
    """Raise ModelBlocked if calls to this endpoint are forbidden."""
    if os.environ.get(VARIABLE, "1") == "0" and not is_local(base_url):
        why = (
            f"model requests are switched off ({VARIABLE}=0): unset it, or use a model on this machine with --base-url"
        )
        tell(Blocked(why))
        raise ModelBlocked(why)
