"""What must hold of whatever is added to Accord: `accord check` runs it on plugins, and the tests on Accord's own."""

from __future__ import annotations

from dilemmas.compliance.finding import Finding
from dilemmas.compliance.suite import KINDS, check, check_plugin

__all__ = ["KINDS", "Finding", "check", "check_plugin"]
