"""Commons Harvest in rounds: legal decisions, observations, and the effects of decisions in the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.measures import accounts
from accord.studies.study import StudySettings, run_study
from bridge.errors import BotLostError
from bridge.types import Limits
from contracts import Contract, library_contract
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.arena import Arena
from dilemmas.modes.rounds import Rounds, bookings_for
from dilemmas.records.events import CouncilEntry, Decided, DeedSeen, Event, FieldStepped
from dilemmas.records.record import RunRecord, read_events
from dilemmas.scenarios.commons_harvest.measures import measures
from dilemmas.scenarios.commons_harvest.moves import legality_fault, program
from dilemmas.scenarios.commons_harvest.scenario import CommonsHarvest
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.rounds_world import RoundsWorld
from voyager_agents.agent import Observation
from voyager_agents.commons_harvest import HarvestAct, HarvestDecision, HarvestTurn, Place, Seen
from voyager_agents.reference.turn_takers import TurnTakerMemory, aggressive, conditional, greedy, sustainable, warden

Say = Callable[[HarvestTurn], HarvestDecision]
STAY = HarvestDecision("stay")


def commons(name: str = "commons-harvest") -> CommonsHarvest:
    found = load_scenario(name)
    assert isinstance(found, CommonsHarvest)
    return found


class Puppet:
    """Turn-taker that follows a list of decisions, and keeps its observations."""

    council: Any = None

    def __init__(self, name: str, *decisions: HarvestDecision) -> None:
        self.name = name
        self.turns: list[HarvestTurn] = []
        self._decisions = decisions

    async def take_turn(self, turn: HarvestTurn) -> HarvestDecision:
        self.turns.append(turn)
        return self._decisions[turn.round - 1] if turn.round <= len(self._decisions) else STAY


class Meeting:
    """Council that records its calls, and moves one apple."""

    def __init__(self) -> None:
        self.deeds: list[HarvestAct] = []

    async def talk(self, turns: dict[str, HarvestTurn]) -> list[dict[str, Any]]:
        return [{"what": "said", "round": next(iter(turns.values())).round}]

    def judge(self, round: int, deeds: list[HarvestAct]) -> list[dict[str, Any]]:
        self.deeds += deeds
        return [{"what": "deed", "round": round}]

    def close(self, round: int) -> list[dict[str, Any]]:
        return [{"what": "closed", "round": round}]

    def transfers(self) -> dict[str, float]:
        return {"Laura": -1.0, "Pedro": 1.0, "Marta": 0.0}


def shown(player: str) -> Observation:
    """Observe nothing."""
    raise AssertionError(f"{player} was to be shown something")


async def played(
    tmp_path: Path, rounds: int, *puppets: Puppet, world: RoundsWorld | None = None, contract: Contract | None = None
) -> tuple[list[Event], RoundsWorld]:
    """Return the events of an episode of `rounds` rounds."""
    scenario = commons()
    there = world or RoundsWorld(scenario.spec)
    record = RunRecord(tmp_path)
    agents = {
        name: next((each for each in puppets if each.name == name), Puppet(name)) for name in scenario.spec.players
    }
    try:
        async with TelemetryWriter(there, record) as telemetry:
            arena = Arena(there, scenario, record, telemetry, shown, contract=contract)
            arena.rules = scenario.rules(0)
            await Rounds().play(arena, agents, Limits(wall_s=rounds))
    finally:
        record.close()
    return [line.event for line in read_events(tmp_path / "events.jsonl")], there


async def test_players_see_their_contract_before_the_first_round(tmp_path: Path) -> None:
    free, bound = Puppet("Laura"), Puppet("Laura")
    for name in ("free", "bound"):
        (tmp_path / name).mkdir()
    await played(tmp_path / "free", 2, free)
    await played(tmp_path / "bound", 2, bound, contract=library_contract("commons_harvest_1"))
    (told,) = bound.turns[0].events
    assert told.startswith("Before the game all agreed on this contract: 1. Laura, Pedro and Marta leave at least half")
    assert "Each of them takes at most 45 apples." in told
    assert [turn.events for turn in (*free.turns, bound.turns[1])] == [()] * 3


def decided(events: list[Event], player: str) -> list[Decided]:
    return [event for event in events if isinstance(event, Decided) and event.player == player]


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (HarvestDecision("go", to=(3, 3)), ""),
        (HarvestDecision("stay"), ""),
        (HarvestDecision("explore", to=(23, 17)), ""),
        (HarvestDecision("immobilize", to=(3, 3), target="Pedro"), ""),
        (HarvestDecision("go"), r"go needs a position; give one from (0, 0) to (23, 17)"),
        (
            HarvestDecision("go", to=(24, 3)),
            r"go: (24, 3) is outside of the field; legal positions are (0, 0) to (23, 17)",
        ),
        (HarvestDecision("explore", to=(3, -1)), r"explore: (3, -1) is outside of the field"),
        (HarvestDecision("immobilize", to=(3, 3), target="Laura"), r"no other player 'Laura'; legal are Pedro, Marta"),
        (HarvestDecision("immobilize", to=(3, 3), target="Judy"), r"no other player 'Judy'"),
        (HarvestDecision("fly", to=(3, 3)), r"'fly' is no move; legal are go, immobilize, stay and explore"),  # type: ignore[arg-type]
    ],
)
def test_legal_and_illegal_decisions(decision: HarvestDecision, words: str) -> None:
    found = legality_fault(decision, "Laura", ("Laura", "Pedro", "Marta"), commons().spec.world.field)
    assert words in found
    assert bool(words) == bool(found)


def test_words_get_into_a_program_as_a_literal_and_never_as_a_command() -> None:
    orchard = commons().spec.world.field
    evil = HarvestDecision("stay", say='/kill @a"); process.exit(1) //\nnew line')
    text = program(evil, orchard, (0, -60, 0))
    assert text is not None
    assert text.count("\n") == 3
    assert r'say(bot, " /kill @a\"); process.exit(1) // new line")' in text
    assert program(STAY, orchard, (0, -60, 0)) is None


async def test_a_decision_becomes_a_deed_when_the_world_shows_it(tmp_path: Path) -> None:
    laura = Puppet("Laura", HarvestDecision("go", to=(4, 4), why="hungry"), HarvestDecision("go", to=(4, 5)))
    events, _ = await played(tmp_path, 2, laura)
    takes = [event for event in events if isinstance(event, DeedSeen)]
    assert [(deed.round, deed.player, deed.at, deed.left) for deed in takes] == [
        (1, "Laura", (4, 4), 12), (2, "Laura", (4, 5), 11),
    ]  # fmt: skip
    assert [each.why for each in decided(events, "Laura")] == ["hungry", ""]
    assert [turn.apples for turn in laura.turns] == [0, 1]
    assert laura.turns[1].deeds == (HarvestAct("take", "Laura", (4, 4), "tree 1", 12),)
    assert [event.step for event in events if isinstance(event, FieldStepped)] == [1, 2]


async def test_an_illegal_decision_costs_the_turn_and_is_reported(tmp_path: Path) -> None:
    laura = Puppet("Laura", HarvestDecision("go", to=(99, 4), say="off I go"), STAY)
    events, world = await played(tmp_path, 2, laura)
    assert "outside of the field" in decided(events, "Laura")[0].fault
    assert "outside of the field" in laura.turns[1].events[0]
    assert "goTo" not in world.runs[0]["Laura"]
    assert "off I go" in world.runs[0]["Laura"]


async def test_an_agents_own_fault_is_recorded_with_its_decision(tmp_path: Path) -> None:
    events, _ = await played(tmp_path, 1, Puppet("Laura", HarvestDecision("stay", fault="no JSON in the answer")))
    assert decided(events, "Laura")[0].fault == "no JSON in the answer"


async def test_a_hit_player_is_out_for_five_rounds_and_its_decisions_have_no_effect(tmp_path: Path) -> None:
    attack = HarvestDecision("immobilize", to=(11, 9), target="Pedro")
    pedro = Puppet("Pedro", *[HarvestDecision("go", to=(12, 3))] * 8)
    marta = Puppet("Marta")
    events, world = await played(tmp_path, 8, Puppet("Laura", attack), pedro, marta)
    assert [(d.deed, d.hit) for d in events if isinstance(d, DeedSeen) and d.player == "Laura"] == [("attack", True)]
    assert [turn.out for turn in pedro.turns] == [False, True, True, True, True, True, False, False]
    assert [each.out for each in decided(events, "Pedro")] == [turn.out for turn in pedro.turns]
    assert pedro.turns[1].events == ("You are immobilized: out of the field.",)
    assert pedro.turns[1].seen == ()
    assert pedro.turns[6].events == ("You are back in the field.",)
    # Nobody else moves while Pedro is out, so that no program runs in these rounds.
    assert [sorted(run) for run in world.runs] == [["Laura", "Pedro"], ["Pedro"], ["Pedro"]]
    assert [each.name for each in marta.turns[1].seen if each.what == "player"] == ["Laura"]


async def test_an_attack_that_the_server_does_not_show_was_a_try(tmp_path: Path) -> None:
    world = RoundsWorld(commons().spec, hits=False)
    attack = HarvestDecision("immobilize", to=(11, 9), target="Pedro")
    await played(tmp_path, 1, Puppet("Laura", attack), world=world)
    found = measures(read_events(tmp_path / "events.jsonl"), ["Laura", "Pedro", "Marta"])
    assert (found["attacks"]["Laura"], found["hits"]["Laura"], found["out_steps"]["Pedro"]) == (1, 0, 0)


async def test_everybody_hears_what_is_said_but_the_speaker(tmp_path: Path) -> None:
    laura, pedro = Puppet("Laura", HarvestDecision("stay", say="leave some")), Puppet("Pedro")
    await played(tmp_path, 2, laura, pedro)
    assert pedro.turns[1].said == (("Laura", "leave some"),)
    assert laura.turns[1].said == ()


async def test_one_sees_its_window_nearest_first(tmp_path: Path) -> None:
    laura = Puppet("Laura")
    await played(tmp_path, 1, laura)
    seen = laura.turns[0].seen
    here = laura.turns[0].at
    assert here == (8, 8)
    distances = [(each.at[0] - here[0]) ** 2 + (each.at[1] - here[1]) ** 2 for each in seen]
    assert distances == sorted(distances)
    assert {each.what for each in seen} == {"tree", "apple", "player"}
    assert all(abs(each.at[0] - 8) <= 5 and abs(each.at[1] - 8) <= 5 for each in seen if each.what != "tree")
    assert [each.note for each in seen if each.name == "tree 1" and each.what == "tree"] == [
        "11 apples, 0 bare cells in sight"
    ]


async def test_the_last_apple_of_a_tree_is_noted_with_the_move(tmp_path: Path) -> None:
    world = RoundsWorld(commons().spec)
    world.apples -= {cell for cell in world.apples if cell[0] <= 6 and cell[1] <= 6 and cell != (4, 6)}
    world.scores["Marta"]["mined_grass_block"] += 1
    laura = Puppet(
        "Laura",
        HarvestDecision("explore", to=(6, 6)),
        HarvestDecision("explore", to=(8, 8)),
        HarvestDecision("go", to=(4, 6)),
    )
    events, _ = await played(tmp_path, 4, laura, world=world)
    noted = [(each.last_apple, each.closer) for each in decided(events, "Laura")]
    assert noted == [(True, True), (True, False), (True, True), (False, False)]
    assert any(event.deed == "take" and event.left == 0 for event in events if isinstance(event, DeedSeen))


async def test_the_council_meets_between_the_rounds_and_its_transfers_are_booked(tmp_path: Path) -> None:
    laura = Puppet("Laura", HarvestDecision("go", to=(4, 4)))
    meeting = laura.council = Meeting()
    events, _ = await played(tmp_path, 2, laura)
    assert [event.entry["what"] for event in events if isinstance(event, CouncilEntry)] == [
        "said", "deed", "said", "deed", "closed",
    ]  # fmt: skip
    assert [(deed.player, deed.at) for deed in meeting.deeds] == [("Laura", (4, 4))]


def test_debts_are_paired_with_claims() -> None:
    assert bookings_for({"Laura": -3.0, "Pedro": 1.0, "Marta": 2.0}) == (
        ("Laura", "Pedro", 1.0),
        ("Laura", "Marta", 2.0),
    )
    assert bookings_for({"Laura": 0.0, "Pedro": 0.0}) == ()
    # In floating point 0.3 - 0.1 - 0.2 leaves a residue, which would be a booking of its own.
    owes = {"Laura": -0.3, "Pedro": -0.4, "Ada": 0.1, "Marta": 0.2, "Zoe": 0.4}
    assert bookings_for(owes) == (
        ("Laura", "Ada", 0.1),
        ("Laura", "Marta", 0.2),
        ("Pedro", "Zoe", 0.4),
    )


async def test_a_bot_that_is_lost_breaks_the_episode_and_is_no_decision(tmp_path: Path) -> None:
    world = RoundsWorld(commons().spec, lost="Pedro")
    with pytest.raises(BotLostError, match="Pedro"):
        await played(tmp_path, 1, Puppet("Pedro", HarvestDecision("go", to=(4, 4))), world=world)
    events = [line.event for line in read_events(tmp_path / "events.jsonl")]
    assert not [event for event in events if isinstance(event, Decided)]


def look(*seen: Seen, deeds: tuple[HarvestAct, ...] = (), at: Place = (4, 8)) -> HarvestTurn:
    return HarvestTurn(
        player="Laura", players=("Laura", "Pedro"), round=9, at=at, size=(24, 18), seen=seen, deeds=deeds
    )


def tree(apples: list[Place], bare: list[Place]) -> list[Seen]:
    return [
        Seen("tree", (4, 4), "tree 1"),
        *(Seen("apple", at, "tree 1") for at in apples),
        *(Seen("bare", at, "tree 1") for at in bare),
    ]


PLUS: list[Place] = [(4, 4), (3, 4), (5, 4), (4, 3), (4, 5)]


def test_reference_players_in_rounds() -> None:
    memory = TurnTakerMemory(0)
    full, low, last = tree(PLUS, []), tree(PLUS[:2], PLUS[2:]), tree(PLUS[:1], PLUS[1:])
    assert sustainable(look(*full), memory)[0].to in PLUS[1:]
    assert sustainable(look(*low), memory)[0].move == "explore"
    assert greedy(look(*low), memory)[0] == HarvestDecision("go", to=(4, 4), why="an apple to take")
    decision, trusting = conditional(look(*last), memory)
    assert (decision.to, trusting.trusting) == ((4, 4), False)
    assert conditional(look(*low), memory)[0].move == "explore"
    pedro = Seen("player", (5, 8), "Pedro")
    took = HarvestAct("take", "Pedro", (4, 5), "tree 1", 1)
    assert warden(look(*low, pedro, deeds=(took,)), memory)[0].target == "Pedro"
    assert warden(look(*low, pedro), memory)[0].move == "explore"
    assert aggressive(look(pedro), memory)[0].move == "immobilize"
    assert aggressive(look(*full, Seen("player", (12, 8), "Pedro")), memory)[0].move == "go"


def test_an_apple_goes_to_the_nearest_player_and_ties_rotate() -> None:
    crown = tree(PLUS, [])
    near, far = Seen("player", (5, 4), "Pedro"), Seen("player", (9, 8), "Pedro")
    both = [sustainable(replace(look(*crown, near), round=number), TurnTakerMemory(0))[0] for number in (8, 9)]
    # Three of five apples are to spare: Pedro is nearest to all of them and takes one, Laura the nearest of the others.
    assert [each.to for each in both] == [(4, 5)] * 2
    one = tree(PLUS[:3], PLUS[3:])
    assert sustainable(look(*one, far), TurnTakerMemory(0))[0].to in PLUS[1:3]
    assert sustainable(look(*one, near), TurnTakerMemory(0))[0].move == "explore"
    equal = Seen("player", (4, 8), "Pedro")
    moves = [sustainable(replace(look(*one, equal), round=number), TurnTakerMemory(0))[0].move for number in range(4)]
    assert sorted(moves[:2]) == ["explore", "go"]
    assert moves[:2] == moves[2:]


async def test_rounds_on_the_mock_world_repeat_to_the_byte(tmp_path: Path) -> None:
    logs = []
    for name in ("one", "two"):
        settings = StudySettings(
            "commons-harvest-bots", ("selfish",), world="mock", agents="foragers", out=tmp_path / name, time_limit_s=4,
            players={"Laura": "warden"},
        )  # fmt: skip
        found = await run_study(settings)
        assert found.status == "complete", found.results[0]["reason"]
        logs.append((found.directory / "events.jsonl").read_text())
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    assert {player: len(decided(events, player)) for player in ("Laura", "Pedro", "Bot1", "Bot2")} == {
        "Laura": 4, "Pedro": 4, "Bot1": 2, "Bot2": 2,
    }  # fmt: skip
    result = found.results[0]
    assert result["welfare"] == sum(result["measures"]["takes"].values()) > 0
    recomputed = accounts(read_events(found.directory / "events.jsonl"))
    assert {name: each.payoff for name, each in recomputed.items()} == {
        name: each["payoff"] for name, each in result["players"].items()
    }
    assert stripped(logs[0]) == stripped(logs[1])


def stripped(log: str) -> str:
    """Return the log without the run's directory name, which contains the time."""
    return "\n".join(line for line in log.splitlines() if '"run_started"' not in line and '"run_ended"' not in line)
