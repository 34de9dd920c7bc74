"""Index in files, for any number of reading processes and one writing process.

A Chroma client does not see what another process writes: it counts the new records but finds the old ones. Therefore a
lock admits one writer or many readers, and a reader reopens the files after a write. The files are in a folder `data-N`
named by `state.json`, so that a rebuilt index replaces the old one atomically.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from chromadb.api.client import Client
from chromadb.api.models.Collection import Collection
from chromadb.errors import ChromaError

from voyager_agents.errors import IndexBusy, IndexUnusable
from voyager_agents.index import chroma
from voyager_agents.index.base import Embedding, IndexMatch, Record, Value, Vectors

NAME = "records"
_STATE, _TURNSTILE, _ACCESS, _WRITER = "state.json", ".turnstile", ".access", ".writer"


@dataclass(frozen=True)
class _State:
    folder: int
    """Number N in `data-N`."""
    writes: int
    """Number of writes so far; readers detect a change by it."""
    embedding: str
    dimension: int

    @classmethod
    def read(cls, directory: Path) -> _State:
        """Return the state in a directory. Raises OSError, or ValueError for an invalid file."""
        data = json.loads((directory / _STATE).read_text(encoding="utf-8"))
        if not isinstance(data, dict) or {key: type(value) for key, value in data.items()} != _SHAPE:
            raise ValueError("it is no state of an index")
        return cls(**data)

    def write(self, directory: Path) -> None:
        draft = directory / f"{_STATE}.{os.getpid()}"
        draft.write_text(json.dumps(asdict(self)), encoding="utf-8")
        draft.replace(directory / _STATE)

    def data(self, directory: Path) -> Path:
        return directory / f"data-{self.folder}"


_SHAPE = {"folder": int, "writes": int, "embedding": str, "dimension": int}


class StoredIndex:
    """Index in a directory, opened by `open_index`."""

    def __init__(self, directory: Path, embedding: Embedding, *, fix: str, write: bool) -> None:
        """Open the index; `fix` ends every error message about an unusable index."""
        self.embedding = embedding
        self._directory = directory
        self._fix = fix
        self._seen: _State | None = None
        self._client: Client | None = None
        self._collection: Collection | None = None
        self._writing: IO[bytes] | None = None
        if write:
            self._writing = _claim(directory)
        try:
            if write and not (directory / _STATE).exists():
                _make(directory, embedding)
            with self._reading():
                pass
        except BaseException:
            self.close()
            raise

    async def upsert(self, records: Sequence[Record]) -> None:
        """Insert or replace records."""
        if records:
            new = chroma.latest(records)
            vectors = await self.embedding.embed([record.text for record in new])
            with self._changing() as collection:
                chroma.upsert_records(collection, new, vectors)

    async def delete(self, ids: Sequence[str]) -> None:
        """Remove the records with these ids."""
        if ids:
            with self._changing() as collection:
                collection.delete(ids=list(ids))

    async def query(self, text: str, k: int, where: Mapping[str, Value] | None = None) -> list[IndexMatch]:
        """Return the `k` entries most similar to the text."""
        vectors = await self.embedding.embed([text])
        with self._reading() as collection:
            return chroma.nearest(collection, vectors[0], k, where)

    def count(self) -> int:
        """Return the number of records."""
        with self._reading() as collection:
            return collection.count()

    def records(self) -> list[Record]:
        """Return all records, ordered by id."""
        with self._reading() as collection:
            return chroma.all_records(collection)

    def close(self) -> None:
        """Release files and locks."""
        self._forget()
        if self._writing is not None:
            self._writing.close()
            self._writing = None

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Collection]:
        with self._access(fcntl.LOCK_SH):
            yield self._opened()

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Collection]:
        if self._writing is None:
            raise IndexUnusable(f"{self._directory}: the index was opened to be read")
        with self._access(fcntl.LOCK_EX):
            collection = self._opened()
            assert self._seen is not None
            # Announced before the write, so that readers reopen the files even if the writer dies midway.
            self._seen = _State(**{**asdict(self._seen), "writes": self._seen.writes + 1})
            self._seen.write(self._directory)
            yield collection

    @contextlib.contextmanager
    def _access(self, how: int) -> Iterator[None]:
        try:
            with _locked(self._directory, how):
                yield
        except (OSError, ValueError, ChromaError) as error:
            self._forget()
            if isinstance(error, FileNotFoundError):
                raise IndexUnusable(f"{self._directory}: there is no index: {self._fix}") from None
            why = " ".join(str(error).split())[:200]
            raise IndexUnusable(f"{self._directory}: the index cannot be read ({why}): {self._fix}") from None

    def _opened(self) -> Collection:
        state = _State.read(self._directory)
        if self._collection is None or state != self._seen:
            self._forget()
            self._check(state)
            data = state.data(self._directory)
            if not (data / "chroma.sqlite3").is_file():
                raise FileNotFoundError(data)
            self._client = chroma.open_client(data)
            self._collection = self._client.get_collection(NAME, embedding_function=None)
            self._seen = state
        return self._collection

    def _check(self, state: _State) -> None:
        asked = self.embedding
        if (state.embedding, state.dimension) != (asked.model, asked.dimension):
            raise IndexUnusable(
                f"{self._directory}: the index was made with the embedding {state.embedding} ({state.dimension} "
                f"numbers), not with {asked.model} ({asked.dimension}): use that embedding, or {self._fix}"
            )

    def _forget(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = self._collection = self._seen = None


async def rebuild(directory: Path, embedding: Embedding, records: Sequence[Record]) -> None:
    """Build a new index; see `rebuild_index`."""
    new = sorted(chroma.latest(records), key=lambda record: record.id)
    vectors = await embedding.embed([record.text for record in new]) if new else None
    with _claim(directory):
        _make(directory, embedding, new, vectors)


def _make(
    directory: Path, embedding: Embedding, records: Sequence[Record] = (), vectors: Vectors | None = None
) -> None:
    """Build a new index beside the old one, and replace the old one with it."""
    try:
        old = _State.read(directory)
    except (OSError, ValueError):
        old = _State(0, 0, "", 0)
    taken = [int(each.name[5:]) for each in directory.glob("data-*") if each.name[5:].isdigit()]
    new = _State(max([old.folder, *taken]) + 1, old.writes + 1, embedding.model, embedding.dimension)
    client = chroma.open_client(new.data(directory))
    try:
        collection = chroma.make_collection(client, NAME, embedding)
        if vectors is not None:
            chroma.upsert_records(collection, records, vectors)
    finally:
        client.close()
    with _locked(directory, fcntl.LOCK_EX):
        new.write(directory)
        for number in taken:
            shutil.rmtree(directory / f"data-{number}")


def _claim(directory: Path) -> IO[bytes]:
    """Return the write lock, held until the file is closed or the process ends. Raises IndexUnusable."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in (_TURNSTILE, _ACCESS):
            (directory / name).touch()
        file = (directory / _WRITER).open("wb")
    except OSError as error:
        raise IndexUnusable(f"{directory}: cannot be written ({error.strerror}): give another folder") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise IndexBusy(f"{directory}: another process writes this index: wait for its end, or end it") from None
    return file


@contextlib.contextmanager
def _locked(directory: Path, how: int) -> Iterator[None]:
    """Hold the lock for many readers or one writer.

    A writer blocks new readers at the turnstile, so that a stream of readers cannot starve it.
    """
    with (directory / _TURNSTILE).open("rb") as turnstile, (directory / _ACCESS).open("rb") as access:
        fcntl.flock(turnstile, how)
        fcntl.flock(access, how)
        if how == fcntl.LOCK_SH:
            turnstile.close()
        yield
