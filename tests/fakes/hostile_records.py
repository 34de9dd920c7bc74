"""Malicious records: each is a valid record with one harmful change."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from accord.studies.sweeps.tasks import SweepTask

SECRET = "hunter2-the-only-copy"
"""Text in the victim's files."""
BOMB = 96 << 20
"""Unpacked size of a bomb, in bytes."""
Harm = Callable[[Path, Path], None]
"""Function that applies a change to a record (first argument), given the victim's folder (second argument)."""


def victim(folder: Path) -> Path:
    """Create a folder of the victim beside the record."""
    (folder / "run-1").mkdir(parents=True)
    (folder / "run-1" / "page.html").write_text(SECRET)
    (folder / "secret.txt").write_text(SECRET + "\n")
    (folder / "secret.json").write_text(json.dumps({"secret": SECRET}))
    return folder


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return all files below a folder, with their modification times."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def unsealed(record: Path, **settings: object) -> None:
    """Remove the seal of config.yaml, as in a record from elsewhere, and change settings."""
    path = record / "config.yaml"
    config = _config(path.read_text())
    changed = {**config, "settings": config["settings"] | settings}
    path.write_text(yaml.dump(changed, Dumper=yaml.CSafeDumper, sort_keys=False))


@cache
def _config(text: str) -> dict[str, Any]:
    config: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return config


def package(folder: Path, marker: Path) -> Path:
    """Create a plugin that leaves a mark when it is imported."""
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "evil"\nversion = "1"\n[project.entry-points."accord.agents"]\nevil = "evil_agents:FAMILY"\n'
    )
    (folder / "evil_agents.py").write_text(f"open({str(marker)!r}, 'w').close()\nFAMILY = None\n")
    return folder


def _plugin(record: Path, away: Path) -> None:
    unsealed(record, plugins=[str(package(record / "added", away.parent / "ran"))])


def _module(record: Path, away: Path) -> None:
    (record / "module.py").write_text(f"open({str(away.parent / 'ran')!r}, 'w').close()\n")
    unsealed(record, agents="piano", agents_options={"modules": str(record / "module.py")})


def _setting(**settings: object) -> Harm:
    def change(record: Path, away: Path) -> None:
        unsealed(record, **{key: _filled(value, record, away) for key, value in settings.items()})

    return change


def _filled(value: object, record: Path, away: Path) -> object:
    if isinstance(value, dict):
        return {key: _filled(each, record, away) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, record, away) for each in value]
    return value.format(record=record, away=away) if isinstance(value, str) else value


def _link(name: str, target: str = "secret.json") -> Harm:
    def change(record: Path, away: Path) -> None:
        path = record / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            path.rename(record.parent / f"was-{path.name}")
        path.unlink(missing_ok=True)
        path.symlink_to(away / target if target else away)

    return change


def _hard(name: str) -> Harm:
    def change(record: Path, away: Path) -> None:
        (record / name).unlink(missing_ok=True)
        os.link(away / "secret.json", record / name)

    return change


def _pipe(name: str) -> Harm:
    def change(record: Path, away: Path) -> None:
        (record / name).unlink(missing_ok=True)
        (record / name).parent.mkdir(exist_ok=True)
        os.mkfifo(record / name)

    return change


def _folder(name: str) -> Harm:
    def change(record: Path, away: Path) -> None:
        (record / name).unlink(missing_ok=True)
        (record / name).mkdir()

    return change


def _text(name: str, text: str) -> Harm:
    def change(record: Path, away: Path) -> None:
        (record / name).parent.mkdir(exist_ok=True)
        (record / name).write_text(text)

    return change


def _sparse(name: str) -> Harm:
    def change(record: Path, away: Path) -> None:
        with (record / name).open("ab") as file:
            file.truncate(file.tell() + BOMB)

    return change


def _edited(name: str, **fields: object) -> Harm:
    def change(record: Path, away: Path) -> None:
        told = json.loads((record / name).read_text())
        (record / name).write_text(json.dumps({**told, **fields}))

    return change


def _line(**head: object) -> Harm:
    """Add a line with these fields after the first one."""

    def change(record: Path, away: Path) -> None:
        first, rest = (record / "events.jsonl").read_text().split("\n", 1)
        line = {"seq": 1, "kind": "chat", "tick": None, "time": 0.0, "episode": 1, "data": {}, **head}
        (record / "events.jsonl").write_text(f"{first}\n{json.dumps(line)}\n{rest}")

    return change


def _call(**fields: object) -> Harm:
    def change(record: Path, away: Path) -> None:
        call = {"player": "A", "role": "player", "number": 0, "episode": 1, "model": "openai/x", "attempt": 0,
                "messages": [{"role": "user", "content": "?"}], "settings": {}, "reply": "!",
                "usage": {"prompt_tokens": 1, "completion_tokens": 1}, "usd": 0.1, "wall_ms": 1, **fields}  # fmt: skip
        with (record / "calls.jsonl").open("a") as file:
            file.write(json.dumps(call) + "\n")

    return change


@cache
def bomb(holds: int, claims: int | None = None) -> bytes:
    """Return a compressed member of `holds` zeros, as in a segment; its header claims `claims` bytes if given."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    parts, crc, zeros = [], 0, bytes(1 << 20)
    for _ in range(holds >> 20):
        parts.append(deflate.compress(zeros))
        crc = zlib.crc32(zeros, crc)
    body = b"".join(parts) + deflate.flush()
    said = holds if claims is None else claims
    head = struct.pack("<4sIBBH2sHII", b"\x1f\x8b\x08\x04", 0, 0, 255, 12, b"AC", 8, 28 + len(body) + 8, said)
    return head + body + struct.pack("<II", crc, holds & 0xFFFFFFFF)


def _segment(name: str, data: Callable[[], bytes]) -> Harm:
    def change(record: Path, away: Path) -> None:
        (record / "segments").mkdir(exist_ok=True)
        (record / "segments" / name).write_bytes(data())

    return change


def _parts(record: Path, away: Path) -> None:
    text = "x" * (1 << 20)
    name = "0" * 32
    (record / "parts.jsonl").write_text(json.dumps({"part": name, "text": text}) + "\n")
    _call(messages=[{"role": "user", "parts": [[name]] * 2000}])(record, away)


def _numbers(record: Path, away: Path) -> None:
    for number in range(40):
        _call(number=(number + 1) * 999_999)(record, away)


def _trajectory(record: Path, away: Path) -> None:
    head = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    place = record / "episodes" / "1" / "trajectory.npz"
    with zipfile.ZipFile(place, "w") as archive, archive.open("a.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, head)  # type: ignore[no-untyped-call]


def _aliases(record: Path, away: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (record / "config.yaml").write_text("\n".join([*lines, "settings: {scenario: x, contracts: *a11}"]))


HUGE = 10**400
FILES = ("config.yaml", "events.jsonl", "calls.jsonl", "result.json", "manifest.json")
STUDIES: Mapping[str, Harm] = {
    "a plugin in the record": _plugin,
    "a module in the record": _module,
    "a key file": _setting(model="openai/x", api_key_file="{away}/secret.txt"),
    "key files by model": _setting(model="openai/x", api_key_files={"openai/x": "{away}/secret.txt"}),
    "an endpoint": _setting(model="openai/x", base_url="http://127.0.0.1:9/v1"),
    "endpoints by model": _setting(model="openai/x", base_urls={"openai/x": "http://127.0.0.1:9/v1"}),
    "prices elsewhere": _setting(prices="{away}/secret.txt"),
    "a scenario elsewhere": _setting(scenario="{away}/secret.yaml"),
    "a contract elsewhere": _setting(contracts=["{away}/secret.yaml"]),
    "a record that answers": _setting(model="replay:{away}"),
    "a policy elsewhere": _setting(agents="policy", agents_options={"file": "{away}/secret.txt"}),
    "a library elsewhere": _setting(agents="voyager", model="openai/x", agents_options={"library": "{away}"}),
    "a varied option elsewhere": _setting(vary={"file.agents-option": ["{away}/secret.txt"]}),
    "options that are a list": _setting(agents_options=["a"]),
    "an option that is a mapping": _setting(agents_options={"a": {"b": 1}}),
    "options that are a number": _setting(agents_options=7),
    "players that are a text": _setting(players="everybody"),
    "a seed beyond 64 bits": _setting(seed=HUGE),
    "a seed that is a text": _setting(seed="many"),
    "a budget of texts": _setting(budget={"usd": {"all": "much"}}),
    "a budget that is a list": _setting(budget=[1]),
    "plugins that are a number": _setting(plugins=7),
    "prompts that are a mapping": _setting(prompts={"a": 1}),
    "prompts above": _setting(prompts="x/.."),
    "rounds that are no number": _setting(rounds=float("nan")),
    "runs beyond all": _setting(runs=10**15),
    "jobs beyond 64 bits": _setting(jobs=10**30),
    **{f"{name} is a link": _link(name) for name in (*FILES, "contract.json", "wall.json", "lock.json")},
    **{f"{name} is a pipe": _pipe(name) for name in (*FILES, "parts.jsonl", "lock.json", "view.sqlite")},
    **{f"{name} is a folder": _folder(name) for name in FILES},
    **{f"{name} has a second name": _hard(name) for name in (*FILES, "contract.json", "report.html")},
    **{f"{name} is a folder elsewhere": _link(name, "") for name in
       ("episodes", "logs", "segments", "prompts", "plots", "minds", "figures", "lives")},
    "an episode is elsewhere": _link("episodes/1", ""),
    "a run's pages are elsewhere": _link("minds/run-1", "run-1"),
    "a draft of a page is elsewhere": _link("minds/run-1/1-A.draft"),
    "the report is elsewhere": _link("report.html"),
    "the index is elsewhere": _link("view.sqlite"),
    "the index's journal is elsewhere": _link("view.sqlite-journal"),
    "a log of a worker is elsewhere": _link("logs/job-1/worker.log"),
    "a table is elsewhere": _link("payoffs.csv"),
    "a log without an end": _sparse("events.jsonl"),
    "a result without an end": _sparse("result.json"),
    "a config without an end": _sparse("config.yaml"),
    "a segment that unpacks to much": _segment("events-00001.jsonl.gz", lambda: bomb(BOMB)),
    "a segment that unpacks to more than it says": _segment("events-00001.jsonl.gz", lambda: bomb(BOMB, 1000)),
    "a segment of a far number": _segment("events-999999999.jsonl", lambda: b""),
    "calls that unpack to much": _segment("calls-00001.jsonl.gz", lambda: bomb(BOMB)),
    "a prompt of many parts": _parts,
    "numbers of calls far apart": _numbers,
    "a trajectory of absurd shape": _trajectory,
    "a config of aliases": _aliases,
    "a config of brackets": _text("config.yaml", "a: " + "[" * 5000),
    "a result of brackets": _text("result.json", "[" * 100_000),
    "a manifest of brackets": _text("manifest.json", "[" * 100_000),
    "a manifest of other things": _edited("manifest.json", versions=[], plugins=7, own_files=[1]),
    "a manifest of files of the machine": _edited("manifest.json", own_files={"/dev/zero": "x", "/etc/passwd": "y"}),
    "a manifest of a path outside": _edited("manifest.json", files={"../../secret": {"bytes": 1, "sha256": "x"}}),
    "a lock of other things": _text("lock.json", '{"machine": 1, "place": [], "boot": 2, "pid": "x", "born": {}}'),
    "a lock of a huge process": _text("lock.json", json.dumps(dict.fromkeys(("machine", "place", "boot", "born"), "")
                                                             | {"pid": HUGE})),
    "a clock that went for ever": _text("wall.json", f'{{"wall_s": {HUGE}}}'),
    "a line beyond 64 bits": _line(seq=HUGE, tick=HUGE, episode=HUGE),
    "a moment beyond all": _line(kind="speech", data={"t_s": HUGE, "speaker": HUGE, "text": HUGE}),
    "an act of another kind": _line(kind="act_ended", data={"t_s": 1.0, "player": {"a": 1}, "act": []}),
    "a call beyond 64 bits": _call(number=HUGE, episode=HUGE, wall_ms=HUGE, usd=HUGE),
    "a call of other kinds": _call(player={}, role=[], number="x", messages=7, usage=[], settings="x"),
    "a result of other kinds": _edited("result.json", players=[], measures=7, usage="x", costs=[1], verdicts=8),
    "a result with answers of other kinds": _edited("result.json", answers=[{"player": [], "answers": "many"}, 7]),
    "a result with answers beyond 64 bits": _edited(
        "result.json",
        answers=[
            {"player": "x", "role": "y", "model": "z", "questions": HUGE, "answers": HUGE, "unreadable": -1,
             "refused": 0, "cut_off": 0, "given_up": 1},
        ],
    ),
    "a result beyond 64 bits": _edited("result.json", seed=HUGE, usage={"calls": HUGE, "tokens": HUGE}),
}  # fmt: skip
"""Fault of a study's record -> function that introduces it."""


def _task(**changes: object) -> Harm:
    """Change fields of a sweep's tasks, keeping their ids."""

    def change(folder: Path, away: Path) -> None:
        lines = [json.loads(line) for line in (folder / "tasks.jsonl").read_text().splitlines()]
        made = [SweepTask(**{**line, **_mapped(changes, folder, away)}) for line in _without_ids(lines)]
        (folder / "tasks.jsonl").write_text("".join(json.dumps(each.to_dict()) + "\n" for each in made))

    return change


def _mapped(changes: Mapping[str, object], folder: Path, away: Path) -> dict[str, Any]:
    return {key: _filled(value, folder, away) for key, value in changes.items()}


def _without_ids(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "id"} for line in lines]


def _added(folder: Path, away: Path) -> None:
    root = package(folder / "added", away.parent / "ran")
    _task(settings={"agents": "random", "time_limit_s": 3, "plugins": [str(root)]})(folder, away)


def _results(**fields: object) -> Harm:
    def change(folder: Path, away: Path) -> None:
        for path in folder.glob("tasks/*/*/result.json"):
            path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    return change


SWEEPS: Mapping[str, Harm] = {
    "a plugin in the sweep": _added,
    "a key file": _task(model="openai/x", settings={"agents": "text", "api_key_file": "{away}/secret.txt"}),
    "an endpoint": _task(model="openai/x", settings={"agents": "text", "base_url": "http://127.0.0.1:9/v1"}),
    "an endpoint by parameter": _task(model="openai/x", parameters={"base_urls.openai/x": "http://127.0.0.1:9/v1"}),
    "a policy elsewhere": _task(parameters={"agents_options.file": "{away}/secret.txt"}),
    "prompts elsewhere": _task(settings={"prompts": "{away}"}),
    "a scenario elsewhere": _task(scenario="{away}/secret.yaml"),
    "settings that are a list": _task(settings=[1]),
    "parameters of other kinds": _task(parameters={"agents_options": [1], "episodes": "many"}),
    "a seed beyond 64 bits": _task(seed=HUGE),
    "a model that is a number": _task(model=7),
    "tasks of other things": _text("tasks.jsonl", "[1]\n7\nnull\n"),
    "tasks of brackets": _text("tasks.jsonl", "[" * 100_000),
    "no tasks": _text("tasks.jsonl", ""),
    "a sweep of brackets": _text("sweep.yaml", "a: " + "[" * 5000),
    "a sweep that is a list": _text("sweep.yaml", "- 1\n"),
    "results of other kinds": _results(players=[], measures=7, usage="x"),
    "results without a status": _results(status=[]),
    "a book of other things": _text("books/1.json", "[1]"),
    "a table of other things": _text("results.csv", "a,b\n1,2\n"),
    **{f"{name} is a link": _link(name) for name in ("sweep.yaml", "tasks.jsonl", "results.csv", "report.html")},
    **{f"{name} is a pipe": _pipe(name) for name in ("sweep.yaml", "tasks.jsonl", "results.csv")},
    **{f"{name} is a folder elsewhere": _link(name, "") for name in
       ("tasks", "leases", "scratch", "books", "logs", "plots")},
}  # fmt: skip
"""Fault of a sweep's folder -> function that introduces it."""


def _planned(**changes: object) -> Harm:
    def change(folder: Path, away: Path) -> None:
        told = json.loads((folder / "plan.json").read_text())
        (folder / "plan.json").write_text(json.dumps({**told, **_mapped(changes, folder, away)}))

    return change


def _added_to_plan(folder: Path, away: Path) -> None:
    _planned(plugins=[str(package(folder / "added", away.parent / "ran"))])(folder, away)


TOURNAMENTS: Mapping[str, Harm] = {
    "a plugin in the tournament": _added_to_plan,
    "an endpoint": _planned(settings={"base_url": "http://127.0.0.1:9/v1"}),
    "a key file": _planned(settings={"api_key_file": "{away}/secret.txt"}),
    "a scenario elsewhere": _planned(scenario="{away}/secret.yaml"),
    "names of other kinds": _planned(names=[1, {}]),
    "seeds beyond all": _planned(seeds=HUGE),
    "settings that are a list": _planned(settings=[]),
    "a plan of brackets": _text("plan.json", "[" * 100_000),
    "a plan that is a list": _text("plan.json", "[]"),
    "plan.json is a link": _link("plan.json"),
    "plan.json is a pipe": _pipe("plan.json"),
    "the report is elsewhere": _link("report.html"),
    "the games are elsewhere": _link("games", ""),
}
"""Fault of a tournament's folder -> function that introduces it."""
