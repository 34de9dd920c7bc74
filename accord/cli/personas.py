"""`accord personas`: who lives in a scenario, who is in a file, or new ones from a seed, with a model or without."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
import yaml
from rich.console import Console
from rich.table import Table

from accord.analysis.report.text import dollars
from accord.cli import options
from accord.cli.error_handling import say, write_out
from accord.cli.table_cells import words
from accord.cli.tables import table
from accord.studies.models import check_prices
from dilemmas.errors import UsageError
from dilemmas.scenarios.lived import LivedSpec
from dilemmas.scenarios.registry import load_scenario, scenario_names
from voyager_agents import Budget, ModelError, load_prices, open_model
from voyager_agents.budget import ALL
from voyager_agents.errors import BudgetError, PersonaError
from voyager_agents.personas import Persona, Spot, generate, load_personas
from voyager_agents.personas.written import WrittenPersonas, write_traits

EXAMPLE = "accord personas --count 30 --seed 1 --out people.yaml"


def personas(
    source: Annotated[
        str | None, typer.Argument(metavar="[SCENARIO|FILE]", help="Whose personas; without one they are made.")
    ] = None,
    count: Annotated[int, typer.Option(help="How many to make.")] = 30,
    seed: Annotated[int, typer.Option(help="What they are made from.")] = 0,
    at: Annotated[str, typer.Option(help="Where they begin: X,Y,Z.")] = "0.5,64,0.5",
    out: Annotated[Path | None, typer.Option(help="Write them to this YAML file.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="KIND/NAME", help="The model that writes the traits of those that are made.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="The endpoint of the model.")] = None,
    api_key_file: Annotated[Path | None, typer.Option(help="A file that holds the key for it.")] = None,
    prices: options.Prices = None,
    max_usd: Annotated[float | None, typer.Option(help="The most dollars that the model may cost.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> None:
    """Show personas, or make new ones from a seed."""
    if source is not None and model is not None:
        raise UsageError(f"--model {model}: writes traits of new ones only; leave out {source!r}, or --model")
    try:
        found = _made(count, seed, at) if source is None else _of(source)
    except PersonaError as error:
        raise UsageError(str(error)) from None
    if model is not None:
        found = _written(found, model, base_url, api_key_file, Pay(prices, max_usd))
    plain = [each.plain() for each in found]
    if out is not None:
        try:
            out.write_text(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--out {out}: cannot be written ({error.strerror}); give another file") from None
    if as_json:
        write_out(json.dumps(plain, indent=2, ensure_ascii=False))
    elif out is not None:
        write_out(f"{len(plain)} personas: {out}")
    else:
        Console().print(_table(found))


def _made(count: int, seed: int, at: str) -> list[Persona]:
    parts = at.split(",")
    try:
        x, y, z = (float(part) for part in parts)
        return generate(count, seed, [Spot(x=x, y=y, z=z)], inventories=True)
    except ValueError as error:
        reason = f"--at {at!r} is no place: give X,Y,Z" if len(parts) != 3 else str(error).splitlines()[0]
        raise UsageError(f"{reason}; for example {EXAMPLE}") from None


@dataclass(frozen=True)
class Pay:
    """What the model may cost."""

    prices: Path | None
    max_usd: float | None

    def purse(self, model: str) -> Budget:
        """Raises ModelError, BudgetError; UsageError where dollars cannot be counted."""
        purse = Budget({} if self.max_usd is None else {"usd": {ALL: self.max_usd}}, load_prices(self.prices))
        check_prices(purse, [model])
        return purse


def _written(
    found: Sequence[Persona], spec: str, base_url: str | None, api_key_file: Path | None, pay: Pay
) -> list[Persona]:
    """The same with traits of the model's, and on standard error what that took. Raises UsageError, ModelError."""
    try:
        model = open_model(spec, base_url=base_url, api_key_file=api_key_file)
        purse = pay.purse(model.name)
    except (ModelError, BudgetError) as error:
        raise UsageError(str(error)) from None

    async def ask() -> WrittenPersonas:
        try:
            return await write_traits(found, model, purse)
        finally:
            await model.close()

    made = asyncio.run(ask())
    price = "price unknown" if made.usd is None else dollars(made.usd)
    told = f"{model.name}: {made.calls} calls, {made.tokens} tokens, {price}"
    if made.tabled:
        told += f"; {len(made.tabled)} of {len(found)} have traits from the table of words: {made.faults[-1]}"
    say(told, prefix="")
    return made.personas


def _of(source: str) -> list[Persona]:
    """Those of a scenario or of a file."""
    if source not in scenario_names() and Path(source).is_file() and not _is_scenario(Path(source)):
        return load_personas([Path(source)])
    spec = load_scenario(source).spec
    if not isinstance(spec, LivedSpec):
        raise UsageError(f"{source}: nobody lives there: its players are {', '.join(spec.players)}")
    return list(spec.personas.values())


def _is_scenario(path: Path) -> bool:
    return path.suffix in (".yaml", ".yml") and any(
        line.startswith(("scenario:", "extends:")) for line in path.read_text(encoding="utf-8").splitlines()
    )


def _table(found: Sequence[Persona]) -> Table:
    shown = table()
    for column in ("name", "extroversion", "kindness", "spawn", "holds", "traits"):
        number = column in ("extroversion", "kindness", "spawn")
        shown.add_column(column, justify="right" if number else "left", no_wrap=column == "name")
    for each in found:
        spot = each.spawn_location
        held = ", ".join(f"{count} {item}" for item, count in each.inventory.items())
        shown.add_row(
            words(each.name, "bold"),
            f"{each.extroversion:g}",
            f"{each.kindness:g}",
            f"{spot.x:g}, {spot.y:g}, {spot.z:g}",
            words(held),
            words(" ".join(each.traits)),
        )
    return shown
