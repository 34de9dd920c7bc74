"""Bounds on the memory of an episode in the report, independent of its log's length."""

from __future__ import annotations

import random

import pytest

from accord.analysis.report import episode_timeline
from accord.analysis.report.episode_timeline import MAX_REMARKS, TimelineReader
from accord.analysis.report.episodes import MAX_HOLDINGS, MAX_SAMPLES, EpisodeBuilder
from accord.analysis.report.model import TimelineEntry
from dilemmas.records import events as log


def line(event: log.Event) -> log.LogLine:
    return log.LogLine(0, None, 0.0, 1, event)


def test_curves_keep_their_shape_and_their_end_within_a_bound() -> None:
    builder = EpisodeBuilder()
    count = 10 * MAX_SAMPLES + 7
    for step in range(count):
        held = {"Gizmo": log.Holdings(items={}, mined={}, reward=float(step))}
        builder.add_line(line(log.StateSeen(t_s=float(step), players=held)))
    (episode,) = builder.build()
    assert MAX_SAMPLES / 2 <= len(episode.samples) <= MAX_SAMPLES + 1
    assert (episode.samples[0].t_s, episode.samples[-1].t_s) == (0.0, count - 1.0)
    assert all(each.players["Gizmo"].reward == each.t_s for each in episode.samples)
    steps = {after.t_s - before.t_s for before, after in zip(episode.samples, episode.samples[1:-1], strict=False)}
    assert len(steps) == 1


def test_a_crowd_keeps_fewer_samples() -> None:
    builder = EpisodeBuilder()
    crowd = {f"P{number}": log.Holdings(items={}, mined={}, reward=0.0) for number in range(500)}
    builder.add_line(line(log.StateSeen(t_s=0.0, players=crowd)))
    for step in range(1, 1000):
        mover = {f"P{step % 500}": log.Holdings(items={}, mined={}, reward=float(step))}
        builder.add_line(line(log.StateSeen(t_s=float(step), players=mover)))
    (episode,) = builder.build()
    held = sum(len(each.players) for each in episode.samples)
    assert MAX_HOLDINGS / 4 <= held <= MAX_HOLDINGS + 2 * len(crowd)
    assert (episode.samples[0].t_s, episode.samples[-1].t_s) == (0.0, 999.0)


def test_unchanged_values_are_carried_forward_within_an_attempt() -> None:
    one, two = (log.Holdings(items={}, mined={}, reward=value) for value in (1.0, 2.0))
    builder = EpisodeBuilder()
    for event in (
        log.EpisodeStarted(attempt=1),
        log.StateSeen(t_s=0.0, players={"Lost": one}, world={"lava": 1}),
        log.EpisodeStarted(attempt=2),
        log.StateSeen(t_s=0.0, players={"Gizmo": one, "Glitch": one}, world={"slime": 3, "moss": 1}),
        log.StateSeen(t_s=1.0, players={"Glitch": two}),
        log.StateSeen(t_s=2.0, players={}, world={"slime": 2}),
        log.EndStateRead(t_s=1.5, players={"Gizmo": two, "Glitch": two}, chest={}),
    ):
        builder.add_line(line(event))
    (episode,) = builder.build()
    assert [(each.t_s, each.players, each.world) for each in episode.samples] == [
        (0.0, {"Gizmo": one, "Glitch": one}, {"slime": 3, "moss": 1}),
        (1.0, {"Gizmo": one, "Glitch": two}, {"slime": 3, "moss": 1}),
        (2.0, {"Gizmo": one, "Glitch": two}, {"slime": 2, "moss": 1}),
        (2.0, {"Gizmo": two, "Glitch": two}, {"slime": 2, "moss": 1}),
    ]


def test_a_short_episode_is_kept_whole() -> None:
    builder = EpisodeBuilder()
    for step in range(100):
        builder.add_line(line(log.StateSeen(t_s=float(step), players={})))
    assert [each.t_s for each in builder.build()[0].samples] == [float(step) for step in range(100)]


def test_remarks_beyond_the_bound_are_counted() -> None:
    builder = EpisodeBuilder()
    for number in range(MAX_REMARKS + 12):
        builder.add_line(line(log.LogEvent(bot="Gizmo", level="log", text=str(number), t_s=None)))
    timeline = builder.build()[0].timeline
    assert len(timeline) == MAX_REMARKS + 1
    assert timeline[-1].text == "12 more remarks are in events.jsonl"


def test_a_full_timeline_still_counts_remarks_and_repetitions(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(3)
    events: list[log.Event] = []
    for step in range(600):
        bot, what = draw.choice(["Gizmo", "Glitch"]), draw.choice(["iron", "gold"])
        name = draw.choice(["mineBlock", "goTo", "wait"])
        events.append(log.telemetry("action", {"bot": bot, "name": name, "ok": True, "args": [what]}, step * 0.7))
        events.append(log.LogEvent(bot=bot, level="log", text=what, t_s=None if step % 7 == 0 else step * 0.7))

    def told() -> tuple[TimelineEntry, ...]:
        reader = TimelineReader()
        for event in events:
            reader.add_event(event)
        return reader.entries()

    monkeypatch.setattr(episode_timeline, "MAX_REMARKS", 40)
    shortened = told()
    monkeypatch.setattr(TimelineReader, "_is_left", lambda *_: False)
    assert shortened == told()
    assert len(shortened) == 41


def test_lines_without_content_make_no_episode() -> None:
    builder = EpisodeBuilder()
    builder.add_line(line(log.UnknownTelemetry(original={"kind": "new"}, t_s=None)))
    assert (builder.build(), builder.ended) == ((), 0)


def test_earlier_episodes_keep_only_their_end_state() -> None:
    builder = EpisodeBuilder()
    held = {"Gizmo": log.Holdings(items={}, mined={}, reward=1.0)}
    for number in (1, 2, 3):
        events: list[log.Event] = [log.StateSeen(t_s=float(step), players=held) for step in range(3)]
        if number < 3:
            events.append(log.EpisodeEnded(reason="time_limit", game_s=2.0, wall_s=2.0, players={}))
        for event in events:
            builder.add_line(log.LogLine(0, None, 0.0, number, event))
    # The third episode never ended, so the second may still be the last that counts.
    assert [[each.t_s for each in episode.samples] for episode in builder.build()] == [[2.0], [0, 1, 2], [0, 1, 2]]
