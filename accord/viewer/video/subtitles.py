"""Subtitles of videos: who said what, in the pictures, or as a WebVTT or SubRip file beside the video.

Players let both formats carry markup, and the words are those of agents. Their signs of markup are escaped where the
format can escape them (WebVTT), and replaced where it cannot (SubRip). Pictures have no markup.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from accord.analysis.report.text import one_line
from accord.viewer.index import RunIndex
from accord.viewer.scene import short
from dilemmas.errors import RecordError

DRAWN, OMITTED = "picture", "none"
"""Settings of subtitles that are no format: in the pictures, and nowhere."""
SPOKEN = ("chat", "say", "shout", "whisper", "negotiation")
"""Kinds of words that are shown."""
SHOWN = 3
"""Maximum number of utterances at the same time; the oldest gives way."""
LEAST_S, MOST_S = 1.5, 7.0
"""Shortest and longest time of an utterance on the screen, in seconds of the video."""
CHARS_A_S = 15.0
"""Characters that are read per second."""
MAX_CHARS = 200
"""Maximum length of an utterance, in characters."""
MAX_DRAWN = 200
"""Maximum length of a caption in a picture with its speaker, in characters: what lies beyond has no room there."""
_PLAIN = str.maketrans({"<": "\u2039", ">": "\u203a", "{": "(", "}": ")", "\\": "/"})
"""Signs of SubRip's markup and of what players take for it, and signs that look like them."""


@dataclass(frozen=True)
class Caption:
    """An utterance with its time in the video."""

    begin_s: float
    end_s: float
    speaker: str
    receiver: str
    """Name of the listener or channel; empty for all."""
    text: str
    """One line."""

    @property
    def label(self) -> str:
        """Speaker, and listener if there is one."""
        return f"{self.speaker} to {self.receiver}" if self.receiver else self.speaker


def shown_at(captions: Sequence[Caption], seconds: float) -> list[str]:
    """Return the texts of captions at a time of the video, in order of time."""
    shown = [each for each in captions if each.begin_s <= seconds < each.end_s]
    return [short(f"{each.label}: {each.text}", MAX_DRAWN) for each in shown]


def read_captions(run: Path, *, begin_s: float, end_s: float, speed: float) -> list[Caption]:
    """Return what was said in a part of a run.

    Args:
        run: Directory of the run.
        begin_s: First moment of the record.
        end_s: Last moment.
        speed: Seconds of the record per second of the video.

    Raises:
        RecordError: The record cannot be read.
    """
    index = RunIndex(run)
    try:
        while index.step():
            pass
        query = (
            "SELECT at, speaker, receiver, text FROM words WHERE at >= ? AND at <= ? AND speaker <> '' "
            f"AND kind IN ({', '.join('?' * len(SPOKEN))}) ORDER BY at, id"
        )
        rows = index.rows(query, [begin_s, end_s, *SPOKEN])
    finally:
        index.close()
    length = (end_s - begin_s) / speed
    said = [
        Caption((at - begin_s) / speed, length, one_line(who, 40), one_line(to, 80), one_line(text, MAX_CHARS))
        for at, who, to, text in rows
    ]
    return _timed([each for each in said if each.text], length)


def _timed(said: Sequence[Caption], length: float) -> list[Caption]:
    """Return utterances in order of time with the ends at which they give way to later ones."""
    found: list[Caption] = []
    for each in said:
        seconds = min(MOST_S, max(LEAST_S, len(each.text) / CHARS_A_S))
        found.append(replace(each, end_s=min(length, each.begin_s + seconds)))
    for number, later in enumerate(found):
        if number >= SHOWN:
            earlier = found[number - SHOWN]
            found[number - SHOWN] = replace(earlier, end_s=min(earlier.end_s, later.begin_s))
    # What gives way at once cannot be read: it is not shown.
    return [each for each in found if each.end_s - each.begin_s >= 0.1]


def webvtt(captions: Sequence[Caption]) -> str:
    """Return captions as WebVTT, with the speaker as the voice of each cue."""
    cues = [
        f"{number}\n{_stamp(each.begin_s, '.')} --> {_stamp(each.end_s, '.')}\n"
        f"<v {_escaped(each.speaker)}>{_escaped(each.label)}: {_escaped(each.text)}</v>\n"
        for number, each in enumerate(captions, 1)
    ]
    return "\n".join(["WEBVTT\n", *cues])


def subrip(captions: Sequence[Caption]) -> str:
    """Return captions as SubRip."""
    cues = [
        f"{number}\n{_stamp(each.begin_s, ',')} --> {_stamp(each.end_s, ',')}\n"
        f"{each.label.translate(_PLAIN)}: {each.text.translate(_PLAIN)}\n"
        for number, each in enumerate(captions, 1)
    ]
    return "\n".join(cues)


FORMATS: Mapping[str, Callable[[Sequence[Caption]], str]] = {"vtt": webvtt, "srt": subrip}
"""Name and file ending of a format -> its writer."""


def write_subtitles(video: Path, kind: str, captions: Sequence[Caption]) -> Path:
    """Write the subtitles beside a video, and return their file. Raises RecordError."""
    path = video.with_suffix(f".{kind}")
    try:
        path.write_text(FORMATS[kind](captions), encoding="utf-8")
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _stamp(seconds: float, sign: str) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}{sign}{ms % 1000:03}"
