"""Places of a model's reasoning in its answer."""

from __future__ import annotations

from typing import Literal

Reasoning = Literal["field", "none", "free"]
"""`field`: a field of the answer before the decision. `none`: nowhere. `free`: text before the answer."""
