"""`accord skills`: run one policy file in a fresh world, and manage the skill libraries of agents."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli import options
from accord.cli.error_handling import DONE, FAILED, say, write_out
from accord.cli.single_option import SingleOptionCommand
from bridge.error_mode import ERROR_MODES, with_error_mode
from bridge.mock.trial import PolicyTrial, try_policy
from bridge.types import Event, Limits, ProgramOutcome
from bridge.worlds import FLAT
from dilemmas.errors import UsageError
from dilemmas.skills.expect import expectations

if TYPE_CHECKING:
    from voyager_agents.index import Embedding
    from voyager_agents.skill_library import Skill

skills = typer.Typer(help="Try policies, and list, check and rebuild libraries of skills.", no_args_is_help=True)

MAX_SOURCE_BYTES = 400_000


@skills.callback()
def _skills() -> None:
    """Try policies, and list, check and rebuild libraries of skills."""


@skills.command("try", cls=SingleOptionCommand)
def try_file(
    file: Annotated[Path, typer.Argument(help="JavaScript: one `async function name (bot) { ... }`.")],
    world: Annotated[str, typer.Option(help="The world to try it in.")] = "mock",
    commands: Annotated[
        list[str] | None, typer.Option("--command", help="A vanilla command that prepares the world; may be repeated.")
    ] = None,
    player: Annotated[str, typer.Option(help="The player's name.")] = "Gizmo",
    seed: Annotated[int, typer.Option(help="The seed of loot, land and other random choices.")] = 0,
    terrain: options.Terrain = FLAT,
    time_limit: Annotated[float, typer.Option(help="The most seconds of game time.")] = 300.0,
    library: Annotated[
        Path | None,
        typer.Option(help="A library whose skills the file may call: ours, or a published one.", show_default=False),
    ] = None,
    primitives: Annotated[
        str | None,
        typer.Option(help="How primitives report failures: named (errors that throw) or voyager (told in the chat)."),
    ] = None,
    expect: Annotated[
        list[str] | None,
        typer.Option(help="What the player has to hold at the end, such as 'iron_ingot>=5'; may be repeated."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Run one policy file in a fresh world, print what happened, and fail when the world is not as expected."""
    if not 0 < time_limit < float("inf"):
        raise UsageError(f"--time-limit {time_limit:g}: give a number of seconds above 0")
    expected = expectations(expect or [])
    source = _with_skills(_read(file), library, primitives)
    with tempfile.TemporaryDirectory(prefix="accord-skills-") as logs:
        trial = try_policy(
            source,
            log_dir=Path(logs),
            world=world,
            seed=seed,
            player=player,
            commands=commands or [],
            limits=Limits(wall_s=time_limit),
            terrain=terrain,
        )
    unmet = [why for each in expected if (why := each.failed(trial.after.items))]
    if as_json:
        write_out(json.dumps(_as_data(trial) | {"unmet": unmet}, indent=2, ensure_ascii=False))
    else:
        _show(Console(), trial, file, commands or [])
        for why in unmet:
            Console().print(Text(why, style="bold red"), soft_wrap=True)
    return DONE if trial.result.outcome is ProgramOutcome.RETURNED and not unmet else FAILED


def _with_skills(source: str, library: Path | None, error_mode: str | None) -> str:
    """Return the program together with the skills that it calls, wrapped in the given error mode if there is one."""
    from voyager_agents.skill_library import assemble, is_published, read_published

    if error_mode is not None and error_mode not in ERROR_MODES:
        raise UsageError(f"--primitives {error_mode!r}: give one of {', '.join(ERROR_MODES)}")
    if library is not None:
        published = read_published(library) if is_published(library) else None
        skills = _known(library) if published is None else {each.name: each.skill for each in published if each.skill}
        source = assemble(source, skills)
    return source if error_mode is None else with_error_mode(source, error_mode)


Library = Annotated[
    Path,
    typer.Argument(help="A skill library's folder, such as RUN/agents/PLAYER.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")]
EmbeddingName = Annotated[
    str, typer.Option("--embedding", metavar="NAME", help="hashing (offline), or e.g. openai/text-embedding-3-small.")
]


@skills.command("list", cls=SingleOptionCommand)
def list_library(library: Library, as_json: AsJson = False) -> int:
    """List the newest version of each skill in a library."""
    found = list(_known(library).values())
    if as_json:
        write_out(json.dumps([each.about.model_dump(mode="json") for each in found], indent=2, ensure_ascii=False))
        return DONE
    for each in found:
        line = f"{each.name}@{each.about.version}: {each.about.description}"
        Console().print(Text(one_line(line)), soft_wrap=True)
    if not found:
        say(f"{library}: no skills yet", prefix="")
    return DONE


def indexed(name: str) -> Callable[[Callable[[Path, Embedding, bool], int]], Callable[[Path, Embedding, bool], int]]:
    """Return a command on a library and its index, with the options that all such commands share."""

    def register(work: Callable[[Path, Embedding, bool], int]) -> Callable[[Path, Embedding, bool], int]:
        def command(
            library: Library,
            embedding: EmbeddingName = "hashing",
            base_url: options.BaseUrl = None,
            api_key_file: options.KeyFile = None,
            as_json: AsJson = False,
        ) -> int:
            _known(library)
            return work(library, _embedding(embedding, base_url, api_key_file), as_json)

        command.__doc__ = work.__doc__
        skills.command(name, cls=SingleOptionCommand)(command)
        return work

    return register


@indexed("verify")
def verify_library(library: Path, embedding: Embedding, as_json: bool) -> int:
    """Check a library: each file, each skill on the mock world, and the index against the files."""
    from dilemmas.skills.check import verify

    found = asyncio.run(verify(library, embedding))
    if as_json:
        write_out(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))
    else:
        for each in found:
            _print_check(each.ok, each.what, each.detail)
    return DONE if all(each.ok for each in found) else FAILED


@indexed("rebuild")
def rebuild_library(library: Path, embedding: Embedding, as_json: bool) -> int:
    """Make a library's index again from its files."""
    from voyager_agents.skill_library import rebuild

    async def build() -> int:
        try:
            return await rebuild(library, embedding)
        finally:
            await embedding.close()

    number = asyncio.run(build())
    if as_json:
        write_out(json.dumps({"skills": number, "embedding": embedding.model, "dimension": embedding.dimension}))
    else:
        Console().print(f"{library}: {number} skills in the index, embedded by {embedding.model}", soft_wrap=True)
    return DONE


@skills.command("import", cls=SingleOptionCommand)
def import_library(
    folder: Annotated[
        Path, typer.Argument(help="A published library, with skill/code/*.js in it.", show_default=False)
    ],
    into: Annotated[Path, typer.Option(help="The library that takes the skills in; made where there is none.")],
    embedding: EmbeddingName = "hashing",
    base_url: options.BaseUrl = None,
    api_key_file: options.KeyFile = None,
    as_json: AsJson = False,
) -> int:
    """Take a library that was published for Voyager into one of ours, and report on each skill."""
    from dilemmas.skills.docs import skill_docs
    from dilemmas.skills.importing import Imported, import_published
    from voyager_agents.skill_library import SkillLibrary
    from voyager_agents.voyager.learner import primitive_names

    reserved = primitive_names(skill_docs())
    library = SkillLibrary(into, _embedding(embedding, base_url, api_key_file), reserved)

    async def work() -> list[Imported]:
        try:
            return await import_published(folder, library, reserved)
        finally:
            await library.close()

    found = asyncio.run(work())
    if as_json:
        write_out(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))
    else:
        for each in found:
            uses = f"; calls {', '.join(each.uses)}" if each.uses else ""
            _print_check(each.ok, each.name, f"{each.detail}{uses}")
        say(f"{into}: {sum(each.ok for each in found)} of {len(found)} skills taken in", prefix="")
    return DONE if found and all(each.ok for each in found) else FAILED


def _print_check(ok: bool, what: str, detail: str) -> None:
    """Print one line of a report."""
    line = Text.assemble(("ok    " if ok else "fail  ", "green" if ok else "bold red"), f"{what}: ")
    Console().print(line.append(one_line(detail)), soft_wrap=True)


def _embedding(name: str, base_url: str | None, api_key_file: Path | None) -> Embedding:
    """Return the embedding. Imported here because its libraries take seconds to load."""
    from voyager_agents.index import open_embedding

    return open_embedding(name, base_url=base_url, api_key_file=api_key_file)


def _known(library: Path) -> dict[str, Skill]:
    """Return the newest skills of a library by name.

    Raises UsageError where it is no library, SkillError for a file that is wrong.
    """
    from voyager_agents.skill_library import newest

    if not (library / "skills").is_dir():
        raise UsageError(f"{library} is no skill library: give a folder with 'skills' in it, such as RUN/agents/PLAYER")
    return newest(library)


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > MAX_SOURCE_BYTES:
            raise UsageError(f"{file} has more than {MAX_SOURCE_BYTES} bytes: that is no policy")
        return file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not text in UTF-8 (byte {error.start})") from error
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}): give a JavaScript file") from error


def _as_data(trial: PolicyTrial) -> dict[str, Any]:
    return {
        "outcome": trial.result.outcome.value,
        "error": None if trial.result.error is None else asdict(trial.result.error),
        "game_s": trial.game_s,
        "gained": trial.gained,
        "items": trial.after.items,
        "position": list(trial.after.position),
        "health": trial.after.health,
        "events": [asdict(event) for event in trial.events],
    }


def _show(console: Console, trial: PolicyTrial, file: Path, commands: list[str]) -> None:
    for command, reply in zip(commands, trial.replies, strict=True):
        console.print(
            Text.assemble(("       ", ""), (one_line(command), "dim"), f": {one_line(reply)}"), soft_wrap=True
        )
    start = trial.result.started_tick or 0
    for event in trial.events:
        line = _line(event)
        if line is not None:
            seconds = ((event.tick or start) - start) / 20
            console.print(Text.assemble((f"{seconds:6.2f} ", "dim"), line), soft_wrap=True)
    console.print(_end(trial, file), soft_wrap=True)


def _line(event: Event) -> Text | None:
    """Return one event as a line, or None if other lines already cover it."""
    data = event.data
    if event.kind == "action":
        arguments = ", ".join(json.dumps(value, ensure_ascii=False) for value in data["args"] or [])
        failed = "" if data["ok"] else f" failed: {data['error']['name']}: {data['error']['message']}"
        return Text(one_line(f"{data['name']}({arguments}){failed}"), style="" if data["ok"] else "red")
    if event.kind == "inventory":
        items = ", ".join(f"{count} {name}" for name, count in data["items"].items()) or "nothing"
        return Text(one_line(f"has {items}"), style="green")
    if event.kind == "chat":
        return Text(one_line(f"<{data['from']}> {data['text']}" if data["from"] else data["text"]), style="cyan")
    if event.kind == "log":
        return Text(one_line(f"{data['level']}: {data['text']}"), style="yellow")
    if event.kind == "bot":
        return Text(one_line(f"{data['bot']} {data['state']} {data['reason']}".rstrip()), style="magenta")
    return None


def _end(trial: PolicyTrial, file: Path) -> Text:
    result = trial.result
    took = f"after {trial.game_s:g} s of game time"
    if result.outcome is ProgramOutcome.RETURNED:
        gained = ", ".join(f"{count:+d} {name}" for name, count in trial.gained.items()) or "no item gained or lost"
        return Text(one_line(f"{file.name} returned {took}: {gained}"), style="bold green")
    error = result.error
    where = f" (line {error.line})" if error is not None and error.line is not None else ""
    why = f": {error.name}: {error.message}{where}" if error is not None else ""
    return Text(one_line(f"{file.name} {result.outcome.value} {took}{why}"), style="bold red")
