"""Selection of an agent's modules, and consistency checks before a run starts.

Ten standard modules come with Accord, one file each. User modules come from Python files that define `MODULE` or
`MODULES`, or from plugins. A user module replaces a standard module of the same name.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from common.plugins import PluginEntry, PluginTable
from voyager_agents.errors import WiringError
from voyager_agents.piano.bottleneck import USUAL, SlotGate
from voyager_agents.piano.module import Module
from voyager_agents.piano.settings import BASELINE, PianoSettings
from voyager_agents.piano.slots import FIRST, GIVEN, SLOTS

MODULES: Mapping[str, str] = {
    name: f"voyager_agents.piano.modules.{name}"
    for name in (
        "perception",
        "reflex",
        "memory",
        "action_awareness",
        "social_awareness",
        "goal_generation",
        "planning",
        "controller",
        "talking",
        "skill_execution",
    )
}
"""Module name -> Python module that defines `MODULE`. Modules that are due at the same time run in this order."""
EXTRAS: Mapping[str, str] = {
    "citizen": "voyager_agents.piano.modules.citizen",
    "drives": "voyager_agents.piano.modules.drives",
    "polity": "voyager_agents.piano.modules.polity",
    "trader": "voyager_agents.piano.modules.trader",
}
"""Optional modules that come with Accord; the option `modules` adds them. They run before goal generation."""
TABLES: Mapping[str, str] = {
    "believers": "voyager_agents.piano.rule_based.religion",
    "companions": "voyager_agents.piano.rule_based.perception",
    "explorers": "voyager_agents.piano.rule_based.progression",
}
"""Name -> package with alternative rules for agents without a model.

In each package `FILE` is the table of numbers, `BOTTLENECK` the controller's default bottleneck, and `adapt` derives
the modules from the ten standard ones.
"""
CONTROLLER = "controller"
NEEDED = ("perception", CONTROLLER, "skill_execution")
"""Modules that cannot be left out."""


@dataclass(frozen=True)
class Wiring:
    """Checked set of modules with the slots, writers and bottleneck that connect them."""

    modules: tuple[Module, ...]
    gates: tuple[SlotGate, ...]
    types: Mapping[str, Any]
    writers: Mapping[str, str]
    first: Mapping[str, Any]
    staggered: bool = False
    """True if first periods are random, which keeps a large society from running the same modules at the same time."""


def tables_of(settings: PianoSettings) -> Any:  # noqa: ANN401 - a package of the table
    """Return the rule package that the settings name; None for the default rules. Raises WiringError."""
    if not settings.tables:
        return None
    if settings.tables not in TABLES:
        raise WiringError(f"tables: {settings.tables!r} is not there; choose one of {', '.join(TABLES)}")
    return importlib.import_module(TABLES[settings.tables])


def wire(settings: PianoSettings, *, thinks: bool = False) -> Wiring:
    """Return the checked wiring of the settings.

    Args:
        settings: Options of the agent.
        thinks: True if a model plays; the rule package of `tables` is then ignored.

    Raises:
        WiringError: A module or slot is unknown, or the modules do not fit together.
        PluginError: A plugin's module cannot be loaded.
    """
    own = [module for path in settings.modules if str(path) not in EXTRAS for module in _users(path)]
    known: dict[str, Module] = {}
    for name, place in MODULES.items():
        if name == "goal_generation":
            known |= {str(path): _module(EXTRAS[str(path)]) for path in settings.modules if str(path) in EXTRAS}
        known[name] = _module(place)
    tables = tables_of(settings)
    if tables is not None and not thinks:
        known = tables.adapt(known)
        settings = replace(settings, bottleneck=settings.bottleneck or tables.BOTTLENECK)
    known |= {module.name: module for module in own}
    left_out = _left_out(settings, known)
    chosen = [module for name, module in known.items() if name not in left_out]
    types = dict(SLOTS)
    first = dict(FIRST)
    for module in known.values():
        types |= module.slots
        first |= module.first
    writers = _writers(chosen)
    gates = _gates(settings, types)
    modules = tuple(_shown(_fitting(module, types), gates, settings) for module in chosen)
    return Wiring(modules, gates, types, writers, first, staggered=tables is not None and not thinks)


def _of_plugin(entry: PluginEntry) -> Module:
    """Return the module of a plugin entry. Raises PluginError."""
    module = entry.load()
    if not isinstance(module, Module):
        raise entry.broken(f"is {type(module).__name__}, not a Module (voyager_agents.piano.module)")
    if module.name != entry.name:
        raise entry.broken(f"is called {module.name!r}; give the entry the module's name")
    return module


ADDED: PluginTable[Module | None] = PluginTable("modules", dict.fromkeys([*MODULES, *EXTRAS]), _of_plugin)
"""Modules of plugins, selected by the option `modules`. Accord's own names are included to reserve them."""


def _users(path: Path) -> list[Module]:
    """Return the plugin module of this name, or else the modules in this file. Raises WiringError and PluginError."""
    if str(path) in ADDED.added() and (module := ADDED[str(path)]) is not None:
        return [module]
    return own_modules(path)


def own_modules(path: Path) -> list[Module]:
    """Return the modules that a user's Python file defines. Raises WiringError."""
    spec = importlib.util.spec_from_file_location(f"accord_module_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise WiringError(f"modules: {path}: is no Python file; give the path of one that defines MODULE")
    loaded = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(loaded)
    except (ImportError, SyntaxError, NameError, TypeError, ValueError, AttributeError) as error:
        raise WiringError(f"modules: {path}: cannot be loaded ({type(error).__name__}: {error})") from None
    found = list(getattr(loaded, "MODULES", [])) or [getattr(loaded, "MODULE", None)]
    for module in found:
        if not isinstance(module, Module):
            raise WiringError(f"modules: {path}: defines no MODULE; see docs/societies.md")
    return found


def _module(place: str) -> Module:
    found: Module = importlib.import_module(place).MODULE
    return found


def _left_out(settings: PianoSettings, known: Mapping[str, Module]) -> set[str]:
    for name in settings.without:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise WiringError(f"without: unknown module {name!r}{hint}; choose from {', '.join(known)}")
        if name in NEEDED:
            raise WiringError(f"without: nobody lives without {name}; leave it in")
    out = set(settings.without)
    if settings.baseline:
        out |= {name for name in MODULES if name not in BASELINE}
    return out


def _writers(modules: Sequence[Module]) -> dict[str, str]:
    writers = dict(GIVEN)
    for module in modules:
        for slot in module.writes:
            if slot in writers:
                raise WiringError(f"the slot {slot!r} has two writers: {writers[slot]} and {module.name}; give it one")
            writers[slot] = module.name
    return writers


def _gates(settings: PianoSettings, types: Mapping[str, Any]) -> tuple[SlotGate, ...]:
    hidden = () if settings.perceives else _module(MODULES["perception"]).writes
    usual = tuple(gate for gate in USUAL if gate.slot not in hidden)
    gates = usual if settings.bottleneck is None else settings.bottleneck
    named = [gate.slot for gate in gates]
    for slot in named:
        if slot not in types:
            raise WiringError(f"bottleneck: there is no slot {slot!r}; choose from {', '.join(types)}")
        if named.count(slot) > 1:
            raise WiringError(f"bottleneck: {slot!r} is named twice; name it once")
    return gates


def _fitting(module: Module, types: Mapping[str, Any]) -> Module:
    for slot in (*module.reads, *module.writes, *module.when.changes):
        if slot not in types:
            raise WiringError(f"module {module.name}: there is no slot {slot!r}; choose from {', '.join(types)}")
    if module.rule is None and module.role is None:
        raise WiringError(f"module {module.name}: has neither a rule nor a model's role; give it one")
    if module.role is not None and (module.ask is None or module.form is None or module.read is None):
        raise WiringError(f"module {module.name}: asks a model and lacks ask, form or read")
    return module


def _shown(module: Module, gates: Sequence[SlotGate], settings: PianoSettings) -> Module:
    """Return the module with its effective slots and triggers.

    The controller reads, and is triggered by, the slots of its bottleneck. If the decision is not broadcast, only the
    controller and skill execution may read it.
    """
    if module.name == CONTROLLER:
        slots = tuple(gate.slot for gate in gates)
        when = replace(module.when, changes=tuple(dict.fromkeys((*slots, "outcome", "duty", "errand"))))
        return replace(module, reads=tuple(dict.fromkeys((*slots, *module.reads))), when=when)
    if not settings.broadcast and module.name != "skill_execution" and "decision" in module.reads:
        without = tuple(slot for slot in module.reads if slot != "decision")
        changes = tuple(slot for slot in module.when.changes if slot != "decision")
        every = module.when.every_s or (8.0 if module.speaks else None)
        return replace(module, reads=without, when=replace(module.when, changes=changes, every_s=every))
    return module
