"""Lands of records: which there are, how they are built again, what is said about them."""

from __future__ import annotations

import tarfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.viewer.export import export
from accord.viewer.land import PAPER, UNRECORDED, read_land
from accord.viewer.run_catalog import RunCatalog
from dilemmas.errors import RecordError
from dilemmas.scenarios.registry import load_scenario
from tests.unit.accord.viewer.lands import a_building, a_config

ANSWER_S = 120.0
FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunCatalog]:
    found = RunCatalog([a_building(tmp_path_factory.mktemp("runs") / "a", ["Gizmo", "Glitch"])])
    while found.index(0).step():
        pass
    yield found
    found.close()


@pytest.fixture(scope="module")
def built(catalog: RunCatalog) -> dict[str, Any]:
    end = time.monotonic() + ANSWER_S
    while (told := catalog.land(0, build=True))["state"] == "building":
        assert time.monotonic() < end
        time.sleep(0.02)
    return told


def test_a_land_is_built_when_it_is_asked_for(catalog: RunCatalog, built: dict[str, Any]) -> None:
    assert (built["state"], built["why"]) == ("ready", "")
    assert built["facts"]["min_y"] == -64
    assert built["notes"][0] == UNRECORDED
    raw = zlib.decompress(catalog.columns(0, [(0, 0), (-1, 0)]))
    assert [int.from_bytes(raw[shift : shift + 4], "little", signed=True) for shift in (0, 4)] == [0, 0]
    news = catalog.survey(0, "news", look=0, texture=0)
    assert {"grass_block", "chest", "iron_ore", "diamond_ore"} <= {look["name"] for look in news["looks"]}
    assert [name for name, _ in catalog.survey(0, "bodies", items=[])["players"]] == ["Gizmo", "Glitch"]


def test_changed_blocks_come_in_order_and_a_new_world_undoes_them(catalog: RunCatalog) -> None:
    rows = catalog.blocks(0)
    assert [row[5] for row in rows] == ["", *["gold_block"] * 4, "air"] * 2
    assert [row[1] for row in rows[:6]] == [0.0, *[2.0] * 4, 4.0]
    assert rows[5][2:5] == (2, -61, 3)
    assert catalog.blocks(0, rows[8][0]) == rows[9:]


def test_an_exported_file_holds_the_land_if_there_is_room(catalog: RunCatalog, tmp_path: Path) -> None:
    whole = export([catalog.directory(0)], tmp_path / "a.html", 10**7)
    assert whole.left_out == ""
    small = export([catalog.directory(0)], tmp_path / "b.html", whole.size - 1)
    assert small.left_out == "; left out: the land in three dimensions"
    assert small.size < whole.size


@pytest.mark.parametrize("world", ["none", "moon"])
def test_games_without_a_world_have_no_land(tmp_path: Path, world: str) -> None:
    a_config(tmp_path, settings={"world": world})
    with pytest.raises(RecordError, match="it has no land"):
        read_land(tmp_path)


def test_games_on_arrays_have_no_land(tmp_path: Path) -> None:
    a_config(tmp_path, "ada-contract")
    with pytest.raises(RecordError, match="it has no land"):
        read_land(tmp_path)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"scenario": {"scenario": "../../etc/passwd"}}, "is not registered"),
        ({"scenario": {"scenario": ["double-vein"]}}, "is not registered"),
        ({"scenario": "double-vein"}, "does not hold the scenario"),
        ({"scenario": {"scenario": "double-vein", "players": 3}}, "config.yaml"),
        ({"seed": "x"}, "seed: 'x' is not a whole number"),
        ({"seed": 1 << 70}, "is not a whole number"),
    ],
)
def test_bad_records_get_one_line(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    a_config(tmp_path, **changes)
    with pytest.raises(RecordError, match=reason) as raised:
        read_land(tmp_path)
    assert "\n" not in str(raised.value)


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    scenario = {**load_scenario("double-vein").spec.resolved(), "version": 77}
    a_config(tmp_path, settings={"world": "paper", "terrain": "flat"}, scenario=scenario)
    notes = read_land(tmp_path).notes
    assert PAPER in notes
    assert any("version 77 of the scenario" in note for note in notes)


def test_records_of_every_scenario_have_a_land_or_say_that_they_need_none(tmp_path: Path) -> None:
    with tarfile.open(FIXTURES / "records-0.1.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    built, without = set(), {}
    for run in sorted(tmp_path.iterdir()):
        try:
            built.add(read_land(run).scenario.spec.name)
        except RecordError as error:
            without[run.name] = str(error)
    assert {"double-vein", "village", "repeated-game", "religion"} <= built
    assert set(without.values()) == {"this game is played on arrays or in words: it has no land"}
