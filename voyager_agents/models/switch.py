"""The global switch that forbids real model calls; tests switch it off, so that no test can cost or leak anything."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from voyager_agents.errors import ModelBlocked
from voyager_agents.models.watching import Blocked, tell

VARIABLE = "ACCORD_ALLOW_MODEL_REQUESTS"
"""Environment variable; `0` forbids every model that is not on this machine."""
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def is_local(base_url: str | None) -> bool:
    """Return whether that URL is on this machine (no URL: the provider's own, which is not)."""
    return base_url is not None and urlsplit(base_url).hostname in _LOOPBACK


def require_permission(base_url: str | None) -> None:
    """Raise ModelBlocked when calls to that endpoint are switched off."""
    if os.environ.get(VARIABLE, "1") == "0" and not is_local(base_url):
        why = (
            f"model requests are switched off ({VARIABLE}=0): unset it, or use a model on this machine with --base-url"
        )
        tell(Blocked(why))
        raise ModelBlocked(why)
