"""The events of a run, one class each, told apart by `kind`.

One line of `events.jsonl` holds one of them: `{"seq", "kind", "tick", "time", "episode", "data"}`, where `data` are the
fields of the event's class. Everything that a measure or the report uses is in these events: the reward of a run can
be recomputed from them alone. `t_s` is seconds of game time since the episode's policies started.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Json = dict[str, Any]
Status = Literal["complete", "failed", "infrastructure", "budget"]


class _Event(BaseModel):
    """Base of all events."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class PlayerTerms(_Event):
    """What counts for a player."""

    prices: dict[str, float]
    """Item -> emeralds for each one held at the end."""
    author: str
    """Who writes this player's programs, e.g. `reference/greedy` or `openai/NAME`."""


class RunStarted(_Event):
    """The first event: what is run, and what an item is worth to whom."""

    kind: Literal["run_started"] = "run_started"
    run: str
    scenario: str
    version: int
    condition: str
    contract_kind: Literal["none", "given", "negotiated"]
    world: str
    seed: int
    players: dict[str, PlayerTerms]


class RunResumed(_Event):
    """Another process goes on with the run."""

    kind: Literal["run_resumed"] = "run_resumed"
    run: str
    condition: str
    seed: int
    cut: int
    """Lines after the last checkpoint, taken out of this log and kept in interrupted.jsonl: they are done again."""


class WorldReady(_Event):
    """A server is up; at `address` (host:port) a person can join."""

    kind: Literal["world_ready"] = "world_ready"
    address: str | None
    version: str | None
    """The Minecraft version that a client needs."""
    reused: bool
    """The server was up already, from an earlier run."""
    wall_ms: float


class WorldBuilt(_Event):
    """The scenario's world stands as new."""

    kind: Literal["world_built"] = "world_built"
    commands: int
    wall_ms: float


class PlayersPlaced(_Event):
    """Players and observer are in the world, at their starts."""

    kind: Literal["players_placed"] = "players_placed"
    players: list[str]
    observer: str
    wall_ms: float


class NegotiationTurn(_Event):
    """One turn of the negotiation."""

    kind: Literal["negotiation"] = "negotiation"
    turn: int
    speaker: str
    message: str
    thought: str = ""
    offer: Json | None = None
    """The contract offered, as plain data."""
    accepts: bool = False
    faults: list[str] = Field(default_factory=list)
    """Names of what was wrong with malformed tries of this turn."""
    raw: list[str] = Field(default_factory=list)
    """Those tries as they came."""


class ContractEvent(_Event):
    """The contract reached a state of its life; `contract` is what `contracts.contract_as_mapping` gives."""

    kind: Literal["contract"] = "contract"
    state: Literal["none", "proposed", "agreed", "failed", "judged", "settled"]
    contract: Json | None
    reason: str = ""


class EpisodeStarted(_Event):
    """An episode begins; `attempt` above 1 repeats one that infrastructure broke."""

    kind: Literal["episode_started"] = "episode_started"
    attempt: int


class PolicyWritten(_Event):
    """A player has written its program for this episode."""

    kind: Literal["policy_written"] = "policy_written"
    player: str
    author: str
    source: str
    file: str
    """Where the same source is, relative to the run directory."""
    attempt: int


class PoliciesStarted(_Event):
    """All policies were handed over; they start in the same tick."""

    kind: Literal["policies_started"] = "policies_started"
    players: list[str]


class PolicyProblem(_Event):
    """What a program died of; positions count in the player's own source, from 1."""

    name: str
    message: str
    line: int | None = None
    column: int | None = None


class PolicyEnded(_Event):
    """How a player's program ended."""

    kind: Literal["policy_ended"] = "policy_ended"
    player: str
    outcome: str
    error: PolicyProblem | None
    wall_ms: float
    cpu_ms: float


class Holdings(_Event):
    """What a player has, as the server says, and what that is worth to it."""

    items: dict[str, int]
    mined: dict[str, int]
    reward: float


class StateSeen(_Event):
    """The state between two steps, from the server; at the start, at every change, and at the end."""

    kind: Literal["state"] = "state"
    t_s: float
    players: dict[str, Holdings]
    world: dict[str, int] = Field(default_factory=dict)
    """Block -> how many of it there are, of the blocks that the scenario's rules depend on."""


EndReason = Literal["all_collected", "policies_returned", "time_limit"]


class EndStateRead(_Event):
    """The truth that rewards are computed from: read from the server after all policies had ended."""

    kind: Literal["end_state"] = "end_state"
    t_s: float
    players: dict[str, Holdings]
    chest: dict[str, int]
    reason: EndReason = "policies_returned"
    """Why the episode ended."""
    wall_s: float = 0.0


class Critique(_Event):
    """What a player's critic said after the episode."""

    kind: Literal["critique"] = "critique"
    player: str
    text: str
    success: bool | None = None


class VerdictGiven(_Event):
    """The judge's verdict: `contracts.Verdict.plain()`."""

    kind: Literal["verdict"] = "verdict"
    judge: str
    readable: bool
    critique: str
    awards: list[Json]
    findings: list[Json]
    raw: str
    transfers: dict[str, float]
    """Player -> emeralds received less emeralds paid, as the ledger booked them."""


class TransferBooked(_Event):
    """Emeralds that the ledger moved."""

    kind: Literal["transfer"] = "transfer"
    term: str
    payer: str
    payee: str
    amount: float


class PlayerAccount(_Event):
    """A player's end of the episode."""

    items: dict[str, int]
    reward: float
    transfer: float
    payoff: float


class EpisodeEnded(_Event):
    """An episode is over and settled."""

    kind: Literal["episode_ended"] = "episode_ended"
    reason: EndReason
    game_s: float
    wall_s: float
    players: dict[str, PlayerAccount]


class EpisodeBroken(_Event):
    """Infrastructure failed: nothing of this attempt is scored."""

    kind: Literal["infrastructure"] = "infrastructure"
    attempt: int
    reason: str
    repeated: bool


class ModelCalled(_Event):
    """A model was called; the texts are in calls.jsonl."""

    kind: Literal["model_call"] = "model_call"
    player: str
    purpose: str
    model: str
    tokens: int
    usd: float | None = None
    """None where no price is known."""
    differs: bool = False
    """The answer is a replayed one, and the prompt is not the recorded one; calls.jsonl has the diff."""


class RunEnded(_Event):
    """The last event."""

    kind: Literal["run_ended"] = "run_ended"
    status: Status
    reason: str | None = None
    result: Json
    """What result.json holds."""


class _Telemetry(_Event):
    """Base of what the bots' side reports (docs/seams.md, 2); never the ground of a reward."""

    # The bridge may tell more than it promised: nothing of it is lost.
    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)
    t_s: float | None = None


class BotEvent(_Telemetry):
    """A bot spawned, died, respawned, was kicked or left."""

    kind: Literal["bot"] = "bot"
    bot: str
    state: str
    reason: str | None = None


class PolicyEvent(_Telemetry):
    """A policy started or ended."""

    kind: Literal["policy"] = "policy"
    bot: str
    state: str
    result: Json | None = None


class InventoryEvent(_Telemetry):
    """A player's inventory changed."""

    kind: Literal["inventory"] = "inventory"
    bot: str
    items: dict[str, int]
    held: str | None = None


class ChatEvent(_Telemetry):
    """Somebody said something in the game."""

    kind: Literal["chat"] = "chat"
    sender: str | None = Field(default=None, alias="from")
    text: str


class SignalEvent(_Telemetry):
    """A policy sent a signal to another player's."""

    kind: Literal["signal"] = "signal"
    sender: str = Field(alias="from")
    receiver: str | None = Field(default=None, alias="to")
    name: str | None = None


class LogEvent(_Telemetry):
    """What a policy printed."""

    kind: Literal["log"] = "log"
    bot: str
    level: str
    text: str


class ActionEvent(_Telemetry):
    """A primitive was called and has ended."""

    kind: Literal["action"] = "action"
    bot: str
    name: str
    ok: bool | None = None


class HostEvent(_Telemetry):
    """A bot host came up or was lost."""

    kind: Literal["host"] = "host"
    host: str | int | None = None
    state: str
    reason: str | None = None


class UnknownTelemetry(_Telemetry):
    """Telemetry of a kind or shape that this version does not know, kept as it came."""

    kind: Literal["telemetry"] = "telemetry"
    original: Json


Event = (
    RunStarted | RunResumed | WorldReady | WorldBuilt | PlayersPlaced | NegotiationTurn | ContractEvent | EpisodeStarted
    | PolicyWritten | PoliciesStarted | PolicyEnded | StateSeen | EndStateRead | Critique | VerdictGiven
    | TransferBooked | EpisodeEnded | EpisodeBroken | ModelCalled | RunEnded | BotEvent | PolicyEvent | InventoryEvent
    | ChatEvent | SignalEvent | LogEvent | ActionEvent | HostEvent | UnknownTelemetry
)  # fmt: skip
"""Any event of a run."""

_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])
TELEMETRY_KINDS = frozenset({"bot", "policy", "inventory", "chat", "signal", "log", "action", "host"})
"""Kinds that `World.events()` yields."""


@dataclass(frozen=True)
class Line:
    """One line of `events.jsonl`."""

    seq: int
    """Counts from 0 without a gap."""
    tick: int | None
    """World age in ticks, where it was known."""
    time: float
    """Seconds since 1970, UTC."""
    episode: int | None
    """From 1; None outside of episodes."""
    event: Event

    @property
    def kind(self) -> str:
        """The event's kind."""
        return self.event.kind

    def to_json(self) -> str:
        """The line as it stands in the file, without its end."""
        data = self.event.model_dump(mode="json", by_alias=True, exclude={"kind"})
        head = {"seq": self.seq, "kind": self.kind, "tick": self.tick, "time": self.time, "episode": self.episode}
        return json.dumps({**head, "data": data}, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Line:
        """The line in that text. Raises ValueError (a pydantic or JSON error) when it is none."""
        try:
            raw = json.loads(text)
            event = _EVENT.validate_python({"kind": raw["kind"], **raw["data"]})
            return cls(int(raw["seq"]), raw["tick"], float(raw["time"]), raw["episode"], event)
        except (KeyError, TypeError) as error:
            raise ValueError(f"a key is missing or wrong: {error}") from None


def telemetry(kind: str, data: Json, t_s: float | None) -> Event:
    """The event for what the bridge reported; what it does not know is kept, never dropped."""
    if kind in TELEMETRY_KINDS:
        try:
            return _EVENT.validate_python({**data, "kind": kind, "t_s": t_s})
        except ValueError:
            # A shape from a newer bridge is a fact too: the record keeps it below.
            pass
    return UnknownTelemetry(original={"kind": kind, **data}, t_s=t_s)
