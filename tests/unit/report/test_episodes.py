"""What the report keeps of an episode is bounded, whatever the length of its log."""

from __future__ import annotations

from dilemmas.analysis.report.episodes import MAX_REMARKS, MAX_SAMPLES, Draft
from dilemmas.records import events as log


def line(event: log.Event) -> log.Line:
    return log.Line(0, None, 0.0, 1, event)


def test_curves_keep_their_shape_and_their_end_within_a_bound() -> None:
    draft = Draft()
    count = 10 * MAX_SAMPLES + 7
    for step in range(count):
        held = {"Gizmo": log.Holdings(items={}, mined={}, reward=float(step))}
        draft.take(line(log.StateSeen(t_s=float(step), players=held)))
    (episode,) = draft.finish()
    assert MAX_SAMPLES / 2 <= len(episode.samples) <= MAX_SAMPLES + 1
    assert (episode.samples[0].t_s, episode.samples[-1].t_s) == (0.0, count - 1.0)
    assert all(each.players["Gizmo"].reward == each.t_s for each in episode.samples)
    steps = {after.t_s - before.t_s for before, after in zip(episode.samples, episode.samples[1:-1], strict=False)}
    assert len(steps) == 1


def test_a_short_episode_is_kept_whole() -> None:
    draft = Draft()
    for step in range(100):
        draft.take(line(log.StateSeen(t_s=float(step), players={})))
    assert [each.t_s for each in draft.finish()[0].samples] == [float(step) for step in range(100)]


def test_remarks_beyond_the_bound_are_counted() -> None:
    draft = Draft()
    for number in range(MAX_REMARKS + 12):
        draft.take(line(log.LogEvent(bot="Gizmo", level="log", text=str(number), t_s=None)))
    timeline = draft.finish()[0].timeline
    assert len(timeline) == MAX_REMARKS + 1
    assert timeline[-1].text == "12 more remarks are in events.jsonl"


def test_lines_that_tell_nothing_make_no_episode() -> None:
    draft = Draft()
    draft.take(line(log.UnknownTelemetry(original={"kind": "new"}, t_s=None)))
    assert (draft.finish(), draft.episodes) == ((), 0)
