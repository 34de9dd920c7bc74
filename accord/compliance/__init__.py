"""Compliance checks of everything added to Accord: `accord check` runs them on plugins, tests on Accord's own parts."""

from __future__ import annotations

from accord.compliance.finding import ComplianceFinding
from accord.compliance.suite import KINDS, check, check_plugin

__all__ = ["KINDS", "ComplianceFinding", "check", "check_plugin"]
