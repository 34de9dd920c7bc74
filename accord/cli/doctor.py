"""`accord doctor`: check this machine and print one line per check."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli import option_values, options
from accord.cli.error_handling import DONE, FAILED, write_out
from bridge.worlds import BODIES, MINEFLAYER
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.doctor.answers import RoleRow
    from accord.doctor.checks import DoctorCheck
    from accord.studies.settings import StudySettings

STYLES = {"ok": "green", "info": "cyan", "warn": "yellow", "fail": "red"}


def doctor(
    out: Annotated[Path, typer.Option(help="The folder for runs to check.")] = Path("runs"),
    hostile: Annotated[
        bool,
        typer.Option(
            "--hostile", help="Also run the attack policies against this machine's sandbox; takes two minutes."
        ),
    ] = False,
    world: Annotated[
        Literal["embedded", "paper"], typer.Option(help="With paper, a missing part of Docker counts as a failure.")
    ] = "embedded",
    bodies: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(BODIES), help="With --hostile, the players that are attacked.", show_default=MINEFLAYER
        ),
    ] = None,
    model: options.Model = None,
    model_for: options.ModelFor = None,
    sampling: options.SamplingOption = None,
    local: options.LocalOption = None,
    prompts: options.PromptsFolder = None,
    reasoning: options.ReasoningWay = "field",
    answers: options.AnswersWay = "schema",
    base_url: options.BaseUrls = None,
    api_key_file: options.KeyFiles = None,
    prices: options.Prices = None,
    roles: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="With a model, ask in these roles and parts alone.", show_default="all"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Check this machine or, if a model is given, ask that model one question for each role."""
    if bodies is not None and (bodies not in BODIES or not hostile):
        raise UsageError(f"--bodies {one_line(bodies)}: give {' or '.join(BODIES)}, together with --hostile")
    if model is not None or model_for:
        from accord.studies.settings import StudySettings

        settings = StudySettings(
            "double-vein",
            model=model,
            models=option_values.name_value_pairs("--model-for", model_for or (), "judge=openai/NAME"),
            sampling=option_values.name_value_pairs("--sampling", sampling or (), "temperature=0"),
            local=option_values.name_value_pairs("--local", local or (), "context=4096"),
            prompts=prompts,
            reasoning=reasoning,  # type: ignore[arg-type] # checked by the settings
            answers=answers,  # type: ignore[arg-type] # checked by the settings
            prices=prices,
            **option_values.endpoint_settings(base_url, api_key_file),
        )
        rows, found = asyncio.run(_ask(settings, [name.strip() for name in roles.split(",")] if roles else []))
        if as_json:
            told = {"roles": [row.to_dict() for row in rows], "checks": [asdict(each) for each in found]}
            write_out(json.dumps(told, indent=2, ensure_ascii=False))
        else:
            from accord.cli.doctor_table import show_roles

            show_roles(Console(), rows)
    else:
        found = asyncio.run(
            _examine(out, hostile=(bodies or MINEFLAYER) if hostile else None, with_paper=world == "paper")
        )
        if as_json:
            write_out(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))
    if not as_json:
        for each in found:
            Console().print(_line(each), soft_wrap=True)
    return FAILED if any(each.state == "fail" for each in found) else DONE


async def _ask(settings: StudySettings, roles: Sequence[str]) -> tuple[list[RoleRow], list[DoctorCheck]]:
    """Ask the study's models one question per role, and return a row for each question, and checks."""
    from accord.doctor.models import ask_roles, lacking_checks, model_checks, row_checks
    from accord.doctor.questions import choose_questions, role_questions
    from accord.studies.models import Models, specs_of
    from accord.studies.player_checks import check_models
    from accord.studies.players import seating
    from dilemmas.records.replaying import PREFIX
    from dilemmas.scenarios.registry import load_scenario

    scenario = load_scenario(settings.scenario)
    seating(settings, scenario)
    check_models(settings, scenario)
    if replayed := [spec for spec in specs_of(settings) if spec.startswith(PREFIX)]:
        raise UsageError(f"--model {replayed[0]}: a replay asks no model; give --model openai/NAME")
    models = Models([settings], settings.budget)
    try:
        with Console(stderr=True).status("preparing the prompts") as status:
            found = await role_questions(settings)
            questions = choose_questions(found.asked, roles)
            rows = await ask_roles(settings, models.opened, questions, lambda told: status.update(f"asking {told}"))
            checks = await model_checks(settings, models.opened, rows, models.budget.prices)
        return rows, [*row_checks(rows), *([] if roles else lacking_checks(found.lacking)), *checks]
    finally:
        await models.close()


async def _examine(out: Path, *, hostile: str | None, with_paper: bool) -> list[DoctorCheck]:
    """Return checks of machine, Docker and servers, and attacks on bodies of kind `hostile` unless a check failed."""
    from accord.doctor import hostile as attacks
    from accord.doctor import machine, paper
    from accord.doctor.checks import DoctorCheck

    found = [*await machine.examine(out), *await paper.paper_checks(asked=with_paper), *await paper.server_checks()]
    if hostile is None:
        return found
    if any(check.state == "fail" for check in found):
        return [*found, DoctorCheck("attacks", "info", "not tried", "mend the failures above first")]
    return [*found, *await attacks.attack_checks(hostile)]


def _line(check: DoctorCheck) -> Text:
    """Return a check as one line."""
    remedy = f" -> {one_line(check.remedy)}" if check.remedy else ""
    return Text.assemble(
        (f"{check.state:<5}", STYLES[check.state]), f"{check.name}: {one_line(check.found)}", (remedy, "bold")
    )
