"""Transcripts: log lines converted in one pass into steps of players, with the calls that led to them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest

from accord.analysis.report import write_report
from accord.analysis.transcript import KINDS, CallTexts, StepFilter, TranscriptStep, read_steps
from accord.analysis.transcript.event_handlers import EVENT_HANDLERS
from accord.analysis.transcript.thought_texts import THOUGHT_TEXTS, words_of
from accord.cli.steps import STYLES
from dilemmas.records import events as log
from dilemmas.records.record import RunRecord
from tests.fakes.memory import peak, stays_below
from voyager_agents import thought_events

TERMS = {name: log.PlayerTerms(prices={"raw_iron": 4}, author="openai/x (voyager)") for name in ("Gizmo", "Glitch")}
STARTED = log.RunStarted(
    run="r", scenario="double-vein", version=1, condition="none", contract_kind="none", world="mock", seed=0,
    players=TERMS,
)  # fmt: skip
HOSTILE = "</details><script>alert(1)</script>\x1b[31m\u202e{{ 7*7 }}"


def call(player: str, role: str, number: int, usd: float | None = 0.5) -> log.ModelCalled:
    return log.ModelCalled(player=player, purpose=role, model="openai/x", number=number, tokens=10, usd=usd)


def written(player: str, source: str, thought: str = "") -> log.PolicyWritten:
    return log.PolicyWritten(player=player, author="openai/x", source=source, file="f", attempt=1, thought=thought)


def text_part(player: str, step: thought_events.Step) -> log.MindTold:
    return log.MindTold(player=player, step=step)


def run(directory: Path, events: Sequence[log.Event | int | None]) -> Path:
    """Return a record of these events; a number in the list sets the episode of the events after it."""
    record = RunRecord.create(directory, {}, clock=lambda: 0.0)
    record.log(STARTED)
    for event in events:
        if event is None or isinstance(event, int):
            record.episode = event
        else:
            record.log(event)
    record.close()
    return directory


def steps(tmp_path: Path, *events: log.Event | int | None, wanted: StepFilter | None = None) -> list[TranscriptStep]:
    return list(read_steps(run(tmp_path / "run", events), wanted))


@pytest.mark.parametrize("ended", [True, False])
def test_lines_of_players_without_a_page_are_not_read(tmp_path: Path, ended: bool) -> None:
    events: list[log.Event | int | None] = [1, log.LifeBegan(t_s=0, player="Glitch", attempt=1)]
    for number in range(3):
        for name, other in (("Gizmo", "Glitch"), ("Glitch", "Gizmo")):
            events += [
                call(name, "action", number),
                log.SlotWritten(t_s=1, player=name, slot="plan", version=1, writer="action", value={"text": HOSTILE}),
                log.ActBegan(t_s=2, player=name, number=number, label="dig", program="p"),
                log.ActEnded(
                    t_s=3, player=name, number=number, label="dig", ended="done", error="", seconds=1, gained={}
                ),
                log.Speech(t_s=4, speaker=name, voice="say", text=f"to {other}", at=(0, 0, 0), hearers=[other]),
                log.InventoryEvent(bot=name, items={"dirt": number}, t_s=5),
                call(name, "unclaimed", number),
            ]
    events += [log.RunEnded(status="complete", result={})] * ended
    directory = run(tmp_path / "run", events)
    for name in ("Gizmo", "Glitch"):
        wanted = StepFilter(players=[name])
        few, whole = read_steps(directory, wanted, players=[name]), read_steps(directory, wanted)
        assert (found := list(few)) == list(whole)
        assert {step.player for step in found} == {"Gizmo", "Glitch"}
    read: list[log.LogLine] = []
    list(read_steps(directory, None, read.append, players=["Gizmo"]))
    assert {line.event.player for line in read if isinstance(line.event, log.SlotWritten)} == {"Gizmo"}


def test_each_step_has_the_calls_that_led_to_it_and_no_call_is_lost(tmp_path: Path) -> None:
    task = thought_events.TaskTaken("Mine", {"raw_iron": 2}, 1, 4, "it pays")
    found = steps(
        tmp_path,
        1,
        call("Gizmo", "curriculum", 0),
        call("Glitch", "curriculum", 0),
        text_part("Gizmo", task),
        call("Gizmo", "action", 0),
        text_part("Gizmo", thought_events.Unusable("action", "no code", final=False, role="action")),
        call("Gizmo", "action", 1, None),
        written("Gizmo", "a", "Plan"),
        log.RunEnded(status="complete", result={}),
    )
    shown = [(each.player, each.kind, [(made.role, made.number) for made in each.calls]) for each in found]
    assert shown == [
        ("Gizmo", "task", [("curriculum", 0)]),
        ("Gizmo", "fault", [("action", 0)]),
        ("Gizmo", "wrote", [("action", 1)]),
        ("Glitch", "call", [("curriculum", 0)]),
    ]
    prices = [(each.to_dict()["tokens"], each.to_dict()["usd"]) for each in found]
    assert prices == [(10, 0.5), (10, 0.5), (10, None), (10, 0.5)]


def test_turns_of_a_negotiation_claim_their_own_calls_although_these_are_logged_later(tmp_path: Path) -> None:
    faulty = log.NegotiationTurn(turn=1, speaker="Gizmo", message="10?", faults=["no-message"], raw=["hm"])
    found = steps(
        tmp_path,
        *(call("Gizmo", "negotiator", number) for number in range(3)),
        faulty,
        log.NegotiationTurn(turn=3, speaker="Gizmo", message="12?", thought="high"),
    )
    assert [(each.kind, len(each.calls)) for each in found] == [("fault", 0), ("said", 2), ("thought", 0), ("said", 1)]
    # Other players hear the words but not the thought.
    assert [each.kind for each in found if each.concerns("Glitch")] == ["said", "said"]


def test_actions_of_a_body_form_one_step_after_the_decision(tmp_path: Path) -> None:
    def action(ok: bool) -> log.ActionEvent:
        error = None if ok else {"name": "NoPath", "message": "no way"}
        return log.ActionEvent.model_validate(
            {"bot": "Gizmo", "name": "goTo", "ok": ok, "args": [[1, 2, 3], 1], "error": error, "t_s": 2.0}
        )

    decided = log.Decided(
        round=4, player="Gizmo", at=(0, 0), move="go", to=(1, 3), target="", said="", why="hungry", fault=""
    )
    deed = log.DeedSeen(step=4, round=4, deed="take", player="Gizmo", at=(1, 3), tree="tree 1", left=0)
    later = decided.model_copy(update={"round": 5})
    found = steps(tmp_path, 1, action(True), action(False), deed, decided, later)
    shown = [(each.kind, each.round, each.trouble) for each in found]
    assert shown == [("decided", 4, False), ("did", 4, True), ("decided", 5, False)]
    assert found[0].parts[0].text == "hungry"
    assert found[1].title == (
        "goTo((1, 2, 3), 1); goTo((1, 2, 3), 1) failed: NoPath, no way; took the apple at (1, 3) of tree 1: it was the "
        "last one"
    )


def test_gained_items_are_counted_and_an_attempt_starts_with_an_empty_inventory(tmp_path: Path) -> None:
    def has(count: int, t_s: float) -> log.InventoryEvent:
        return log.InventoryEvent(bot="Gizmo", items={"raw_iron": count} if count else {}, t_s=t_s)

    found = steps(
        tmp_path, 1, log.EpisodeStarted(attempt=1), has(0, 0), has(1, 1), has(3, 2), has(2, 3),
        log.EpisodeBroken(attempt=1, reason="lost", repeated=True), log.EpisodeStarted(attempt=2), has(1, 1),
    )  # fmt: skip
    assert [(each.kind, each.title, each.attempt) for each in found] == [
        ("did", "+2 raw_iron", 1),
        ("lost", "infrastructure broke this attempt; it is played again", 1),
        ("did", "+1 raw_iron", 2),
    ]
    assert found[0].parts[0].text == (
        "1.0\N{EN DASH}2.0 s  got raw_iron \N{MULTIPLICATION SIGN} 3\n3.0 s  gave up raw_iron"
    )


def test_an_unchanged_program_and_a_known_review_are_not_repeated(tmp_path: Path) -> None:
    found = steps(
        tmp_path,
        1,
        written("Gizmo", "a"),
        None,
        text_part("Gizmo", thought_events.Reviewed(True, "well done")),
        log.Critique(player="Gizmo", text="well done", success=True),
        log.Critique(player="Glitch", text="hm", success=None),
        2,
        written("Gizmo", "a"),
    )
    assert [(each.player, each.kind, each.title) for each in found] == [
        ("Gizmo", "wrote", "openai/x writes a program of 1 line"),
        ("Gizmo", "critic", "its critic: a success"),
        ("Glitch", "critic", "its critic"),
        ("Gizmo", "wrote", "keeps its program"),
    ]
    assert [(each.episode, each.between) for each in found] == [(1, False), (1, True), (1, True), (2, False)]


def test_steps_are_chosen_by_player_kind_episode_and_words(tmp_path: Path) -> None:
    said = [log.ChatEvent(sender=name, text=f"{name} digs") for name in ("Gizmo", "Glitch")]
    events = (1, *said, log.ChatEvent(sender=None, text="a game mode"), 2, written("Gizmo", "mineBlock"))
    assert len(steps(tmp_path / "all", *events)) == 3
    for wanted, count in (
        (StepFilter(players=("Glitch",)), 2),
        (StepFilter(players=("Gizmo",)), 3),
        (StepFilter(kinds=("wrote",)), 1),
        (StepFilter(episodes=(1,)), 2),
        (StepFilter(text="MINEBLOCK"), 1),
        (StepFilter(text="glitch DIGS"), 1),
        (StepFilter(players=("Glitch",), kinds=("wrote",)), 0),
    ):
        assert len(steps(tmp_path / str(wanted), *events, wanted=wanted)) == count, wanted


def test_a_killed_run_has_a_transcript_up_to_its_end(tmp_path: Path) -> None:
    action = log.ActionEvent(bot="Gizmo", name="goTo", ok=True)
    found = steps(tmp_path, 1, call("Gizmo", "action", 0), action)
    assert [each.kind for each in found] == ["did", "call"]


def test_every_kind_of_event_and_of_thought_has_a_handler() -> None:
    kinds = {each.model_fields["kind"].default for each in get_args(log.Event)}
    assert kinds >= EVENT_HANDLERS.keys()
    assert set(THOUGHT_TEXTS) == {each.__dataclass_fields__["what"].default for each in get_args(thought_events.Step)}
    assert KINDS.keys() >= STYLES.keys()


def test_a_thought_without_a_text_is_shown_field_by_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(THOUGHT_TEXTS, "questioned")  # type: ignore[misc] # a mapping that is a dict
    words = words_of(thought_events.Questioned({"why?": "because"}))
    assert (words.kind, words.title, words.parts[0].text) == ("thought", "questioned", "answers: why? because")


MEMORY = thought_events.Recollection(7, "an apple", "observation", 2, 0.5, 1.0, 0.25, 0.3)
ALL: list[thought_events.Step] = [
    thought_events.TurnPerceived(
        1, ("an apple",), (thought_events.Kept(1, "an apple", "observation", 5),), "it is gone"
    ),
    thought_events.Recalled(1, "plan", "apples", (MEMORY,)),
    thought_events.PlanWritten(1, "no plan", "because", "eat", "slowly", ("go",)),
    thought_events.Reflected(1, ("why?",), (thought_events.Kept(9, "so", "insight", 8, (1, 7)),)),
    thought_events.HypothesesHeld(
        5, ({"id": "H1", "text": "trees die", "for": 3, "against": 1, "status": "confirmed"},), ("yes",)
    ),
    thought_events.Deliberated(1, "hm", ({"act": "ask", "to": "Glitch", "text": "will you?"},)),
    thought_events.TaskTaken("Mine", {"raw_iron": 2}, 2, 4, "it pays", 1, 3),
    thought_events.Questioned({"What is iron?": "An ore."}),
    thought_events.SkillsFound("Mine", (thought_events.SkillShown("mineTwo", 3, "mines two"),), 5),
    thought_events.SkillLearned("mineTwo", 1, "mines two", "Mine"),
    thought_events.SkillLearned("mineTwo", 0, "mines two", "Mine", "its name is taken"),
    thought_events.Reviewed(None, "", "unreadable", "no iron"),
    thought_events.Unusable("act", "no JSON", role="mind"),
    thought_events.PromptShortened({"memories": 2}, 90, 80, over=10, role="mind"),
    thought_events.StrategyWritten("give half", "it pays", 2, role="player"),
    thought_events.Noted("is afraid", "of wolves", {"fear": 0.5}),
]


@pytest.mark.parametrize("step", ALL, ids=lambda step: step.what)
def test_every_thought_is_in_the_log_and_has_a_text(tmp_path: Path, step: thought_events.Step) -> None:
    line = log.LogLine(0, None, 0.0, 1, text_part("Gizmo", step))
    again = log.LogLine.from_json(line.to_json())
    assert again.event == line.event
    (shown,) = steps(tmp_path, 1, text_part("Gizmo", step))
    assert shown.kind in KINDS
    # Every text of the step appears in the output.
    for word in texts(json.loads(line.to_json())["data"]["step"], skip={"what", "role", "reason", "react", "part"}):
        assert word in shown.texts(), word


def texts(value: object, skip: set[str]) -> list[str]:
    if isinstance(value, dict):
        return [text for key, each in value.items() if key not in skip for text in texts(each, skip)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each, skip)]
    return [value] if isinstance(value, str) and value != "plan" else []


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    def written(rounds: int) -> Path:
        events: list[log.Event | int | None] = [1]
        for number in range(rounds):
            events += [
                call("Gizmo", "mind", number),
                text_part("Gizmo", thought_events.PlanWritten(number, "r", "w" * 500, "g", "p", ())),
            ]
            events += [call("Glitch", "odd", number), log.ActionEvent(bot="Gizmo", name=f"a{number}", ok=True)]
        return run(tmp_path / str(rounds), events)

    def read(directory: Path) -> int:
        return sum(1 for _ in read_steps(directory))

    short, long = written(500), written(1500)
    assert (read(short), read(long)) == (1500, 4500)
    assert stays_below(lambda: read(long), peak(lambda: read(short)) + 50_000)


def test_texts_of_calls_are_found_by_number_and_the_last_of_two_counts(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    lines = [
        json.dumps({"player": 'Gi"z', "role": "action", "number": number, "model": "m", "reply": reply})
        for number, reply in ((1, "one"), (0, "zero"), (1, "one again"))
    ]
    path.write_text("\n\n".join(lines) + '\n{"player": "Gi\\"z", "role": "action", "number": 0, "torn')
    book = CallTexts(path)
    made = (
        TranscriptStep("x", "call", "").calls,
        log.ModelCalled(player='Gi"z', purpose="action", model="m", tokens=1),
    )
    assert made[0] == ()

    def reply(number: int) -> str | None:
        from accord.analysis.transcript import TranscriptCall

        found = book.of(TranscriptCall('Gi"z', "action", number, "m", 1, None))
        return None if found is None else found["reply"]

    assert [reply(1), reply(2)] == ["one again", None]


class Tags(HTMLParser):
    """Parser that collects every tag and attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            if tag in ("details", "main", "body", "html", "ul", "pre"):
                pytest.fail(f"{tag} ends inside of another element")


def test_transcript_pages_are_complete_escaped_and_linked(tmp_path: Path) -> None:
    hostile: list[thought_events.Step] = [
        thought_events.PlanWritten(1, HOSTILE, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,)),
        thought_events.Noted(HOSTILE, HOSTILE, {HOSTILE: HOSTILE}),
    ]
    said = log.ChatEvent(sender="Glitch", text=HOSTILE, t_s=1.0)
    source = written("Gizmo", f"// {HOSTILE}", HOSTILE)
    events = [call("Gizmo", "mind", 0), 1, *(text_part("Gizmo", step) for step in hostile), said, source, None, said]
    run(tmp_path / "run", events)
    report = write_report([tmp_path / "run"], tmp_path)
    pages = [file for file in report.files if file.parent.name == "run-1"]
    assert [page.name for page in pages] == ["1-Gizmo.html", "2-Glitch.html"]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        tags = Tags()
        tags.feed(text)
        tags.close()
        assert tags.open == []
        names = {name for name, _ in tags.seen}
        assert not names & {"script", "img", "link", "iframe"}
        assert not {"\x1b", "\u202e"} & set(text)
        links = [attributes["href"] for name, attributes in tags.seen if name == "a"]
        assert all((page.parent / str(link)).exists() for link in links)
        assert "&lt;script&gt;alert(1)" in text
    assert 'href="minds/run-1/1-Gizmo.html"' in report.html.read_text(encoding="utf-8")
    # Glitch's page has the words it heard, but not Gizmo's thoughts.
    other = pages[1].read_text(encoding="utf-8")
    assert other.count("k-said") == pages[0].read_text(encoding="utf-8").count("k-said")
    assert 'class="step k-plan' not in other


def test_a_rewritten_report_has_no_pages_of_removed_runs(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(tmp_path / name, [1, written("Gizmo", "x")])
    write_report([tmp_path / "a", tmp_path / "b"], tmp_path / "out")
    assert (tmp_path / "out/minds/run-2/1-Gizmo.html").exists()
    write_report([tmp_path / "a"], tmp_path / "out")
    assert [path.name for path in sorted((tmp_path / "out/minds").rglob("*.html"))] == ["1-Gizmo.html"]


def test_a_life_shows_slots_choices_actions_and_hearers(tmp_path: Path) -> None:
    act = {"t_s": 3.0, "player": "Gizmo", "number": 1, "label": "fetch wood", "seconds": 2.0}
    found = steps(
        tmp_path,
        1,
        log.LifeBegan(t_s=0.0, player="Gizmo", attempt=1),
        call("Gizmo", "goal_generation", 0),
        log.SlotWritten(
            t_s=1.0,
            player="Gizmo",
            slot="goal",
            version=2,
            writer="goal_generation",
            value={"text": "wood", "t_s": 1.0},
        ),
        call("Gizmo", "controller", 0),
        log.ChoiceMade(t_s=1.5, player="Gizmo", number=1, choice={"doing": "fell", "why": "need"}, passed=[]),
        log.Speech(
            t_s=2.0, speaker="Gizmo", voice="whisper", to="Glitch", text="come", at=(0, 0, 0), hearers=["Glitch"]
        ),
        log.ChatEvent(sender="Gizmo", text="come"),
        log.ActEnded.model_validate({**act, "ended": "failed", "error": "NoPath", "gained": {"oak_log": 1}}),
        log.MindNoted(t_s=4.0, player="Gizmo", what="unreadable", module="talking", reason="no JSON", text="hm"),
    )
    shown = [(each.kind, each.title, each.t_s, [made.role for made in each.calls]) for each in found]
    assert shown == [
        ("plan", "goal: wood", 1.0, ["goal_generation"]),
        ("decided", "decides: fell", 1.5, ["controller"]),
        ("said", "whispers to Glitch: come", 2.0, []),
        ("did", "fetch wood, failed: NoPath (+1 oak_log)", 3.0, []),
        ("fault", "talking: an answer of no use", 4.0, []),
    ]
    assert [each.kind for each in found if each.concerns("Glitch")] == ["said"]
