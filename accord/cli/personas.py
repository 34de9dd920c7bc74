"""`accord personas`: show the personas of a scenario or a file, or generate new ones from a seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from accord.cli import options
from accord.cli.error_handling import write_out
from dilemmas.errors import UsageError


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
    import yaml
    from rich.console import Console

    from accord.cli.persona_sources import (
        ModelCost,
        generate_personas,
        persona_table,
        read_personas,
        with_written_traits,
    )
    from voyager_agents.errors import PersonaError

    try:
        found = generate_personas(count, seed, at) if source is None else read_personas(source)
    except PersonaError as error:
        raise UsageError(str(error)) from None
    if model is not None:
        found = with_written_traits(found, model, base_url, api_key_file, ModelCost(prices, max_usd))
    plain = [each.to_dict() for each in found]
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
        Console().print(persona_table(found))
