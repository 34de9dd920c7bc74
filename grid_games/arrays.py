"""Names of the array types.

Letters of shapes: B environments, N agents, R resources, C cells, E events, G groups, A actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]
"""Indices and counts that index."""
Cells = npt.NDArray[np.int16]
"""Kinds of things on the map."""
Counts = npt.NDArray[np.int32]
"""Inventories and bits."""
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Inputs = npt.NDArray[np.float32]
"""Inputs and activations of learned policies."""
Keys = npt.NDArray[np.uint64]
Array = npt.NDArray[Any]
"""Numbers of any kind."""
Parts = dict[str, Array]
"""Named parts of an observation."""
