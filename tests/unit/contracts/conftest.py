"""Helpers are imported as `tests.unit...`, from wherever pytest was called."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
