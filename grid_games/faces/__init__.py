"""Interfaces of the core: PettingZoo here, text in `grid_games.text`; the array interface is the core's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grid_games.loader import load
from grid_games.spec import GridGame

if TYPE_CHECKING:
    from grid_games.faces.parallel import GridParallel


def parallel_env(game: GridGame | str, *variants: str, seed: int = 0, **changes: object) -> GridParallel:
    """Return a PettingZoo `ParallelEnv` of a game, given as a `GridGame` or as the arguments of `load`.

    Raises ImportError, naming the extra, if PettingZoo is not installed.
    """
    try:
        from grid_games.faces.parallel import GridParallel
    except ImportError as error:
        raise ImportError(
            f"the PettingZoo face needs {error.name}: install the extra with pip install 'accord-mc[rl]'"
        ) from error
    return GridParallel(load(game, *variants, **changes) if isinstance(game, str) else game, seed=seed)


__all__ = ["parallel_env"]
