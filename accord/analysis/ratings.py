"""Ratings of finished records by models, kept beside each record: `RUN/ratings/MODEL-seed-N-HASH.json`.

The log of the record never changes. Ratings are used again while rater, seed, sampling, prompts and log are the same.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from accord.analysis.words.kept import WordsRead
from common.plain_files import is_folder, make_folder, read_text
from common.segments import raw_lines
from dilemmas.errors import RecordError
from dilemmas.records.events import LifeRated, SummariesRated, TopicsNamed
from dilemmas.records.record import to_json, write_atomically
from dilemmas.records.results import finite_json
from dilemmas.scenarios.compliance import ComplianceRated

FOLDER = "ratings"
MAX_BYTES = 32 << 20
"""Maximum size of a file of ratings."""
MAX_SCORE = 10
MAX_STEM = 60
"""Maximum number of characters of a model's name in the name of a file."""
Rating = Annotated[LifeRated | SummariesRated | TopicsNamed | WordsRead | ComplianceRated, Field(discriminator="kind")]
Subject = Literal["lives", "words"]
"""Subject of a rater: lives with their thoughts and goals, or statements in players' words."""


@dataclass(frozen=True)
class Rater:
    """A model that rates finished records, asked with one seed."""

    model: str
    """Spec of the model, such as `openai/NAME`."""
    seed: int = 0
    of: Subject = "lives"

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.model}, seed {self.seed}" if self.seed else self.model

    @property
    def file(self) -> str:
        """Name of its file of ratings: letters, digits and a hash, so that no model leads out of the folder."""
        stem = re.sub(r"[^A-Za-z0-9]+", "-", self.model).strip("-")[:MAX_STEM]
        digits = hashlib.sha256(self.model.encode()).hexdigest()[:8]
        return f"{'words-' if self.of == 'words' else ''}{stem}-seed-{self.seed}-{digits}.json"


class RecordRatings(BaseModel):
    """Ratings of one record by one rater."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    seed: int
    sampling: dict[str, Any]
    """Sampling settings of its calls."""
    prompts: dict[str, str]
    """Prompt -> SHA-256 of its text."""
    log: str
    """SHA-256 of the log's lines."""
    events: list[Rating]
    answered: dict[str, int] = {}
    """Model of a cascade -> number of questions whose answer is its own; empty for a rater of one model."""

    @field_validator("events")
    @classmethod
    def _check_scores(cls, events: list[Rating]) -> list[Rating]:
        """Refuse scores outside 0 to 10, which no rater can give."""
        scores = [each.score for told in events if isinstance(told, SummariesRated) for each in told.scores]
        if not all(score is None or 0 <= score <= MAX_SCORE for score in scores):
            raise ValueError("a score is not from 0 to 10")
        return events

    def fits(self, other: RecordRatings) -> bool:
        """Return True if both are by the same rater, asked alike, of the same log."""
        found: dict[str, Any] = {"events": [], "answered": {}}
        return self.model_copy(update=found) == other.model_copy(update=found)


def log_hash(log: Path) -> str:
    """Return the SHA-256 of a log's lines, packed or not. Raises RecordError."""
    found = hashlib.sha256()
    try:
        for line in raw_lines(log):
            found.update(line)
    except OSError as error:
        raise RecordError(f"cannot read {log}: {error.strerror}; give the directory of a run") from None
    return found.hexdigest()


def read_ratings(directory: Path, rater: Rater) -> RecordRatings | None:
    """Return the kept ratings of a record, or None without any that can be read.

    Args:
        directory: Directory of the run.
        rater: The rater.
    """
    if not is_folder(directory / FOLDER):
        return None
    try:
        return RecordRatings.model_validate(finite_json(read_text(directory / FOLDER / rater.file, MAX_BYTES)))
    except (OSError, ValueError, RecursionError):
        return None


def write_ratings(directory: Path, rater: Rater, ratings: RecordRatings) -> None:
    """Keep ratings beside a record.

    Args:
        directory: Directory of the run.
        rater: The rater.
        ratings: Its ratings.

    Raises:
        RecordError: The file cannot be written.
    """
    folder = directory / FOLDER
    try:
        make_folder(folder, directory)
        write_atomically(folder / rater.file, to_json(ratings.model_dump(mode="json")))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RecordError(f"cannot write ratings to {folder}: {reason}; make room for them") from None
