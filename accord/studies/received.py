"""Records made elsewhere: nothing that they name is used before the person has named it, too.

A record holds settings, and settings name endpoints, files and plugins. In a record that this user made on this machine
and that nobody changed since (`dilemmas.records.seals`) they count as they stand. In any other one somebody else chose
them: code, the files that are read, and where keys go are named again on the command line, or the record is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from common.plugins import active, add, look_at
from dilemmas.errors import UsageError
from dilemmas.records.replaying import PREFIX
from voyager_agents.models import KINDS

OF_ENDPOINTS = ("base_url", "base_urls", "api_key_file", "api_key_files")
"""Settings that say whom models are asked at, and with which key."""
NAMES_A_PATH = ("file", "library", "learned", "modules")
"""Options of agents whose values are files or folders."""
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
    """Check that the person has named all that these plain settings of a record made elsewhere name.

    Args:
        where: The record.
        settings: Settings as the record has them, without those that the command line replaces.
        allowed: Endpoints and paths that the command line names (`--allow`).
        plugins: The plugins that the record says it was played with.
        prompts: Whether `prompts` names a folder outside of the record.

    Raises UsageError.
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
        raise UsageError(_told(where, missing, added))


def names_in(settings: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return every endpoint and every path that plain settings name."""
    return {name for each in settings for name in (*endpoints_in(each), *files_in(each, prompts=True))}


def endpoints_in(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield every endpoint that plain settings name."""
    urls = [settings.get("base_url"), *_values(settings, "base_urls")]
    urls += [value for key, value in settings.items() if str(key).startswith("base_urls.")]
    yield from (str(url) for url in urls if url is not None)


def files_in(settings: Mapping[str, Any], *, prompts: bool = False) -> Iterator[str]:
    """Yield every file and folder outside of a record that plain settings name."""
    single = ("prices", "api_key_file", *(("prompts",) if prompts else ()))
    yield from (str(settings[key]) for key in single if settings.get(key) is not None)
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
    """Use the plugins of a record that was made here, each only while it is what it was. Raises UsageError and
    PluginError."""
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
    """Yield the records that answer for models."""
    given = [settings.get("model"), *_values(settings, "models")]
    given += [value for key, value in settings.items() if str(key).startswith("models.")]
    given += [one for values in _values(settings, "vary") if isinstance(values, list | tuple) for one in values]
    yield from (each.removeprefix(PREFIX) for each in given if isinstance(each, str) and each.startswith(PREFIX))


def _of_agents(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that options of agents name; more rather than fewer, since plugins have options of their own."""
    _, sign, file = str(settings.get("agents") or "").partition(":")
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
    """Return whether a value is, or could be, a path."""
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
    """Name the plugins of a record that are neither installed nor named on the command line."""
    # Not at the top: the groups of entry points are read when a record asks for plugins.
    from common.plugins import entries
    from common.plugins.found import GROUPS

    wanted = [f"{each.get('name')} {each.get('version')}" for each in _mappings(recorded)]
    if not wanted:
        return []
    there = {entry.plugin.name for group in GROUPS for entry in entries(group).values()}
    return [each for each in wanted if each.partition(" ")[0] not in there]


def _told(where: Path, missing: list[str], plugins: list[str]) -> str:
    told = f"{where} was not made here, or has changed since, so it may not choose what is used on this machine"
    if missing:
        shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        told += f"; it names {shown}: if you want that, add {' '.join(f'--allow {each}' for each in missing[:5])}"
    if plugins:
        told += f"; it was played with the plugin {', '.join(plugins)}: name its folder with --plugin"
    return told
