"""Programs of a population over generations: inherited, shown to newcomers, and mutated.

The option `population`, which `accord generations` sets, has the programs of a game's players, the players that write
a program before they play, and the survivors' programs that these read.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from typing import Any

from common.untrusted_text import explain_document
from voyager_agents.errors import AgentError, ReplyError
from voyager_agents.stage_games.options import WrittenStrategies, written_strategies
from voyager_agents.voyager.code import MAX_SOURCE, blank_source, check_start, sole_function

POPULATION = "population"
"""Name of the option."""
MAX_READ = 3
"""Maximum number of survivors' programs that a newcomer reads: a program has thousands of characters."""
MUTATION_TRIES = 20
"""Draws of a changed number before a program is copied as it is."""
_NUMBER = re.compile(r"(?<![\w$.])\d+(?:\.\d+)?(?![\w$.])")
"""A plain decimal literal."""


def inherited_programs(options: Mapping[str, Any]) -> WrittenStrategies:
    """Return the programs in an agent's options, as JSON or as data. Raises AgentError if they have another form."""
    given = options.get(POPULATION, {})
    try:
        data = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        raise AgentError("population: is no JSON; accord generations writes it") from None
    return written_strategies({POPULATION: data}, MAX_SOURCE)


def check_program(source: str) -> None:
    """Check that a text is one program. Raises AgentError with the fault."""
    try:
        if len(source) > MAX_SOURCE:
            raise ReplyError("too-long", f"it has {len(source)} characters; at most {MAX_SOURCE} are legal")
        sole_function(source)
        check_start(source)
    except ReplyError as error:
        raise AgentError(str(error)) from None


def advice_of(programs: WrittenStrategies) -> str:
    """Return the survivors' programs as data for a newcomer's prompt; empty without any."""
    if not programs.advice:
        return ""
    document = {f"program {place}": text for place, text in enumerate(programs.advice[:MAX_READ], 1)}
    purpose = "what the best players of the last generation played as their programs, the best first"
    return explain_document(document, purpose, "Take of them what you find good, and write your own program.")


def mutated_program(source: str, draw: random.Random) -> str:
    """Return the program with one of its numbers changed, or unchanged if no change gives a program that can start.

    A decimal literal outside of texts and comments is drawn uniformly. An integer becomes one more, one less, twice or
    half as much, a fraction twice or half as much; no number becomes negative.
    """
    places = list(_NUMBER.finditer(blank_source(source)))
    for _ in range(MUTATION_TRIES if places else 0):
        found = draw.choice(places)
        changed = f"{source[: found.start()]}{_changed(found[0], draw)}{source[found.end() :]}"
        if changed == source:
            continue
        try:
            check_program(changed)
        except AgentError:
            continue
        return changed
    return source


def _changed(literal: str, draw: random.Random) -> str:
    if "." in literal:
        return f"{float(literal) * draw.choice((0.5, 2.0)):g}"
    number = int(literal)
    return str(max(0, draw.choice((number + 1, number - 1, 2 * number, number // 2))))
