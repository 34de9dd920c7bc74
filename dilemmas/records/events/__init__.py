"""The events of a run, one class each, told apart by `kind`.

One line of `events.jsonl` holds one of them: `{"seq", "kind", "tick", "time", "episode", "data"}`, where `data` are the
fields of the event's class. Everything that a measure or the report uses is in these events: the reward of a run can
be recomputed from them alone. `t_s` is seconds of game time since the episode's policies started; where players play in
rounds, since the first round began, and a state is told by its round (`state`, `end_state`: a round is a second). A
`state` tells what has changed since the one before it; `dilemmas.records.states` rebuilds whole ones.

An event has its class in the file of its subject, where it also joins the union at the end, and is named below.
"""

from __future__ import annotations

from dilemmas.records.events.base import EndReason, EventModel, Json, Status
from dilemmas.records.events.bots import (
    TELEMETRY_KINDS,
    ActionEvent,
    BotEvent,
    ChatEvent,
    HostEvent,
    InventoryEvent,
    LogEvent,
    PolicyEvent,
    SignalEvent,
    TelemetryEvent,
    UnknownTelemetry,
)
from dilemmas.records.events.commons import CommonsEvent, CouncilEntry, Decided, DeedSeen, FieldPlanted, FieldStepped
from dilemmas.records.events.contract import (
    AgreementEvent,
    ContractEvent,
    NegotiationTurn,
    TermsRatified,
    TermsTyped,
    TransferBooked,
    VerdictGiven,
)
from dilemmas.records.events.episode import (
    Critique,
    EndStateRead,
    EpisodeBroken,
    EpisodeEnded,
    EpisodeStarted,
    Holdings,
    PlayerAccount,
    PlayEvent,
    PoliciesStarted,
    PolicyEnded,
    PolicyProblem,
    PolicyWritten,
    StateSeen,
)
from dilemmas.records.events.life import (
    ActBegan,
    ActEnded,
    ChoiceMade,
    LifeBegan,
    LifeEnded,
    LifeEvent,
    LifeSummed,
    MindNoted,
    SlotWritten,
    Speech,
    Whereabouts,
)
from dilemmas.records.events.line import Event, Line, telemetry
from dilemmas.records.events.minds import MindEvent, MindTold, Shown
from dilemmas.records.events.people import Folk, PeopleEvent, PeopleSettled, TownTold
from dilemmas.records.events.places import GroundLaid, PlaceEvent, PlacesSeen, Spot
from dilemmas.records.events.run import (
    ModelCalled,
    PlayersPlaced,
    PlayerTerms,
    RunEnded,
    RunEvent,
    RunResumed,
    RunStarted,
    WorldBuilt,
    WorldReady,
)

__all__ = [
    "TELEMETRY_KINDS",
    "ActBegan",
    "ActEnded",
    "ActionEvent",
    "AgreementEvent",
    "BotEvent",
    "ChatEvent",
    "ChoiceMade",
    "CommonsEvent",
    "ContractEvent",
    "CouncilEntry",
    "Critique",
    "Decided",
    "DeedSeen",
    "EndReason",
    "EndStateRead",
    "EpisodeBroken",
    "EpisodeEnded",
    "EpisodeStarted",
    "Event",
    "EventModel",
    "FieldPlanted",
    "FieldStepped",
    "Folk",
    "GroundLaid",
    "Holdings",
    "HostEvent",
    "InventoryEvent",
    "Json",
    "LifeBegan",
    "LifeEnded",
    "LifeEvent",
    "LifeSummed",
    "Line",
    "LogEvent",
    "MindEvent",
    "MindNoted",
    "MindTold",
    "ModelCalled",
    "NegotiationTurn",
    "PeopleEvent",
    "PeopleSettled",
    "PlaceEvent",
    "PlacesSeen",
    "PlayEvent",
    "PlayerAccount",
    "PlayerTerms",
    "PlayersPlaced",
    "PoliciesStarted",
    "PolicyEnded",
    "PolicyEvent",
    "PolicyProblem",
    "PolicyWritten",
    "RunEnded",
    "RunEvent",
    "RunResumed",
    "RunStarted",
    "Shown",
    "SignalEvent",
    "SlotWritten",
    "Speech",
    "Spot",
    "StateSeen",
    "Status",
    "TelemetryEvent",
    "TermsRatified",
    "TermsTyped",
    "TownTold",
    "TransferBooked",
    "UnknownTelemetry",
    "VerdictGiven",
    "Whereabouts",
    "WorldBuilt",
    "WorldReady",
    "telemetry",
]
