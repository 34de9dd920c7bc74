"""Frames of a page by the browser's own trace (Chrome's Trace Event Format): what the main thread took for each.

A frame is a task of the page's main thread in which the browser asks the page to draw (`FireAnimationFrame`): script,
style, layout and paint of it. `dur` is by the wall clock, `tdur` the CPU time of that thread, both in microseconds.
"""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.fakes.browser import Page

CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
ASKED, TASK = "FireAnimationFrame", "RunTask"
BUDGET_MS = 1000 / 60


@dataclass(frozen=True)
class Frames:
    """Times of frames in ms."""

    wall: tuple[float, ...]
    """From the beginning to the end of each."""
    cpu: tuple[float, ...]
    """CPU time of the main thread for each."""
    apart: tuple[float, ...]
    """From each one's beginning to the next one's."""

    def told(self) -> str:
        """Return a line: medians, 95 %, and the share of frames within a 60th of a second."""
        return "; ".join(f"{name} {_told(times)}" for name, times in vars(self).items() if times) or "no frames"


def _told(times: tuple[float, ...]) -> str:
    ordered = sorted(times)
    within = sum(time <= BUDGET_MS for time in ordered) / len(ordered)
    return (
        f"{ordered[len(ordered) // 2]:.1f} ms (95 %: {ordered[int(len(ordered) * 0.95)]:.1f}), "
        f"{100 * within:.1f} % of {len(ordered)} within {BUDGET_MS:.1f} ms"
    )


def frames_in(events: Iterable[Mapping[str, Any]]) -> Frames:
    """Return the frames of the thread that drew most of them.

    Times of frames that the trace has only half of are left out.
    """
    threads: dict[tuple[int, int], tuple[list[float], list[Mapping[str, Any]]]] = {}
    for event in events:
        if event.get("ph") == "X" and event.get("name") in (ASKED, TASK):
            asked, tasks = threads.setdefault((event["pid"], event["tid"]), ([], []))
            if event["name"] == ASKED:
                asked.append(event["ts"])
            else:
                tasks.append(event)
    asked, tasks = max(threads.values(), key=lambda each: len(each[0]), default=([], []))
    tasks.sort(key=lambda task: task["ts"])
    begins = [task["ts"] for task in tasks]
    found: dict[float, Mapping[str, Any]] = {}
    for moment in asked:
        task = tasks[bisect_right(begins, moment) - 1] if begins and begins[0] <= moment else None
        if task is not None and moment <= task["ts"] + task["dur"]:
            found[task["ts"]] = task
    drawn = [found[begin] for begin in sorted(found)]
    starts = [task["ts"] / 1000 for task in drawn]
    return Frames(
        tuple(task["dur"] / 1000 for task in drawn),
        tuple(task["tdur"] / 1000 for task in drawn if "tdur" in task),
        tuple(after - before for before, after in pairwise(starts)),
    )


def traced(page: Page, seconds: float) -> Frames:
    """Return the frames that the page draws in that time."""
    page.call("Tracing.start", transferMode="ReturnAsStream", traceConfig={"includedCategories": CATEGORIES})
    time.sleep(seconds)
    page.call("Tracing.end")
    stream = page.heard("Tracing.tracingComplete")["stream"]
    text = ""
    while True:
        part = page.call("IO.read", handle=stream)
        text += part["data"]
        if part["eof"]:
            break
    page.call("IO.close", handle=stream)
    return frames_in(json.loads(text)["traceEvents"])
