"""Type aliases of arrays.

Letters of shapes: B environments, N agents, R resources, C cells, E events, G groups, A actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]
"""Indices, and counts used as indices."""
Cells = npt.NDArray[np.int16]
"""Layers of map cells."""
Counts = npt.NDArray[np.int32]
"""Inventories and bit masks."""
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Inputs = npt.NDArray[np.float32]
"""Inputs and activations of learned policies."""
Keys = npt.NDArray[np.uint64]
Array = npt.NDArray[Any]
"""Array of any numeric type."""
Parts = dict[str, Array]
"""Name -> array of an observation's part."""
