"""Untrusted records: the endpoints, files and plugins that they name are used only if the command line names them too.

A record holds settings, and settings name endpoints, files and plugins. They are trusted in a record that this user
made on this machine and that is unchanged (`dilemmas.records.seals`). In any other record someone else may have chosen
the code to load, the files to read and the endpoints that get keys. Such a record is refused unless the command line
allows each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from common.plugins import active, add, look_at
from dilemmas.errors import UsageError
from dilemmas.records.replaying import PREFIX
from voyager_agents.models import KINDS, LOCAL
from voyager_agents.models.answer_cache import OFF
from voyager_agents.models.cascade import PREFIX as CASCADE
from voyager_agents.models.cascade import SEPARATOR, is_cascade

OF_ENDPOINTS = ("base_url", "base_urls", "api_key_file", "api_key_files", "cache")
"""Settings with endpoints of models, their keys and the cache of their answers."""
NAMES_A_PATH = ("file", "library", "learned", "modules")
"""Options of agents whose values are paths of files or folders."""
OWN_LIBRARY = "own"
SUFFIXES = (".yaml", ".yml", ".json", ".py", ".js", ".npz", ".md", ".txt")


def check_named(
    where: Path,
    settings: Iterable[Mapping[str, Any]],
    allowed: Collection[str],
    plugins: object = None,
    *,
    prompts: bool = False,
) -> None:
    """Check that the command line allows all endpoints, paths and plugins that an untrusted record names.

    Args:
        where: Directory of the record.
        settings: Recorded plain settings, without those that the command line overrides.
        allowed: Endpoints and paths that the command line allows (`--allow`).
        plugins: Recorded plugins.
        prompts: Whether the setting `prompts` is a folder outside of the record.

    Raises:
        UsageError: Something is not allowed, or a plugin is missing.
    """
    paths = {Path(each).expanduser().absolute() for each in allowed}
    plain = [each for each in settings if isinstance(each, Mapping)]
    endpoints = {url for each in plain for url in endpoints_in(each)} - set(allowed)
    files = {path for each in plain for path in files_in(each, prompts=prompts)}
    missing = [
        *sorted(endpoints),
        *sorted(path for path in files if Path(path).expanduser().absolute() not in paths),
    ]
    added = _plugins_missing(plugins)
    if missing or added:
        raise UsageError(_refusal_text(where, missing, added))


def names_in(settings: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return all endpoints and paths in plain settings."""
    return {name for each in settings for name in (*endpoints_in(each), *files_in(each, prompts=True))}


def endpoints_in(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the endpoints in plain settings."""
    urls = [settings.get("base_url"), *_values(settings, "base_urls")]
    urls += [value for key, value in settings.items() if str(key).startswith("base_urls.")]
    yield from (str(url) for url in urls if url is not None)


def files_in(settings: Mapping[str, Any], *, prompts: bool = False) -> Iterator[str]:
    """Yield the files and folders outside of the record in plain settings."""
    single = ("prices", "api_key_file", *(("prompts",) if prompts else ()))
    yield from (str(settings[key]) for key in single if settings.get(key) is not None)
    if settings.get("cache") not in (None, OFF):
        yield str(settings["cache"])
    yield from (str(path) for path in _values(settings, "api_key_files"))
    yield from (str(settings[key]) for key in settings if str(key).startswith("api_key_files."))
    contracts = settings.get("contracts")
    named = [settings.get("scenario"), *(contracts if isinstance(contracts, list | tuple) else ())]
    yield from (str(each) for each in named if _is_path(each))
    yield from _of_models(settings)
    yield from _of_agents(settings)
    for key, value in settings.items():
        if str(key).startswith(("scenario.", "contract.")) and _is_path(value):
            yield str(value)


def use_recorded_plugins(where: Path, folders: object, recorded: object) -> None:
    """Add the plugins of a trusted record, each only if it is unchanged. Raises UsageError and PluginError."""
    known = {str(each.get("name")): each.get("sha256") for each in _mappings(recorded)}
    named = set(active())
    for folder in map(str, folders if isinstance(folders, list | tuple) else ()):
        path = Path(folder).expanduser().resolve()
        if path in named:
            continue
        name, sha256 = look_at(path)
        if known and known.get(name) != sha256:
            raise UsageError(
                f"{where}: plugins: {name} in {path} is not what it was at the start: put it back, name it with "
                "--plugin, or run anew"
            )
        add(path)


def _of_models(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths of records that are replayed as models, and the files of local models."""
    given = [settings.get("model"), *_values(settings, "models")]
    given += [value for key, value in settings.items() if str(key).startswith("models.")]
    given += [one for values in _values(settings, "vary") if isinstance(values, list | tuple) for one in values]
    given = [part for each in given if isinstance(each, str) for part in _parts(each)]
    for prefix in (PREFIX, f"{LOCAL}:"):
        yield from (each.removeprefix(prefix) for each in given if each.startswith(prefix))


def _parts(spec: str) -> list[str]:
    """Return the parts of a cascade, legal or not, or the spec of another model itself."""
    return spec.removeprefix(CASCADE).split(SEPARATOR) if is_cascade(spec) else [spec]


def _of_agents(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files in options of agents. Any value like a path counts, since plugins define their own options."""
    named = [*str(settings.get("agents") or "").split(","), *_values(settings, "players")]
    named += [value for key, value in settings.items() if str(key).startswith("players.")]
    for each in named:
        _, sign, file = str(each).partition(":")
        if sign:
            yield file
    options = [(str(key), value) for key, value in _items(settings, "agents_options")]
    options += [(str(key)[15:], value) for key, value in settings.items() if str(key).startswith("agents_options.")]
    for key, values in _items(settings, "vary"):
        who, dot, what = str(key).rpartition(".")
        if dot and what == "agents-option":
            options += [(who, value) for value in (values if isinstance(values, list | tuple) else [values])]
    for key, value in options:
        for each in value if isinstance(value, list | tuple) else str(value).split(","):
            text = str(each).strip()
            if _is_file_option(key, text):
                yield text


def _is_file_option(key: str, text: str) -> bool:
    if key in NAMES_A_PATH:
        return not (key == "library" and text == OWN_LIBRARY)
    return _is_path(text) and text.partition("/")[0] not in KINDS


def _is_path(value: object) -> bool:
    """Return whether a value may be a path."""
    if not isinstance(value, str) or not value:
        return False
    try:
        return "/" in value or value.startswith("~") or value.endswith(SUFFIXES) or Path(value).exists()
    except (OSError, ValueError):
        return True


def _items(settings: Mapping[str, Any], key: str) -> list[tuple[Any, Any]]:
    held = settings.get(key)
    return list(held.items()) if isinstance(held, Mapping) else []


def _values(settings: Mapping[str, Any], key: str) -> list[Any]:
    return [value for _, value in _items(settings, key)]


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list | tuple) else []


def _plugins_missing(recorded: object) -> list[str]:
    """Return the plugins of a record that are neither installed nor named on the command line."""
    # Imported here, since most records name no plugins.
    from common.plugins import entries
    from common.plugins.found import GROUPS

    wanted = [f"{each.get('name')} {each.get('version')}" for each in _mappings(recorded)]
    if not wanted:
        return []
    there = {entry.plugin.name for group in GROUPS for entry in entries(group).values()}
    return [each for each in wanted if each.partition(" ")[0] not in there]


def _refusal_text(where: Path, missing: list[str], plugins: list[str]) -> str:
    told = f"{where} was not made here, or has changed since, so it may not choose what is used on this machine"
    if missing:
        shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        told += f"; it names {shown}: if you want that, add {' '.join(f'--allow {each}' for each in missing[:5])}"
    if plugins:
        told += f"; it was played with the plugin {', '.join(plugins)}: name its folder with --plugin"
    return told
