"""The fakes are imported as `tests.fakes`, from wherever pytest was called."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
