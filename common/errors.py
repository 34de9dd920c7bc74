"""Errors that any package may raise: something is missing, or a plugin is broken."""

from __future__ import annotations


class PrerequisiteError(Exception):
    """Something is missing on this machine; `str(error)` is one line with the command to run."""


class PluginError(PrerequisiteError):
    """A package that adds something to Accord is broken; `str(error)` is one line that names it."""
