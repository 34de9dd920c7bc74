"""`accord prompts`: export the prompts of agents and judge as files to edit, and check such files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.error_handling import DONE, write_out
from accord.cli.single_option import SingleOptionCommand
from dilemmas.errors import UsageError

prompts = typer.Typer(help="Export the prompts of agents and judge, and check your own.")
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder with the prompts.")]


@prompts.command("export", cls=SingleOptionCommand)
def export(
    folder: Folder,
    agents: Annotated[
        str | None,
        typer.Option(metavar="FAMILY", help="Those of this family and of the judge alone.", show_default="all"),
    ] = None,
) -> int:
    """Write the prompts into FOLDER, to be changed and played with --prompts FOLDER. Writes over no file."""
    from voyager_agents.prompts.folder import catalog
    from voyager_agents.registry import FAMILIES
    from voyager_agents.roles import JUDGING

    files = catalog()
    legal = [name for name, family in FAMILIES.items() if family.prompts]
    if agents is not None and agents not in legal:
        raise UsageError(f"--agents {agents!r}: has no prompts; choose one of {', '.join(legal)}")
    names = list(files) if agents is None else sorted({*FAMILIES[agents].prompts, *JUDGING})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if there := [name for name in names if (folder / f"{name}.md").exists()]:
            raise UsageError(f"{folder / there[0]}.md is there already: choose another folder, or take it away")
        for name in names:
            (folder / f"{name}.md").write_bytes(files[name].read_bytes())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write prompts to {folder}: {reason}; choose another folder") from None
    write_out("\n".join(str(folder / f"{name}.md") for name in names))
    return DONE


def check(folder: Folder) -> int:
    """Check the prompts in FOLDER as a study would, and print their hashes."""
    from accord.studies.models import read_prompts

    own = read_prompts(folder)
    write_out("\n".join(f"{digest}  {name}.md" for name, digest in own.hashes(own.own).items()))
    return DONE


prompts.command("check", cls=SingleOptionCommand)(check)
