"""What must hold of whatever is added to Accord: `accord check` runs it on plugins, and the tests on Accord's own."""

from __future__ import annotations

from accord.compliance.finding import ComplianceFinding
from accord.compliance.suite import KINDS, check, check_plugin

__all__ = ["KINDS", "ComplianceFinding", "check", "check_plugin"]
