"""Timeline and paths of an episode: words, lanes, bounds, and untrusted text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.episode_timeline import MAX_STEPS, TimelineReader
from accord.analysis.report.lanes import MAX_MARKS, timeline_of
from accord.analysis.report.maps import map_of
from accord.analysis.report.model import ReportedEpisode, ReportedPolicy, TimelineEntry
from accord.analysis.report.sentences import council_sentence
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import Story, write_run

GROUND = log.GroundLaid(
    origin=(10, -60, 20),
    corner=(0, 0),
    blocks=["", "grass_block", "chest", "very_odd_block"],
    rows=[[4, 1], [1, 1, 1, 2, 1, 3, 1, 1], [1, 1, 1, 2, 2, 1], [4, 0]],
)


def course(*events: log.Event) -> TimelineReader:
    found = TimelineReader()
    for event in events:
        found.add_event(event)
    return found


def action(name: str, *args: object, t_s: float = 1.0, error: str = "") -> log.Event:
    data = {"bot": "Gizmo", "name": name, "ok": not error, "args": list(args)}
    return log.telemetry("action", {**data, "error": {"name": "E", "message": error} if error else None}, t_s)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (action("mineBlock", "iron_ore", 12), "mined 12 iron ore"),
        (action("mineBlock", "iron_ore"), "mined 1 iron ore"),
        (action("getItemFromChest", [0, -60, 0], {"iron_pickaxe": 1}), "took 1 iron pickaxe from the chest"),
        (action("goTo", [0.5, -60, 2]), "went to (0.5, -60, 2)"),
        (action("goTo"), "went to \N{EN DASH}"),
        (action("tameHorse", {"a_b": 2}), "tame horse 2 a b"),
        (action("mineBlock", "iron_ore", error="none is near"), "tried to mine block: none is near"),
        (log.DeedSeen(step=1, deed="take", player="Gizmo", at=(1, 1), tree="tree 2"), "took an apple of tree 2"),
        (log.DeedSeen(step=1, deed="attack", player="Gizmo", at=(1, 1), target="Eve"), "struck at Eve and missed"),
        (log.BotEvent(bot="Gizmo", state="died", reason="it fell", t_s=2.0), "died: it fell"),
    ],
)
def test_actions_are_told_in_words(event: log.Event, told: str) -> None:
    (remark,) = course(event).entries()
    assert (remark.who, remark.text) == ("Gizmo", told)


@pytest.mark.parametrize(
    "event",
    [
        log.ChatEvent(sender=None, text="Your game mode has been updated", t_s=None),
        action("say", "hello"),
        action("sendSignal", "Glitch", "done"),
        log.BotEvent(bot="Gizmo", state="spawned", t_s=0.0),
        log.InventoryEvent(bot="Gizmo", items={}),
    ],
)
def test_game_messages_and_repeated_events_have_no_entry(event: log.Event) -> None:
    assert course(event).entries() == ()


def test_a_loop_has_one_entry_for_each_of_its_actions() -> None:
    events = []
    for number in range(100):
        place = f"none within 48 blocks of ({number}, -60, 3)"
        events += [
            action("mineBlock", "iron_ore", t_s=number, error=place),
            action("goTo", [1, 2, 3], t_s=number + 0.5),
        ]
    told = course(*events, action("goTo", [1, 2, 3], t_s=300.0)).entries()
    assert [(each.times, each.game_s, each.until) for each in told] == [
        (100, 0, 99), (100, 0.5, 99.5), (1, 300, None)
    ]  # fmt: skip


def test_rounds_are_shown_as_rounds_whatever_the_bots_clock_says() -> None:
    taken = log.DeedSeen(step=0, round=1, deed="take", player="Gizmo", at=(1, 1), tree="tree 1")
    decided = log.Decided(round=1, player="Gizmo", at=(1, 1), move="go", to=None, target="", said="", why="")
    field = log.FieldStepped(step=1, positions={"Gizmo": (1, 2)}, out=[], grown=[], apples={})
    found = course(
        action("goTo", [1, 2, 3], t_s=1.1), taken, field, decided,
        log.ChatEvent(sender="Gizmo", text="mine", t_s=2.2), field.model_copy(update={"step": 2}),
    )  # fmt: skip
    assert found.in_rounds
    assert [(each.kind, each.game_s) for each in found.entries()] == [("action", 1), ("deed", 1), ("chat", 2)]


def test_a_path_is_broken_where_a_player_was_absent_or_moved() -> None:
    found = course(
        GROUND,
        log.PlacesSeen(t_s=0.0, at={"Gizmo": (0.5, -60, 0.5), "Glitch": (3.5, -60, 3.5)}),
        log.PlacesSeen(t_s=1.0, at={"Gizmo": (4.5, -60, 0.5)}, gone=["Glitch"]),
        log.PlacesSeen(t_s=2.0, at={"Gizmo": (40.5, -60, 0.5), "Glitch": (3.5, -60, 3.5)}),
    )
    assert found.ways() == {
        "Gizmo": (((0.0, 0.5, 0.5), (1.0, 4.5, 0.5)), ((2.0, 40.5, 0.5),)),
        "Glitch": (((0.0, 3.5, 3.5),), ((2.0, 3.5, 3.5),)),
    }


def test_a_path_seen_every_few_seconds_is_unbroken_except_at_a_leap() -> None:
    walk = [log.PlacesSeen(t_s=5.0 * number, at={"Gizmo": (21.0 * number, -60, 0.5)}) for number in range(4)]
    leap = log.PlacesSeen(t_s=20.0, at={"Gizmo": (200.0, -60, 0.5)})
    parts = course(GROUND, *walk, leap).ways()["Gizmo"]
    assert [len(part) for part in parts] == [4, 1]


def test_a_commons_tells_places_in_cells_of_its_own() -> None:
    field = log.FieldStepped(step=3, positions={"Gizmo": (1, 2)}, out=["Eve"], grown=[], apples={})
    assert course(GROUND, field).ways() == {"Gizmo": (((3.0, 11.5, 22.5),),)}


def test_a_long_path_is_thinned() -> None:
    found = TimelineReader()
    for step in range(3 * MAX_STEPS):
        found.add_event(log.PlacesSeen(t_s=float(step), at={"Gizmo": (step * 0.1, -60.0, 0.0)}))
    (part,) = found.ways()["Gizmo"]
    assert MAX_STEPS / 4 < len(part) <= MAX_STEPS


def test_lanes_hold_each_players_marks_within_the_track() -> None:
    rows = [TimelineEntry(float(number), "action", "Gizmo", f"did {number}") for number in range(1, 11)]
    rows += [
        TimelineEntry(10.0, "chat", "Glitch", "over"),
        TimelineEntry(None, "log", "", "12 more remarks are in events.jsonl"),
    ]
    moved = log.TransferBooked(term="pay", payer="Glitch", payee="Gizmo", amount=11)
    policy = ReportedPolicy("Gizmo", "reference/greedy", "", game_s=5.0)
    episode = ReportedEpisode(1, timeline=tuple(rows), movements=(moved,), policies=(policy,), game_s=10.0)
    told = timeline_of(episode, ("Gizmo", "Glitch"))
    assert told is not None
    gizmo, glitch = told.lanes
    assert [(mark.left, mark.width) for mark in gizmo.marks] == [(10.0 * number, 10.0) for number in range(10)]
    assert (gizmo.end, glitch.end) == (50.0, 100.0)
    assert [(mark.kind, mark.left) for mark in glitch.marks] == [("chat", 100.0), ("transfer", 100.0)]
    assert told.rows[-1].text == "11 (pay)"
    assert [label for _, label in told.ticks] == ["0", "2", "4", "6", "8", "10"]
    assert timeline_of(ReportedEpisode(1), ("Gizmo",)) is None


def test_a_full_lane_says_how_many_marks_are_left_out() -> None:
    rows = tuple(TimelineEntry(float(number), "chat", "Gizmo", str(number)) for number in range(MAX_MARKS + 7))
    told = timeline_of(ReportedEpisode(1, timeline=rows), ("Gizmo",))
    assert told is not None
    assert (len(told.lanes[0].marks), told.lanes[0].left) == (MAX_MARKS, 7)


def test_a_map_shows_ground_landmarks_and_ways() -> None:
    found = course(GROUND, log.PlacesSeen(t_s=0.0, at={"Gizmo": (0.5, -60, 0.5)}),
                   log.PlacesSeen(t_s=1.0, at={"Gizmo": (1.5, -60, 0.5)}))  # fmt: skip
    drawn = map_of(ReportedEpisode(1, ground=found.ground, ways=found.ways()), ("Glitch", "Gizmo"))
    assert drawn is not None
    assert [(patch.block, patch.path) for patch in drawn.landmarks] == [
        ("chest", "M1 1h1v2h-1z"), ("very_odd_block", "M2 1h1v1h-1z")
    ]  # fmt: skip
    (track,) = drawn.tracks
    assert (track.player, track.index, track.lines) == ("Gizmo", 1, ("0.5,0.5 1.5,0.5",))
    assert map_of(ReportedEpisode(1, ground=GROUND), ("Gizmo",)) is None


def test_a_council_speaks_in_sentences() -> None:
    agreed = {
        "agreement": "A1",
        "parties": ["Laura", "Pedro"],
        "says": "at most 3 apples",
        "term": {"x": 1},
        "rounds": 5,
    }
    for entry, sentence in (
        ({"what": "deed", "kind": "take", "player": "Laura", "at": [1, 2], "tree": "tree 1", "left": 3, "hit": False},
         "Laura took an apple of tree 1; 3 are left on it."),
        ({"what": "deed", "kind": "attack", "player": "Laura", "target": "Pedro", "hit": True}, "Laura hit Pedro."),
        ({"what": "agreement_proposed", "proposer": "Laura", **agreed},
         "Laura proposes agreement A1: at most 3 apples, for 5 rounds."),
        ({"what": "vote", "motion": "M1", "player": "Laura", "yes": False}, "Laura votes no on M1."),
        ({"what": "act", "act": "ask", "player": "Laura", "to": "Pedro", "text": "why?"}, "Laura asks Pedro: why?"),
        ({"what": "act", "act": "vote", "player": "Laura", "motion": "M1"}, ""),
        ({"what": "round_over", "round": 1}, ""),
        ({"what": "penalty", "player": "Laura", "rule": "R1"}, "Laura paid \N{EN DASH} for a breach of rule R1."),
    ):  # fmt: skip
        assert council_sentence(entry) == sentence


@pytest.mark.drawn
def test_figures_of_a_game_in_rounds_have_rounds_on_their_time_axes(tmp_path: Path) -> None:
    decided = log.Decided(round=1, player="Gizmo", at=(1, 1), move="go", to=None, target="", said="", why="")
    write_run(tmp_path / "plain", Story())
    write_run(tmp_path / "rounds", Story(extra=(decided,)))
    texts = {}
    for name in ("plain", "rounds"):
        plots = write_report([tmp_path / name], tmp_path / name).html.parent / "plots"
        texts[name] = {text for file in plots.iterdir() for text in re.findall(r"<!-- (.*?) -->", file.read_text())}
    assert "game time (s)" in texts["plain"] - texts["rounds"]
    assert "round" in texts["rounds"] - texts["plain"]
