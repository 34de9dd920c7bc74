"""Videos of records: bodies, blocks and cameras follow the record, and encoders leave no half-written file."""

from __future__ import annotations

import asyncio
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

import accord
from accord.cli import main
from accord.viewer.video.cameras import orbit, overview
from accord.viewer.video.encoders import find_ffmpeg, open_encoder
from accord.viewer.video.filming import Film, FilmSettings, film_run
from accord.viewer.video.subtitles import read_captions, shown_at, subrip
from accord.viewer.video.tracks import BodyPose, BodyTrack, read_tracks
from common.errors import PrerequisiteError
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import LogLine, PlacesSeen
from dilemmas.records.record import read_events
from tests.unit.accord.viewer.records import line as log_line

SMALL = FilmSettings(width=96, height=64, fps=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record of a run of Double-Vein in which both players mine."""
    out = tmp_path_factory.mktemp("filmed")
    return accord.run("double-vein", "contract-1", world="mock", out=out, report=False, progress=False).path


def film(
    run: Path, to: Path, settings: FilmSettings, progress: Callable[[int, int], None] = lambda done, of: None
) -> Film:
    return asyncio.run(film_run(run, to, settings, progress))


def frames(video: Path) -> list[bytes]:
    with Image.open(video) as image:
        found = []
        for number in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(number)
            found.append(image.convert("RGB").tobytes())
        return found


class PictureList(list[bytes]):
    """Encoder that keeps the pictures; encoders of GIF merge equal ones."""

    add = list.append

    def finish(self) -> None:
        """Write no file."""

    abort = finish


def pictures(run: Path, settings: FilmSettings, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return all pictures of a video, as PNG files."""
    made = PictureList()
    monkeypatch.setattr("accord.viewer.video.filming.open_encoder", lambda _to, _fps: made)
    film(run, run / "video.gif", settings)
    return made


def test_a_track_walks_between_reports_and_jumps_over_long_ways() -> None:
    track = BodyTrack()
    for at, spot in (
        (1.0, (0.0, 64.0, 0.0)),
        (3.0, (2.0, 64.0, 0.0)),
        (60.0, (2.0, 64.0, 6.0)),
        (61.0, (900.0, 64.0, 6.0)),
    ):
        track.add(at, spot)
    track.add(70.0, None)
    assert track.at(0.5) is None
    assert track.at(2.0) == BodyPose(1.0, 64.0, 0.0, -90.0)
    # It stood still until shortly before it was reported again.
    assert track.at(40.0) == BodyPose(2.0, 64.0, 0.0, -90.0)
    assert track.at(57.0) == BodyPose(2.0, 64.0, 3.0, 0.0)
    assert track.at(60.9) == BodyPose(2.0, 64.0, 6.0, 0.0)
    assert track.at(71.0) is None


def test_tracks_follow_the_log_and_look_at_what_is_mined(run: Path) -> None:
    tracks = read_tracks(run)
    assert set(tracks.players) == {"Gizmo", "Glitch"}
    assert sum(change.block == "air" for change in tracks.blocks) == 18
    work = tracks.work["Gizmo"][0]
    place = dict(tracks.alive(work.at - 0.1))["Gizmo"]
    assert place == place.looking_at(work.x + 0.5, work.y + 0.5, work.z + 0.5)


def test_names_that_are_no_players_never_reach_a_command(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "run"))
    lines = list(read_events(copy / "events.jsonl"))
    for number, line in enumerate(lines):
        if isinstance(line.event, PlacesSeen):
            hostile = line.event.model_copy(
                update={"at": {**line.event.at, "@e": (0.0, 64.0, 0.0), "a b": (0.0, 64.0, 0.0)}}
            )
            lines[number] = LogLine(line.seq, line.tick, line.time, line.episode, hostile)
    (copy / "events.jsonl").write_text("".join(f"{line.to_json()}\n" for line in lines), encoding="utf-8")
    assert set(read_tracks(copy).players) == {"Gizmo", "Glitch"}


def test_states_of_blocks_and_the_weather_are_filmed_and_texts_that_are_none_are_not(run: Path, tmp_path: Path) -> None:
    log = Path(shutil.copytree(run, tmp_path / "run")) / "events.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    end = next(number for number, each in enumerate(lines) if '"kind": "episode_ended"' in each)
    moment = read_tracks(run).end
    rows = [[0, -60, 3, "oak_stairs"], [1, -60, 3, "stone"], [2, -60, 3, "x run say hi"], [3, -60, 3, "oak_door"]]
    texts = {0: "oak_stairs[facing=east,half=top]", 1: "dirt[facing=east]", 3: "oak_door[half=upper] run say hi",
             8: "air] run say hi", 9: "wheat[age=5]"}  # fmt: skip
    states = [[x, -60, 3, text] for x, text in texts.items()]
    changed = log_line(11, "ground_changed", t_s=moment, changed={"Gizmo": rows}, tops=[], left_out=0, states=states)
    weather = [log_line(12, "weather", t_s=moment, weather=name) for name in ("rain", "clear 1 run say hi")]
    log.write_text("".join([*lines[:end], changed, *weather, *lines[end:]]), encoding="utf-8")
    tracks = read_tracks(log.parent)
    shown = [change.block for change in tracks.blocks[-4:]]
    assert shown == ["oak_stairs[facing=east,half=top]", "stone", "oak_door", "wheat[age=5]"]
    assert [change.x for change in tracks.work[""]] == [9]
    assert [weather for _, weather in tracks.weather] == ["rain"]
    settings = replace(SMALL, fps=10, begin_s=moment - 0.1)
    film(log.parent, tmp_path / "wet.gif", settings)
    log.write_text(log.read_text(encoding="utf-8").replace('"rain"', '"clear"'), encoding="utf-8")
    film(log.parent, tmp_path / "dry.gif", settings)
    assert frames(tmp_path / "wet.gif")[-1] != frames(tmp_path / "dry.gif")[-1]


def test_items_on_the_ground_are_filmed_until_they_are_gone_and_older_records_as_before(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Path(shutil.copytree(run, tmp_path / "run")) / "events.jsonl"
    lines = [
        each for each in log.read_text(encoding="utf-8").splitlines(keepends=True) if '"kind": "drops"' not in each
    ]
    end = next(number for number, each in enumerate(lines) if '"kind": "episode_ended"' in each)
    tracks = read_tracks(run)
    x, y, z = dict(tracks.alive(tracks.end))["Gizmo"][:3]
    rows = {str(n): ["gold_block", 2, [x + n / 2, y, z + 1]] for n in range(9)}
    hostile = {"91": ["apple run say hi", 1, [x, y, z]], "9]": ["apple", 1, [x, y, z]], "92": ["no_item", 1, [x, y, z]]}

    def filmed(at: dict[str, object], gone: list[str]) -> list[bytes]:
        told = [({}, []), (at, []), ({}, gone)]
        drops = [
            log_line(11, "drops", t_s=tracks.end - tracks.began[0] + second, at=at, gone=gone)
            for second, (at, gone) in enumerate(told)
        ]
        log.write_text("".join([*lines[:end], *drops, *lines[end:]]), encoding="utf-8")
        return pictures(log.parent, replace(SMALL, begin_s=tracks.end, end_s=tracks.end + 2), monkeypatch)

    [before, then, later] = filmed({}, [])
    [first, there, after] = filmed({**rows, **hostile}, list(rows))
    assert set(read_tracks(log.parent).drops[-2][1] or ()) == {*rows, "92"}
    assert [first, after] == [before, later]
    assert there != then


def test_subtitles_hold_what_is_said_at_its_time_and_hostile_words_stay_words(run: Path, tmp_path: Path) -> None:
    log = Path(shutil.copytree(run, tmp_path / "run")) / "events.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    begin = next(number for number, each in enumerate(lines, 1) if '"kind": "policies_started"' in each)
    hostile = "<b>00:00:01.000 --> 00:00:09.000\n\nNOTE {\\an8}\u202e & bye"
    told = [(3.0, "Gizmo", "hi all"), (3.5, "Glitch", hostile), (4.0, "Gizmo", "a"), (4.4, "Gizmo", "b"),
            (4.4, "Gizmo", "c"), (4.4, "Gizmo", "d"), (11.0, "Glitch", "too late")]  # fmt: skip
    chats = [log_line(9, "chat", 1, t_s=at, text=text, **{"from": who}) for at, who, text in told]
    log.write_text("".join([*lines[:begin], *chats, *lines[begin:]]), encoding="utf-8")
    base = read_captions(log.parent, begin_s=0, end_s=100, speed=1)[0].begin_s - 3
    settings = replace(SMALL, begin_s=base + 1, end_s=base + 9, speed=2, subtitles="vtt")
    made = film(log.parent, tmp_path / "said.gif", settings)
    assert (made.subtitles, made.captions) == (tmp_path / "said.vtt", 6)
    assert (tmp_path / "said.vtt").read_text(encoding="utf-8").split("\n\n") == [
        "WEBVTT",
        "1\n00:00:01.000 --> 00:00:01.700\n<v Gizmo>Gizmo: hi all</v>",
        "2\n00:00:01.250 --> 00:00:01.700\n<v Glitch>Glitch: &lt;b&gt;00:00:01.000 --&gt; 00:00:09.000 NOTE {\\an8}"
        "\\u202e &amp; bye</v>",
        "3\n00:00:01.500 --> 00:00:01.700\n<v Gizmo>Gizmo: a</v>",
        "4\n00:00:01.700 --> 00:00:03.200\n<v Gizmo>Gizmo: b</v>",
        "5\n00:00:01.700 --> 00:00:03.200\n<v Gizmo>Gizmo: c</v>",
        "6\n00:00:01.700 --> 00:00:03.200\n<v Gizmo>Gizmo: d</v>\n",
    ]
    [first, second, *_] = read_captions(log.parent, begin_s=base + 1, end_s=base + 9, speed=2)
    whispered = replace(second, receiver="<i>")
    assert subrip([first, whispered]) == (
        "1\n00:00:01,000 --> 00:00:01,700\nGizmo: hi all\n\n2\n00:00:01,250 --> 00:00:01,700\n"
        "Glitch to \u2039i\u203a: \u2039b\u203a00:00:01.000 --\u203a 00:00:09.000 NOTE (/an8)/u202e & bye\n"
    )


def test_what_is_said_is_written_into_the_pictures_for_a_while_unless_it_is_left_out(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Path(shutil.copytree(run, tmp_path / "run")) / "events.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    begin = next(number for number, each in enumerate(lines, 1) if '"kind": "policies_started"' in each)
    hostile = "\u202e\u0000<b>\U0001f600 " * 500
    chats = [log_line(9, "chat", 1, t_s=1.0, text=text, **{"from": "Gizmo"}) for text in ("hi", hostile)]
    log.write_text("".join([*lines[:begin], *chats, *lines[begin:]]), encoding="utf-8")
    base = read_tracks(log.parent).began[0]
    settings = replace(SMALL, width=160, height=90, begin_s=base, end_s=base + 10)
    drawn = pictures(log.parent, settings, monkeypatch)
    plain = pictures(log.parent, replace(settings, subtitles="none"), monkeypatch)
    said = [at for at, (one, other) in enumerate(zip(drawn, plain, strict=True)) if one != other]
    assert said == [1, 2, 3, 4, 5, 6, 7]
    assert drawn == pictures(log.parent, settings, monkeypatch)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    captions = read_captions(log.parent, begin_s=base, end_s=base + 10, speed=1)
    assert shown_at(captions, 0.9) == []
    assert [(len(each), each[-1]) for each in shown_at(captions, 1.0)] == [(9, "i"), (200, "\N{HORIZONTAL ELLIPSIS}")]


def test_the_map_keeps_all_players_in_view_and_an_orbit_looks_at_their_middle() -> None:
    places = {"a": BodyPose(0, 64, 0), "b": BodyPose(40, 70, 10)}
    shot = overview(places, None, 16 / 9)
    assert (shot.feet.x, shot.feet.y, shot.feet.z) == (20, 64, 5)
    wider = overview({"a": BodyPose(0, 64, 0), "b": BodyPose(80, 64, 0)}, shot, 16 / 9)
    assert shot.above is not None
    assert wider.above is not None
    assert wider.above > shot.above
    # It never comes nearer again, which would make the picture pump.
    assert overview({"a": BodyPose(0, 64, 0)}, wider, 16 / 9).above == wider.above
    first, quarter = orbit(places, 0.0), orbit(places, 10.0)
    assert first.feet.z > 5
    assert quarter.feet.x > 20
    assert abs(abs(first.feet.yaw) - 180) < 1e-6
    assert quarter.feet.yaw == pytest.approx(90)


@pytest.mark.parametrize("camera", ["map", "orbit", "Gizmo"])
def test_a_video_shows_the_run_and_is_the_same_again(run: Path, tmp_path: Path, camera: str) -> None:
    settings = replace(SMALL, camera=camera, begin_s=8, end_s=20, speed=3)
    told: list[tuple[int, int]] = []
    made = film(run, tmp_path / "one.gif", settings, lambda done, of: told.append((done, of)))
    film(run, tmp_path / "two.gif", settings)
    assert (made.frames, told[-1]) == (5, (5, 5))
    shown = frames(tmp_path / "one.gif")
    assert len(set(shown)) == 5
    assert shown == frames(tmp_path / "two.gif")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.gif", "two.gif"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"camera": "Nobody"}, "'Nobody' is nobody in this run; choose map, orbit, Gizmo"),
        ({"begin_s": 500}, "is not within the record, which lasts"),
        ({"end_s": 1e9}, "is not within the record, which lasts"),
        ({"fps": 0}, "fps 0 is not legal: use 1 to 60"),
        ({"speed": 0}, "speed 0 is not legal: use 0.1 to 1000"),
        ({"subtitles": "ass"}, "subtitles: 'ass' is not legal; choose one of picture, vtt, srt, none"),
        ({"width": 97}, "width 97 is not legal: use an even number of pixels from 64 to 1920"),
        ({"fps": 60, "speed": 0.1, "end_s": 10}, "use --from and --to, or raise --speed"),
    ],
)
def test_bad_settings_are_refused_and_leave_nothing(
    run: Path, tmp_path: Path, change: dict[str, float], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accord.viewer.video.filming.MAX_FRAMES", 1000)
    with pytest.raises(UsageError, match=told):
        film(run, tmp_path / "video.gif", replace(SMALL, **change))  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_the_command_refuses_what_is_no_video_and_runs_without_a_land(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def error_of(*arguments: str) -> str:
        assert main(["view", *arguments]) != 0
        return " ".join(capsys.readouterr().err.split())

    assert "choose a name that ends in .mp4, .webm, .gif" in error_of(str(run), "--video", str(tmp_path / "video.avi"))
    assert "size '9' is not WIDTHxHEIGHT" in error_of(str(run), "--video", str(tmp_path / "v.gif"), "--size", "9")
    game = accord.run("chameleon", out=tmp_path / "game", report=False, progress=False).path
    assert "no places of players" in error_of(str(game), "--video", str(tmp_path / "v.gif"))
    assert not list(tmp_path.glob("v*"))


def write_ffmpeg(folder: Path, script: str) -> None:
    """Put a program called ffmpeg into a folder."""
    program = folder / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)


def feed(path: Path, pictures: Iterable[bytes]) -> None:
    encoder = open_encoder(path, 10)
    try:
        for picture in pictures:
            encoder.add(picture)
        encoder.finish()
    except BaseException:
        encoder.abort()
        raise


def test_ffmpeg_gets_the_pictures_and_its_failure_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    video = tmp_path / "video.mp4"
    write_ffmpeg(tmp_path, 'for last; do :; done; cat > "$last"')
    feed(video, [b"one", b"two"])
    assert video.read_bytes() == b"onetwo"
    video.unlink()
    write_ffmpeg(tmp_path, 'cat > /dev/null; echo "no space left" >&2; exit 3')
    with pytest.raises(RecordError, match=r"video\.mp4: no space left"):
        feed(video, [b"one"])
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]


def test_without_ffmpeg_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(PrerequisiteError, match="apt install ffmpeg"):
        open_encoder(tmp_path / "video.mp4", 10)


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_ffmpeg_encodes_a_run(run: Path, tmp_path: Path, suffix: str) -> None:
    try:
        ffmpeg = find_ffmpeg()
    except PrerequisiteError as error:
        pytest.skip(f"NO VIDEO IS ENCODED: {error}")
    video = tmp_path / f"video{suffix}"
    film(run, video, replace(SMALL, end_s=5))
    decode = [ffmpeg, "-v", "error", "-i", video, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    decoded = subprocess.run(decode, capture_output=True, check=True)
    assert decoded.stderr == b""
    assert len(decoded.stdout) % (SMALL.width * SMALL.height * 3) == 0 < len(decoded.stdout)
