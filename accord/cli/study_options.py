"""Command line options of a study, generated from `accord.studies.option_groups`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer

from accord.studies.option_definitions import CommandOption
from accord.studies.option_groups import GROUPS

if TYPE_CHECKING:
    from accord.studies.settings import StudySettings


class StudyOption(NamedTuple):
    """Command line option that sets a field of a study's options, or one key of it."""

    name: str
    """Name of the field."""
    type: Any
    default: object
    panel: str
    """Heading of the group in the help."""
    option: CommandOption

    def typer_option(self) -> Any:  # noqa: ANN401 - typer says so
        """Return the option as typer defines it."""
        option = self.option
        return typer.Option(
            *option.flag.split(","),
            metavar=option.metavar or None,
            help=option.help,
            show_default=True if option.show_default is None else option.show_default,
            rich_help_panel=self.panel,
        )

    def parameter(self) -> inspect.Parameter:
        """Return the parameter of a command. Values that settings check or complete arrive as text or None."""
        kind, default = self.type, self.default
        if self.option.repeated:
            kind, default = list[str] | None, None
        elif self.name == "world":
            kind, default = str | None, None
        elif get_origin(kind) is Literal:
            kind = str
        annotation = Annotated[kind, self.typer_option()]  # type: ignore[valid-type] # a type of the model's fields
        name = self.option.parameter
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


@functools.cache
def study_options() -> tuple[StudyOption, ...]:
    """Return all options of a study, in the order of the help."""
    return tuple(_find_options())


def _find_options() -> Iterator[StudyOption]:
    for panel, group in GROUPS.items():
        hints = get_type_hints(group, include_extras=True)
        for field in fields(group):
            kind, *metadata = get_args(hints[field.name])
            for option in metadata:
                if isinstance(option, CommandOption):
                    yield StudyOption(field.name, kind, field.default, panel, option)


def study_option(flag: str) -> Any:  # noqa: ANN401 - typer says so
    """Return the option with a given flag, for use in another command. Raises StopIteration if no option has it."""
    return next(each for each in study_options() if flag in each.option.flag.split(",")).typer_option()


def with_study_options(command: Callable[..., int]) -> Callable[..., int]:
    """Replace `**given` in a command's signature by one parameter for each option of a study."""
    return with_parameters(command, (each.parameter() for each in study_options()))


def with_parameters(command: Callable[..., int], parameters: Iterable[inspect.Parameter]) -> Callable[..., int]:
    """Replace `**given` in a command's signature by parameters; keyword-only ones of its own stand last."""

    @functools.wraps(command)
    def wrapper(**given: object) -> int:
        return command(**given)

    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    named = [each for each in own if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    last = [each for each in own if each.kind is inspect.Parameter.KEYWORD_ONLY]
    whole = [*named, *parameters, *last]
    wrapper.__signature__ = signature.replace(parameters=whole)  # type: ignore[attr-defined] # PEP 362
    wrapper.__annotations__ = {each.name: each.annotation for each in whole}
    return wrapper


def settings_from(scenario: str, contracts: tuple[str, ...], given: Mapping[str, Any]) -> StudySettings:
    """Return a study's settings from the parameters of a command decorated by `with_study_options`.

    Raises:
        UsageError: A value is not legal.
    """
    from accord.cli import option_values
    from accord.studies.settings import StudySettings

    values = {each.name: given[each.option.parameter] for each in study_options() if not each.option.repeated}
    caps = {measure: given[f"max_{measure}"] for measure in ("usd", "tokens", "calls", "wall")}
    values["world"] = option_values.world_or_usual(given["world"], scenario, given["embodied"])
    return StudySettings(
        scenario,
        contracts,
        **values,
        **option_values.endpoint_settings(given["base_url"], given["api_key_file"]),
        players=option_values.player_kinds(given["player"], given["human"]),
        adversaries=option_values.name_value_pairs("--adversary", given["adversary"] or (), "Glitch=free-rider"),
        agents_options=option_values.name_value_pairs("--agents-option", given["agents_option"] or (), "reflect=30"),
        models=option_values.name_value_pairs("--model-for", given["model_for"] or (), "judge=openai/NAME"),
        sampling=option_values.name_value_pairs("--sampling", given["sampling"] or (), "temperature=0"),
        local=option_values.name_value_pairs("--local", given["local"] or (), "context=4096"),
        vary=option_values.factor_values(given["vary"]),
        budget=option_values.budget_caps(**caps),
        primary=tuple(given["primary"] or ()),
        compare=tuple(given["compare"] or ()),
    )
