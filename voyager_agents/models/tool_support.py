"""Support of an endpoint for tools, told by its refusals."""

from __future__ import annotations

from dataclasses import replace

from voyager_agents.models.base import NO_PARAMETERS, ChatMessage, Model, ModelTool, Settings

_REFUSED = frozenset({400, 404, 415, 422, 500, 501})
"""Statuses with which endpoints refuse tools."""
_WORDS = ("tool", "function call", "function_call")
"""Words of which an endpoint's refusal of tools has at least one, in lower case."""
NO_TOOLS = "leave out --act tools, or choose a model and an endpoint that take tools"
"""Remedy where tools are refused, for messages."""
READY = ModelTool("ready", "Say that you are ready.", NO_PARAMETERS)
"""Tool of the question that finds out if an endpoint takes tools."""


def refuses_tools(status: int, error: str) -> bool:
    """Return True if an endpoint's error refuses tools."""
    return status in _REFUSED and any(word in error.lower() for word in _WORDS)


async def calls_tools(model: Model, settings: Settings) -> bool:
    """Ask a model to call a tool, and return True if it does.

    Args:
        model: Model to ask.
        settings: Sampling settings, without tools.

    Raises:
        ToolsRefused: The endpoint takes no tools.
        ModelError: The call failed for another reason.
    """
    reply = await model.complete([ChatMessage("user", "Call the tool `ready`.")], replace(settings, tools=(READY,)))
    return [call.name for call in reply.calls] == [READY.name]
