"""What agents may call: the names of the control primitives, as they lie in `skills_js/primitives`."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent.parent / "skills_js" / "primitives"
CALLABLE = frozenset(path.stem for path in FOLDER.glob("*.js") if path.stem != "index")
"""Names that a call may have."""
