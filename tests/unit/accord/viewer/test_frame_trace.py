"""Frames in a browser's trace: tasks of the page's main thread that draw."""

from __future__ import annotations

from benchmarks.frame_trace import frames_in


def event(name: str, ts: float, dur: float, *, tid: int = 1, **more: object) -> dict[str, object]:
    return {"ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, **more}


def test_a_frame_is_the_task_in_which_the_page_is_asked_to_draw() -> None:
    found = frames_in(
        [
            event("RunTask", 40_000, 20_000, tdur=12_000),
            event("FireAnimationFrame", 5_100, 100),
            event("RunTask", 5_000, 8_000, tdur=6_000),
            event("FireAnimationFrame", 5_300, 100),  # The same frame asks twice.
            event("RunTask", 20_000, 500, tdur=500),  # No frame.
            event("FireAnimationFrame", 41_000, 100),
            event("FireAnimationFrame", 90_000, 100),  # Its task is missing from the trace.
            event("RunTask", 40_500, 1, tid=2),  # Another thread.
            {"ph": "M", "name": "thread_name", "pid": 7, "tid": 1},
        ]
    )
    assert (found.wall, found.cpu, found.apart) == ((8.0, 20.0), (6.0, 12.0), (35.0,))
    assert "wall 20.0 ms (95 %: 20.0), 50.0 % of 2 within 16.7 ms" in found.told()


def test_a_trace_without_frames_says_so() -> None:
    assert frames_in([event("RunTask", 1, 2)]).told() == "no frames"
