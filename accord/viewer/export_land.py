"""Land of an exported record: the columns around the players, with looks, textures, bodies and skies."""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from accord.viewer.land import BUILD_S
from accord.viewer.run_catalog import MAX_BLOCKS, RunCatalog
from accord.viewer.scene import short
from dilemmas.errors import DilemmaError

AROUND = 5
"""Columns of 16 blocks around each player's places that the file holds."""
MAX_COLUMNS = 1600
"""Maximum number of columns in a file; those around the earliest places are kept."""
AT_ONCE = 64
THINGS = ("held", "drop", "cell")
"""Sections of a scene that name items."""
LOOK_S = 0.1
Parts = dict[str, object]


def without_land(reason: str) -> Parts:
    """Return the parts of a page that shows only the map."""
    return {"land": {"able": False, "state": "asleep", "why": reason or "it has no land", "notes": [], "facts": {}}}


def land_parts(catalog: RunCatalog) -> tuple[Parts | None, str]:
    """Return what the page asks about the land of the only run, or None and the reason.

    The reason is empty for games that have no land, of which nothing is missing.
    """
    if not catalog.land(0, build=False)["able"]:
        return None, ""
    try:
        told = catalog.land(0, build=True)
        end = time.monotonic() + BUILD_S
        while told["state"] == "building" and time.monotonic() < end:
            time.sleep(LOOK_S)
            told = catalog.land(0, build=True)
        if told["state"] != "ready":
            return None, f"the land in three dimensions ({told['why'] or 'it was not built in time'})"
        return _parts(catalog, told), ""
    except (DilemmaError, KeyError, ValueError) as error:
        return None, f"the land in three dimensions ({short(str(error))})"


def _parts(catalog: RunCatalog, told: Mapping[str, Any]) -> Parts:
    changes = list(_changes(catalog))
    names = sorted({row[5] for row in changes if row[5]})
    columns = dict(_columns(catalog))
    things = sorted(_things(catalog))
    looks = catalog.survey(0, "named", names=names)
    bodies = catalog.survey(0, "bodies", items=things)
    # Last, since looks and textures have numbers in the order of their first use.
    news = catalog.survey(0, "news", look=0, texture=0)
    note = f"This file holds the land within {16 * AROUND} blocks of the players' places."
    return {
        "land": {**told, "notes": [*told["notes"], note]},
        "skies": catalog.survey(0, "skies"),
        "bodies": bodies,
        "news": {**news, "named": dict(zip(names, looks, strict=True))},
        "blocks": changes,
        "columns": columns,
    }


def _changes(catalog: RunCatalog) -> Iterator[Any]:
    after = 0
    while rows := catalog.blocks(0, after):
        yield from rows
        after = rows[-1][0]
        if len(rows) < MAX_BLOCKS:
            return


def _columns(catalog: RunCatalog) -> Iterator[tuple[str, str]]:
    """Yield `x,z` and the deflated bytes of each column, as base64."""
    wanted = _places(catalog)
    for start in range(0, len(wanted), AT_ONCE):
        raw = zlib.decompress(catalog.columns(0, wanted[start : start + AT_ONCE]))
        at = 0
        while at < len(raw):
            x, z = (int.from_bytes(raw[at + shift : at + shift + 4], "little", signed=True) for shift in (0, 4))
            length = 12 + 8192 * int.from_bytes(raw[at + 8 : at + 12], "little").bit_count()
            yield f"{x},{z}", base64.b64encode(zlib.compress(raw[at : at + length], 9)).decode("ascii")
            at += length


def _places(catalog: RunCatalog) -> list[tuple[int, int]]:
    """Return the columns around all places of players, in the order in which they were there."""
    found: dict[tuple[int, int], None] = {}
    for spot in _spots(catalog):
        home = (int(spot[0] // 16), int(spot[2] // 16))
        if home in found:
            continue
        found[home] = None
    around: dict[tuple[int, int], None] = {}
    for x, z in found:
        for dx in range(-AROUND, AROUND + 1):
            for dz in range(-AROUND, AROUND + 1):
                around[x + dx, z + dz] = None
    return list(around)[:MAX_COLUMNS]


def _spots(catalog: RunCatalog) -> Iterator[Any]:
    for chunk in _chunks(catalog):
        yield from chunk["scene"].get("at", {}).values()
        yield from (value for _, section, _, value in chunk["changes"] if section == "at" and value)


def _things(catalog: RunCatalog) -> set[str]:
    """Return the names of all things that are held, lie on the ground, or grow in cells."""
    found: set[str] = set()
    for chunk in _chunks(catalog):
        values = [(section, value) for section in THINGS for value in chunk["scene"].get(section, {}).values()]
        values += [(section, value) for _, section, _, value in chunk["changes"] if section in THINGS and value]
        found.update(str(value[0] if section == "drop" else value) for section, value in values)
    return found


def _chunks(catalog: RunCatalog) -> Iterator[dict[str, Any]]:
    for number in range(len(catalog.reach(0)["chunks"])):
        body, packed = catalog.index(0).chunk(number)
        yield json.loads(zlib.decompress(body) if packed else body)
