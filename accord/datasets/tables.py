"""Tables of a dataset: their columns with types, meanings and units. The version rises with every change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

DATASET_VERSION = 2
"""Version of the tables below."""
ColumnType = Literal["text", "json", "whole", "number", "flag", "texts", "messages"]
"""Type of a column. `json` is a text that holds JSON; `texts` is a list; `messages` are roles with contents."""
Row = dict[str, Any]
"""Column -> value; None for a value that is not known or was left out."""

_JSON_TYPES: Mapping[ColumnType, dict[str, Any]] = {
    "text": {"type": "string"},
    "json": {"type": "string", "contentMediaType": "application/json"},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "messages": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"role": {"type": "string"}, "content": {"type": "string"}},
            "required": ["role", "content"],
            "additionalProperties": False,
        },
    },
}


@dataclass(frozen=True)
class Column:
    """Column of a table."""

    name: str
    type: ColumnType
    about: str
    """Meaning and unit."""
    personal: bool = False
    """True if its texts may quote a person who played."""


@dataclass(frozen=True)
class Table:
    """Table of a dataset. Its first column names the run."""

    name: str
    about: str
    """Meaning of one row."""
    columns: tuple[Column, ...]

    @property
    def personal(self) -> frozenset[str]:
        """Names of the columns that may quote a person."""
        return frozenset(column.name for column in self.columns if column.personal)

    def row_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a row."""
        properties = {
            column.name: {"description": column.about, **_or_null(_JSON_TYPES[column.type])} for column in self.columns
        }
        return {
            "type": "object",
            "description": self.about,
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


RUN = Column("run", "text", "Run: folder of the study and of the run in it.")
EPISODE = Column("episode", "whole", "Episode, from 1.")
PLAYER = Column("player", "text", "Name of the player.")
SEQ = Column("seq", "whole", "Number of the line in events.jsonl, from 0.")
REWARD = (
    Column("reward", "number", "Value of the items held at the end, in emeralds, or the scenario's own reward."),
    Column("transfer", "number", "Emeralds received under contracts less emeralds paid."),
    Column("payoff", "number", "Sum of reward and transfer."),
)

TABLES: tuple[Table, ...] = (
    Table(
        "runs",
        "One run that has ended.",
        (
            RUN,
            Column("scenario", "text", "Name of the scenario."),
            Column("version", "whole", "Version of the scenario."),
            Column("condition", "text", "Name of the condition, such as a contract or the levels of crossed factors."),
            Column("world", "text", "World: mock, embedded, paper or none."),
            Column("seed", "whole", "Seed of the run; runs of different conditions with one seed begin alike."),
            Column("status", "text", "complete, failed, infrastructure or budget."),
            Column("valid", "flag", "False if the run says nothing about its players."),
            Column("invalid", "text", "Reason why the run is not valid: verdict, programs or answers."),
            Column("reason", "text", "Reason of a status other than complete."),
            Column("people", "flag", "True if people played in the run."),
            Column("models", "texts", "Names of the language models that were called."),
            Column("accord", "text", "Version of Accord that made the record."),
            Column("welfare", "number", "Sum of all payoffs."),
            Column("gini", "number", "Sample-corrected Gini coefficient of the payoffs."),
            Column("episodes", "whole", "Number of episodes."),
            Column("game_s", "number", "Game time of the last episode, in seconds."),
            Column("calls", "whole", "Number of calls of language models."),
            Column("tokens", "whole", "Tokens of these calls."),
            Column("usd", "number", "Price of these calls in dollars, as far as it is known."),
            Column("measures", "json", "The scenario's measures over all players: name -> value."),
            Column("settings", "json", "Settings of the study, without addresses, keys and paths."),
        ),
    ),
    Table(
        "players",
        "One player of one run, with its result.",
        (
            RUN,
            PLAYER,
            Column("author", "text", "Kind of player or model, such as reference/greedy or openai/NAME."),
            Column("group", "text", "Part of the population; empty if all are alike."),
            Column("person", "flag", "True for a person."),
            *REWARD,
            Column("items", "json", "Items held at the end: item -> count."),
            Column("measures", "json", "The scenario's measures of this player: name -> value."),
        ),
    ),
    Table(
        "rewards",
        "One player in one episode that was settled.",
        (
            RUN,
            EPISODE,
            Column("attempt", "whole", "Attempt at the episode; earlier ones were broken by the infrastructure."),
            PLAYER,
            *REWARD,
            Column("items", "json", "Items held at the end: item -> count."),
            Column("end", "text", "Reason for the end of the episode."),
            Column("game_s", "number", "Game time of the episode, in seconds."),
        ),
    ),
    Table(
        "turns",
        "One step of a player: what it saw, thought, said or did, or how its program ended.",
        (
            RUN,
            SEQ,
            EPISODE,
            Column("attempt", "whole", "Attempt at the episode."),
            Column("round", "whole", "Round, from 1, where there are rounds."),
            Column("t_s", "number", "Game time since the episode began, in seconds."),
            Column("player", "text", "Player of the step; empty for a step that concerns all."),
            Column("others", "texts", "Other players whom the step concerns."),
            Column("kind", "text", "Kind of step, such as saw, thought, wrote, said, did or judged."),
            Column("title", "text", "The step in one line.", personal=True),
            Column("text", "text", "The step's whole text, each part after its heading.", personal=True),
            Column("trouble", "flag", "True if something went wrong."),
            Column("tokens", "whole", "Tokens of the calls that led to the step."),
            Column("usd", "number", "Price of these calls in dollars, if known."),
        ),
    ),
    Table(
        "calls",
        "One call of a language model with its prompt and answer.",
        (
            RUN,
            PLAYER,
            Column("role", "text", "Part of the agent that asks, such as action, negotiator or judge."),
            Column("number", "whole", "Number of the call of this player and role, from 0."),
            EPISODE,
            Column("model", "text", "Name of the model."),
            Column("messages", "messages", "The prompt.", personal=True),
            Column("reply", "text", "The answer's text; null if the call failed.", personal=True),
            Column("tool_calls", "json", "Tool calls of the answer.", personal=True),
            Column("settings", "json", "Sampling settings."),
            Column("form", "text", "Name of the form of answer that was asked for."),
            Column("usable", "flag", "False if the answer was unreadable, refused or cut off, or the call failed."),
            Column("prompt_tokens", "whole", "Tokens of the prompt."),
            Column("completion_tokens", "whole", "Tokens of the answer."),
            Column("usd", "number", "Price in dollars, if known; 0 for an answer from the cache."),
            Column("cached", "flag", "True for an answer from the cache, for which no model was asked."),
            Column("stage", "whole", "Stage of a cascade of models, from 1; null without a cascade."),
            Column(
                "why", "text", "Why a cascade made the call after another: unreadable, unsure or sample; else empty."
            ),
        ),
    ),
    Table(
        "skipped",
        "Calls that one module of one player skipped because nothing had changed.",
        (
            RUN,
            PLAYER,
            Column("module", "text", "Name of the module."),
            Column("calls", "whole", "Number of calls that it made."),
            Column("skipped", "whole", "Number of calls that it skipped."),
        ),
    ),
    Table(
        "programs",
        "One program that a player ran, with its outcome.",
        (
            RUN,
            EPISODE,
            Column("attempt", "whole", "Attempt at the episode."),
            PLAYER,
            Column("author", "text", "Author of the program."),
            Column("stood_in", "text", "Stand-in that wrote it instead of the author; empty for the author's own."),
            Column("thought", "text", "The author's reasoning.", personal=True),
            Column("source", "text", "JavaScript source.", personal=True),
            Column("outcome", "text", "How it ended, such as returned or failed; null if it never ended."),
            Column("error", "text", "Message of the error that ended it.", personal=True),
            *REWARD,
        ),
    ),
    Table(
        "contracts",
        "One change of the state of a contract or a deal.",
        (
            RUN,
            SEQ,
            EPISODE,
            Column("deal", "whole", "Number of the deal; null for the contract of all players."),
            Column("state", "text", "New state, such as proposed, agreed, failed or settled."),
            Column("text", "text", "Its words.", personal=True),
            Column("contract", "json", "Text, parties, obligations and transfers as data.", personal=True),
            Column("reason", "text", "Reason of the change.", personal=True),
        ),
    ),
    Table(
        "verdicts",
        "One verdict of a judge.",
        (
            RUN,
            SEQ,
            EPISODE,
            Column("deal", "whole", "Number of the deal; null for the contract of all players."),
            Column("judge", "text", "Name of the judge."),
            Column("readable", "flag", "False if the verdict could not be read; it then moves nothing."),
            Column("critique", "text", "The judge's reasons.", personal=True),
            Column("findings", "json", "Findings by obligation.", personal=True),
            Column("transfers", "json", "Net emeralds received: player -> emeralds."),
        ),
    ),
    Table(
        "positions",
        "One player's position at one moment; rows exist for players that moved by a tenth of a block.",
        (
            RUN,
            EPISODE,
            Column("attempt", "whole", "Attempt at the episode."),
            Column("t_s", "number", "Game time since the episode began, in seconds."),
            PLAYER,
            Column("x", "number", "East, in blocks."),
            Column("y", "number", "Up, in blocks."),
            Column("z", "number", "South, in blocks."),
        ),
    ),
    Table(
        "events",
        "One line of events.jsonl.",
        (
            RUN,
            SEQ,
            Column("kind", "text", "Kind of the event; `dilemmas.records.events` documents each."),
            Column("tick", "whole", "Age of the world in ticks, if known."),
            Column("time", "number", "Seconds since 1970, UTC; virtual time on the mock world."),
            EPISODE,
            Column("data", "json", "Fields of the event.", personal=True),
        ),
    ),
)
"""Tables of a dataset, in order."""


def dataset_schema() -> dict[str, Any]:
    """Return the JSON Schema of all tables' rows, under `tables`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Accord dataset",
        "version": DATASET_VERSION,
        "tables": {table.name: table.row_schema() for table in TABLES},
    }
