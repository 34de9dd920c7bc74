"""Model clients: one protocol, and a registry of kinds that are imported on first use."""

from __future__ import annotations

import importlib
from pathlib import Path

from voyager_agents.errors import ModelError
from voyager_agents.models.base import ChatMessage, Model, Reply, Settings, Usage
from voyager_agents.models.scripted import ScriptedModel

KINDS: dict[str, str] = {
    "openai": "voyager_agents.models.openai_chat:open_openai",
}
"""Kind -> "module:function"; the function is called with (name, base_url, api_key_file)."""


def open_model(spec: str, *, base_url: str | None = None, api_key_file: Path | None = None) -> Model:
    """Return the model of a spec such as `openai/gpt-4o`; the text after the first slash is the provider's model name.

    Raises ModelError for an unknown kind, a missing key, an unreadable key file, or an unusable base URL.
    """
    kind, slash, name = spec.partition("/")
    if kind not in KINDS or not slash or not name:
        legal = ", ".join(f"{each}/NAME" for each in sorted(KINDS))
        raise ModelError(f"unknown model {spec!r}: write {legal}, e.g. openai/gpt-4o")
    module, _, function = KINDS[kind].partition(":")
    try:
        opener = getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise ModelError(f"model kind {kind!r} needs the package {error.name!r}: pip install accord-mc") from None
    model: Model = opener(name, base_url=base_url, api_key_file=api_key_file)
    return model


__all__ = ["KINDS", "ChatMessage", "Model", "Reply", "ScriptedModel", "Settings", "Usage", "open_model"]
