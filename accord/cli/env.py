"""`accord env`: serve the rollouts of a scenario to a trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.console import Console
from rich.text import Text

from accord.cli import option_values, options
from accord.cli.error_handling import DONE
from accord.cli.single_option import SingleOptionCommand
from dilemmas.errors import UsageError

env = typer.Typer(
    help="Train language models on scenarios: serve rollouts to a trainer over HTTP.", no_args_is_help=True
)

Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat", metavar="NAME|all", help="A player whose model is a learner; may be repeated.",
        show_default="the first player",
    ),
]  # fmt: skip
PartnerKinds = Annotated[
    list[str] | None,
    typer.Option(
        "--partner", metavar="[NAME=]KIND", show_default="the usual reference player",
        help="A frozen partner: kind, family or model of all other players, or of NAME; may be repeated.",
    ),
]  # fmt: skip


@env.command("serve", cls=SingleOptionCommand)
def serve(
    scenario: options.ScenarioName,
    contract: Annotated[
        str,
        typer.Option("--contract", "--condition", metavar="NAME|FILE", help="A condition, or a contract's YAML file."),
    ] = "none",
    seat: Seats = None,
    partner: PartnerKinds = None,
    agents: options.Agents = None,
    agents_option: options.AgentsOption = None,
    model: options.Model = None,
    model_for: options.ModelFor = None,
    base_url: options.BaseUrls = None,
    api_key_file: options.KeyFiles = None,
    world: Annotated[
        str | None,
        typer.Option(metavar="WORLD", help="embedded, mock or paper; none for games on arrays.", show_default="mock"),
    ] = None,
    episodes: Annotated[int, typer.Option(help="Episodes of a rollout.")] = 1,
    repeat: options.Repeat = None,
    time_limit: options.TimeLimit = None,
    workers: Annotated[int, typer.Option(help="Processes that play rollouts; 0 for this one.")] = 0,
    keep: Annotated[bool, typer.Option(help="Keep the records of ended rollouts.")] = True,
    out: options.Out = Path("runs"),
    port: Annotated[int | None, typer.Option(help="Port on 127.0.0.1.", show_default="a free one")] = None,
) -> int:
    """Serve rollouts of SCENARIO as plain JSON on this machine, behind a token, until Ctrl-C (docs/training.md)."""
    from accord.studies.keyword_options import Options
    from accord.training.environment import AsyncEnvironment
    from accord.training.server import HOST_URL, new_token
    from accord.training.server import serve as serve_environment
    from accord.viewer.serving import bind

    if world is not None:
        option_values.check_world(world)
    chosen: dict[str, Any] = {
        "world": world,
        "agents": agents,
        "agents_options": option_values.name_value_pairs("--agents-option", agents_option or (), "history=50"),
        "model": model,
        "models": option_values.name_value_pairs("--model-for", model_for or (), "critic=openai/NAME"),
        "episodes": episodes,
        "repeat": repeat,
        "time_limit_s": time_limit,
        "out": out,
        **option_values.endpoint_settings(base_url, api_key_file),
    }
    given = cast(Options, {name: value for name, value in chosen.items() if value is not None})
    seats = "all" if seat == ["all"] else seat
    environment = AsyncEnvironment(
        scenario, contract, seats=seats, partners=_partners(partner), workers=workers, keep=keep, **given
    )
    opened, token = bind(port), new_token()
    address = HOST_URL.format(port=opened.getsockname()[1], token=token)

    def ready() -> None:
        told = f"{', '.join(environment.seats)} learn{'s' if len(environment.seats) == 1 else ''} at {address}"
        Console(stderr=True).print(Text(f"{told} (this machine only; Ctrl-C ends it)"), soft_wrap=True)

    serve_environment(environment, opened, token, ready)
    return DONE


def _partners(given: list[str] | None) -> str | dict[str, str] | None:
    """Return the partners: one for all, or by name. Raises UsageError."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    if any("=" not in each for each in given):
        raise UsageError(f"--partner {given[0]!r}: several partners need names; write e.g. --partner Glitch=greedy")
    return option_values.name_value_pairs("--partner", given, "Glitch=greedy")
