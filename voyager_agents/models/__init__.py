"""Model clients: one protocol, and a registry of kinds that are imported on first use."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from voyager_agents.errors import ModelError
from voyager_agents.models.base import ChatMessage, Model, ModelTool, Reply, Settings, ToolCall, Usage
from voyager_agents.models.cascade import is_cascade, stages_of
from voyager_agents.models.scripted import ScriptedModel

if TYPE_CHECKING:
    from voyager_agents.models.local.settings import EngineOptions

KINDS: dict[str, str] = {
    "openai": "voyager_agents.models.openai_chat:open_openai",
    "learner": "voyager_agents.models.learner:open_learner",
}
"""Kind -> "module:function"; the function is called with (name, base_url, api_key_file)."""
LOCAL = "local"
"""Spec of the installed model on this machine; `local:FILE` for a GGUF file of the user's."""


def is_local(spec: str) -> bool:
    """Return whether a spec names a model that an engine on this machine computes."""
    return spec == LOCAL or spec.startswith(f"{LOCAL}:")


def is_model(spec: str) -> bool:
    """Return whether a text has the form of the spec of a model."""
    if is_cascade(spec):
        try:
            return all(map(is_model, stages_of(spec)))
        except ModelError:
            return False
    kind, _, name = spec.partition("/")
    return is_local(spec) or (kind in KINDS and bool(name))


def open_model(
    spec: str,
    *,
    base_url: str | None = None,
    api_key_file: Path | None = None,
    engine: EngineOptions | None = None,
) -> Model:
    """Return the model of a spec such as `openai/gpt-4o` or `local`.

    Args:
        spec: `local`, `local:FILE`, or a kind, a slash and the provider's model name.
        base_url: Endpoint of a model that is not local; None for the provider's own.
        api_key_file: File with the key of a model that is not local.
        engine: Options of a local model's engine; None for the defaults.

    Raises:
        ModelError: The kind is unknown, the key missing, the key file unreadable, or the base URL unusable; or the
            local engine or its weights are missing.
    """
    if is_local(spec):
        from voyager_agents.models.local.model import open_local

        return open_local(spec.partition(":")[2] or None, engine)
    if is_cascade(spec):
        raise ModelError(f"model {spec}: a cascade cannot be used here; give one model, e.g. {stages_of(spec)[0]}")
    kind, slash, name = spec.partition("/")
    if kind not in KINDS or not slash or not name:
        legal = ", ".join(
            [
                *(f"{each}/NAME" for each in sorted(KINDS) if each != "learner"),
                LOCAL,
                f"{LOCAL}:FILE.gguf",
                "cascade:SMALL::LARGE",
            ]
        )
        raise ModelError(f"unknown model {spec!r}: write {legal}, e.g. openai/gpt-4o")
    module, _, function = KINDS[kind].partition(":")
    try:
        opener = getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise ModelError(f"model kind {kind!r} needs the package {error.name!r}: pip install accord-mc") from None
    model: Model = opener(name, base_url=base_url, api_key_file=api_key_file)
    return model


__all__ = [
    "KINDS",
    "LOCAL",
    "ChatMessage",
    "Model",
    "ModelTool",
    "Reply",
    "ScriptedModel",
    "Settings",
    "ToolCall",
    "Usage",
    "is_local",
    "is_model",
    "open_model",
]
