"""Learning curves: scores over the steps of training, written by a learner beside its policy, read by reports."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from grid_games.errors import GridError

HEAD = ("learner", "game", "structure", "social", "seed", "steps", "mean_return", "score")
MAX_BYTES = 1 << 25
"""Maximum size of a file."""
MAX_STEPS = 10**15
SUFFIX = ".curve.csv"


@dataclass(frozen=True)
class CurvePoint:
    """Result of the episodes of one round of training."""

    steps: int
    """Environment steps until then."""
    mean_return: float
    """Sum of an agent's rewards in an episode, mean of agents and episodes."""
    score: float
    """`mean_return` over an agent's part of the oracle's total (`grid_games.measures.score`)."""


@dataclass(frozen=True)
class LearningCurve:
    """Training of one policy with one seed."""

    learner: str
    """Name of the algorithm, as the paper has it: PPO, RecPPO."""
    game: str
    """Name of the game, with its variants after plus signs."""
    structure: str
    """Social structure that was set; empty for the game's own."""
    social: str
    """One of `common.policy_file.MANNERS`."""
    seed: int
    points: tuple[CurvePoint, ...]


def curve_file(policy: Path) -> Path:
    """Return the place of the learning curve of a policy's file."""
    return policy.with_suffix(SUFFIX)


def curve_rows(curves: Iterable[LearningCurve]) -> Iterable[Sequence[object]]:
    """Yield the rows of a table with the columns `HEAD`."""
    for each in curves:
        for point in each.points:
            yield each.learner, each.game, each.structure, each.social, each.seed, *astuple(point)


def write_curves(path: Path, curves: Iterable[LearningCurve]) -> None:
    """Write curves as CSV.

    Args:
        path: The file, which is overwritten.
        curves: Curves of any number of seeds.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(curve_rows(curves))
    path.write_text(text.getvalue(), encoding="utf-8")


def read_curves(path: Path) -> list[LearningCurve]:
    """Return the curves in a file.

    Args:
        path: A file that `write_curves` wrote.

    Raises:
        GridError: The file cannot be read, is too large, or holds no learning curve.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise GridError(f"{path}: is larger than {MAX_BYTES >> 20} MB; give the curve that a learner wrote")
        lines = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GridError(f"{path}: cannot be read ({error}); give the curve that a learner wrote") from None
    if not lines or tuple(lines[0]) != HEAD or len(lines) == 1:
        raise GridError(f"{path}: is no learning curve; its first line has to be {','.join(HEAD)}, with rows below it")
    found: dict[tuple[str, str, str, str, int], list[CurvePoint]] = {}
    for number, row in enumerate(lines[1:], 2):
        try:
            learner, game, structure, social, seed, steps, mean_return, score = row
            point = CurvePoint(int(steps), float(mean_return), float(score))
            points = found.setdefault((learner, game, structure, social, int(seed)), [])
        except ValueError:
            raise GridError(
                f"{path}, line {number}: {','.join(row)!r} is no point; it takes {', '.join(HEAD)}"
            ) from None
        if not (math.isfinite(point.mean_return) and math.isfinite(point.score)):
            raise GridError(f"{path}, line {number}: a return has to be a finite number, not {mean_return}, {score}")
        if not 0 <= point.steps <= MAX_STEPS:
            raise GridError(f"{path}, line {number}: {steps[:20]} steps are not legal; give 0 to {MAX_STEPS}")
        if points and point.steps <= points[-1].steps:
            raise GridError(f"{path}, line {number}: {steps} steps do not follow the row before; give each seed once")
        points.append(point)
    return [LearningCurve(*key, tuple(points)) for key, points in found.items()]
