"""Faces of the core: PettingZoo's here, text in `grid_games.text`; the batched arrays are the core's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grid_games.loader import load
from grid_games.spec import GridGame

if TYPE_CHECKING:
    from grid_games.faces.parallel import GridParallel


def parallel_env(game: GridGame | str, *variants: str, seed: int = 0, **changes: object) -> GridParallel:
    """Return a PettingZoo `ParallelEnv` of a game, by name with variants and changes as `load` takes them, or ready
    made.

    Raises ImportError, naming the extra, where PettingZoo is not installed.
    """
    try:
        from grid_games.faces.parallel import GridParallel
    except ImportError as error:
        raise ImportError(
            f"the PettingZoo face needs {error.name}: install the extra with pip install 'accord-mc[rl]'"
        ) from error
    return GridParallel(load(game, *variants, **changes) if isinstance(game, str) else game, seed=seed)


__all__ = ["parallel_env"]
