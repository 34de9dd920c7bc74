"""`accord prompts`: export the prompts of agents and judge as files to edit, and check such files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from accord.analysis.report.text import visible
from accord.cli import option_values, options
from accord.cli.error_handling import DONE, write_out
from accord.cli.single_option import SingleOptionCommand
from accord.cli.table_cells import words
from accord.cli.tables import table
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.studies.prompt_samples import TokenCounts
    from voyager_agents.asking import AskedPrompt

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


@prompts.command("show", cls=SingleOptionCommand)
def show(
    role: Annotated[str, typer.Argument(metavar="ROLE", help="A role such as action, or a part such as plan.")],
    scenario: Annotated[str, typer.Option(metavar="NAME|FILE", help="The scenario that is played.")] = "double-vein",
    contract: Annotated[str, typer.Option(metavar="NAME", help="The contract, e.g. negotiate.")] = "none",
    agents: options.Agents = None,
    agents_option: options.AgentsOption = None,
    reasoning: options.ReasoningWay = "field",
    model: Annotated[
        str | None, typer.Option(metavar="openai/NAME", help="Count tokens by this model's endpoint, where it tells.")
    ] = None,
    base_url: options.BaseUrls = None,
    own: options.PromptsFolder = None,
) -> int:
    """Print the longest prompt that ROLE is asked, with the tokens of its parts. No model is called."""
    from accord.studies.prompt_samples import count_tokens, prompt_of
    from accord.studies.settings import StudySettings

    settings = StudySettings(
        scenario=scenario,
        contracts=(contract,),
        world=option_values.world_or_usual(None, scenario, "off"),
        model=model or "openai/any",
        agents=agents,
        agents_options=option_values.name_value_pairs("--agents-option", agents_option or (), "history=50"),
        prompts=own,
        reasoning=reasoning,  # type: ignore[arg-type] # checked by the settings
        **option_values.endpoint_settings(base_url, None),
    )

    async def sample() -> tuple[AskedPrompt, TokenCounts]:
        asked = await prompt_of(settings, role)
        return asked, await count_tokens(asked, settings if model else None)

    _show(Console(), *asyncio.run(sample()))
    return DONE


def _show(console: Console, asked: AskedPrompt, counts: TokenCounts) -> None:
    """Print a prompt, then a table of the tokens of its parts."""
    for name, text in (("system", asked.system), ("user", asked.user)):
        write_out(f"[{name}]\n{visible(text, len(text))}\n")
    about = "" if counts.by_endpoint else "about; give --model to count by its tokenizer"
    shown = table(about)
    shown.add_column("part")
    for name in ("tokens", "shortened"):
        shown.add_column(name, justify="right")
    for part, tokens in counts.parts:
        shown.add_row(words(part.name), f"{tokens:,}", f"{part.shortened} steps" if part.shortened else "-")
    shown.add_row("all", f"{counts.total:,}", "", style="bold")
    console.print(shown)


def check(folder: Folder) -> int:
    """Check the prompts in FOLDER as a study would, and print their hashes."""
    from accord.studies.models import read_prompts

    own = read_prompts(folder)
    write_out("\n".join(f"{digest}  {name}.md" for name, digest in own.hashes(own.own).items()))
    return DONE


prompts.command("check", cls=SingleOptionCommand)(check)
