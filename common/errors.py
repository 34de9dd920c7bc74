"""Errors that any package may raise: something is missing, a plugin is broken, or a policy's file is unusable."""

from __future__ import annotations


class PrerequisiteError(Exception):
    """Something is missing on this machine; `str(error)` is one line with the command to run."""


class PluginError(PrerequisiteError):
    """A package that adds something to Accord is broken; `str(error)` is one line that names it."""


class PolicyFileError(ValueError):
    """The file of a learned policy is unusable; `str(error)` is one line that names it."""
