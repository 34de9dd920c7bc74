"""Sources of personas: scenarios, files, and a generator with traits from a table or written by a model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from accord.analysis.report.text import dollars
from accord.cli.error_handling import say
from accord.cli.rating import answered_by
from accord.cli.table_cells import words
from accord.cli.tables import table
from accord.studies.models import check_prices
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_scenario, scenario_names
from dilemmas.scenarios.societies.spec import LivedSpec
from voyager_agents import Budget, ModelError, load_prices, open_model
from voyager_agents.budget import ALL
from voyager_agents.errors import BudgetError
from voyager_agents.models.cascade import is_cascade, stages_of
from voyager_agents.models.paying import PaidModels
from voyager_agents.personas import Persona, Spot, generate, load_personas
from voyager_agents.personas.written import PERSONAS, WrittenPersonas, write_traits

EXAMPLE = "accord personas --count 30 --seed 1 --out people.yaml"


def generate_personas(count: int, seed: int, at: str) -> list[Persona]:
    """Return generated personas who start at position `at` ("X,Y,Z").

    Raises:
        UsageError: A value is not legal.
    """
    parts = at.split(",")
    try:
        x, y, z = (float(part) for part in parts)
        return generate(count, seed, [Spot(x=x, y=y, z=z)], inventories=True)
    except ValueError as error:
        reason = f"--at {at!r} is no place: give X,Y,Z" if len(parts) != 3 else str(error).splitlines()[0]
        raise UsageError(f"{reason}; for example {EXAMPLE}") from None


@dataclass(frozen=True)
class ModelCost:
    """Prices of models, and the limit on a model's cost in dollars."""

    prices: Path | None
    max_usd: float | None

    def budget(self, models: Iterable[str]) -> Budget:
        """Return a budget for calls of these models.

        Raises:
            BudgetError: The limit is not above 0.
            UsageError: A limit in dollars is set, and a model has no known price.
        """
        budget = Budget({} if self.max_usd is None else {"usd": {ALL: self.max_usd}}, load_prices(self.prices))
        check_prices(budget, models)
        return budget


def with_written_traits(
    found: Sequence[Persona], spec: str, base_url: str | None, api_key_file: Path | None, pay: ModelCost
) -> list[Persona]:
    """Return the personas with traits written by a model, and print the cost to standard error.

    Args:
        found: The personas.
        spec: Spec of the model, or of a cascade.
        base_url: Endpoint of the model; None for the provider's own.
        api_key_file: File with the key.
        pay: Limit and prices of the calls.

    Raises:
        UsageError: The model or its limit is not legal.
        ModelError: The model cannot be used.
    """
    try:
        models = {each: open_model(each, base_url=base_url, api_key_file=api_key_file) for each in stages_of(spec)}
        budget = pay.budget(each.name for each in models.values())
    except (ModelError, BudgetError) as error:
        raise UsageError(str(error)) from None

    async def ask() -> WrittenPersonas:
        try:
            return await write_traits(found, PaidModels(spec, models, budget, PERSONAS))
        finally:
            for each in models.values():
                await each.close()

    made = asyncio.run(ask())
    price = "price unknown" if made.usd is None else dollars(made.usd)
    name = spec if is_cascade(spec) else models[spec].name
    told = f"{name}: {made.calls} calls, {made.tokens} tokens, {price}{answered_by(made.answered)}"
    if made.tabled:
        told += f"; {len(made.tabled)} of {len(found)} have traits from the table of words: {made.faults[-1]}"
    say(told, prefix="")
    return made.personas


def read_personas(source: str) -> list[Persona]:
    """Return the personas of a scenario or of a file.

    Raises:
        UsageError: The scenario has no personas.
    """
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


def persona_table(found: Sequence[Persona]) -> Table:
    """Return a table with a row for each persona."""
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
