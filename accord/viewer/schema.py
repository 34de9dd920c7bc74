"""Tables of an index. A new VERSION causes older indexes to be rebuilt."""

from __future__ import annotations

from collections.abc import Mapping

from accord.viewer.scene_builder import ActSpan, BlockChange, CallMark, Figure, TimelineMark, Word

VERSION = 7
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunks (n INTEGER PRIMARY KEY, at REAL NOT NULL, until REAL NOT NULL, body BLOB NOT NULL);
CREATE TABLE words (id INTEGER PRIMARY KEY, at REAL, kind TEXT, speaker TEXT, receiver TEXT, text TEXT,
                    offset INTEGER, length INTEGER);
CREATE INDEX words_at ON words (at);
CREATE TABLE marks (id INTEGER PRIMARY KEY, at REAL, kind TEXT, player TEXT, text TEXT, offset INTEGER, length INTEGER);
CREATE TABLE deeds (id INTEGER PRIMARY KEY, player TEXT, at REAL, until REAL, label TEXT, ok INTEGER);
CREATE INDEX deeds_of ON deeds (player, until);
CREATE TABLE figures (id INTEGER PRIMARY KEY, name TEXT, at REAL, value REAL);
CREATE INDEX figures_of ON figures (name, at);
CREATE TABLE blocks (id INTEGER PRIMARY KEY, at REAL, x INTEGER, y INTEGER, z INTEGER, block TEXT);
CREATE TABLE asked (player TEXT, role TEXT, number INTEGER, at REAL);
CREATE INDEX asked_of ON asked (player, role, number);
CREATE TABLE calls (id INTEGER PRIMARY KEY, player TEXT, role TEXT, number INTEGER, model TEXT, episode INTEGER,
                    tokens INTEGER, usd REAL, wall_ms REAL, error TEXT, offset INTEGER UNIQUE, length INTEGER);
"""
INSERTS: Mapping[type, str] = {
    Word: "INSERT INTO words (at, kind, speaker, receiver, text, offset, length) VALUES (?, ?, ?, ?, ?, ?, ?)",
    TimelineMark: "INSERT INTO marks (at, kind, player, text, offset, length) VALUES (?, ?, ?, ?, ?, ?)",
    ActSpan: "INSERT INTO deeds (player, at, until, label, ok) VALUES (?, ?, ?, ?, ?)",
    Figure: "INSERT INTO figures (name, at, value) VALUES (?, ?, ?)",
    BlockChange: "INSERT INTO blocks (at, x, y, z, block) VALUES (?, ?, ?, ?, ?)",
    CallMark: "INSERT INTO asked (player, role, number, at) VALUES (?, ?, ?, ?)",
}
"""Type of row -> its INSERT statement."""
CALL = (
    "INSERT OR IGNORE INTO calls (player, role, number, model, episode, tokens, usd, wall_ms, error, offset, length) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
