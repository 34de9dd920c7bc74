"""Error boundary of the process: converts errors into one line on standard error and an exit code."""

from __future__ import annotations

import errno
import io
import logging
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from typer.exceptions import Abort, TyperException

from dilemmas.errors import DilemmaError, UsageError

DONE, FAILED, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
DEBUG = "--debug"
PLUGIN = "--plugin"
PREFIX = "error: "
OF_THE_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)
"""Error numbers of a full, read-only or failing disk."""


def guarded(command: Callable[[list[str]], object], arguments: list[str]) -> int:
    """Run the command and return its exit code. Errors become one line; --debug adds the traceback."""
    debug = DEBUG in arguments
    _spell_out()
    _log_to(logging.StreamHandler() if debug else logging.NullHandler(), debug)
    rest = [argument for argument in arguments if argument != DEBUG]
    try:
        code = command(use_plugins(rest))
    except BaseException as error:  # noqa: BLE001 - the one boundary of this process
        if debug:
            traceback.print_exc()
        code, line = explain(_first(error))
        say(line, prefix="" if code in (INTERRUPTED, TERMINATED) else PREFIX)
        return code
    if code == INTERRUPTED:
        # Typer has already converted KeyboardInterrupt into an exit code.
        say(explain(KeyboardInterrupt())[1], prefix="")
    return code if isinstance(code, int) else DONE


def use_plugins(arguments: list[str]) -> list[str]:
    """Load the plugins named by `--plugin PATH` at any position, and return the other arguments.

    Raises UsageError and PluginError.
    """
    rest: list[str] = []
    left = iter(arguments)
    for argument in left:
        name, sign, value = argument.partition("=")
        if name != PLUGIN:
            rest.append(argument)
            continue
        folder = value if sign else next(left, "")
        if not folder:
            raise UsageError(f"{PLUGIN} needs the folder of a package; write {PLUGIN} PATH")
        from common.plugins import add

        add(Path(folder))
    return rest


def explain(error: BaseException) -> tuple[int, str]:
    """Return an error's exit code and message. Raises the error again if it is SystemExit."""
    from asyncio import CancelledError

    from common.plain_files import PlainFileError

    if isinstance(error, SystemExit):
        raise error
    if isinstance(error, KeyboardInterrupt | Abort):
        return INTERRUPTED, "interrupted: all that was started has been ended"
    if isinstance(error, CancelledError):
        return TERMINATED, "terminated: all that was started has been ended"
    if isinstance(error, TyperException):
        context = getattr(error, "ctx", None)
        return USAGE, f"{error.format_message()} (see '{context.command_path if context else 'accord'} --help')"
    if isinstance(error, UsageError):
        return USAGE, str(error)
    if isinstance(error, _expected()):
        return FAILED, str(error)
    if isinstance(error, PlainFileError):
        return FAILED, f"{error.filename}: {error.strerror}"
    if isinstance(error, BrokenPipeError):
        return FAILED, "nobody reads the output any more"
    if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
        where = f" ({error.filename})" if error.filename else ""
        return FAILED, f"{(error.strerror or str(error)).lower()}{where}: make room or choose another folder"
    name = type(error).__name__
    return FAILED, f"internal error: {name}: {error}; run it again with {DEBUG} and report what it says"


def _expected() -> tuple[type[Exception], ...]:
    """Return the error classes whose messages are written for users.

    The imports happen only after an error, because they would delay every command, even `accord --help`.
    """
    from bridge.errors import BridgeError
    from common.errors import PrerequisiteError
    from contracts.errors import ContractError
    from voyager_agents.errors import AgentError

    return DilemmaError, BridgeError, PrerequisiteError, ContractError, AgentError


def say(line: str, prefix: str = PREFIX) -> None:
    """Write one line to standard error, with control characters escaped."""
    from rich.console import Console
    from rich.text import Text

    from accord.analysis.report.text import one_line

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print(Text.assemble((prefix, "bold red"), one_line(line, 2000)))


def _spell_out() -> None:
    """Escape characters that standard output cannot encode, as standard error does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _first(error: BaseException) -> BaseException:
    """Return the first leaf error of an exception group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _log_to(handler: logging.Handler, debug: bool) -> None:
    """Send libraries' logs to `handler`, at debug level under --debug only. A study's own log is its record."""
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(handler)
        root.setLevel(logging.DEBUG if debug else logging.WARNING)


def write_out(text: str) -> None:
    """Write text for programs to standard output, unchanged but for a final newline."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    sys.stdout.flush()
