"""Cleanup: the paper's layout and prices, growth of waste and mushrooms, refusals."""

from __future__ import annotations

import random
import re
from collections import Counter
from math import dist
from pathlib import Path

import pytest

from accord.analysis.measures import gini
from bridge.errors import CommandError
from contracts import Evidence, FormalJudge, Observables, PlayerFacts, library_contract, settle
from dilemmas.errors import SpecError
from dilemmas.minecraft.command_tree import is_command
from dilemmas.scenarios.cleanup.scenario import Cleanup, draw_cells
from dilemmas.scenarios.cleanup.spec import CleanupSpec
from dilemmas.scenarios.registry import load_scenario, spec_path
from dilemmas.scenarios.spec import Cell
from tests.fakes.one_by_one import OneByOne


class Blocks(OneByOne):
    """World of blocks and counters that answers Cleanup's rules in vanilla's words and refuses all else."""

    def __init__(self, blocks: dict[Cell, str]) -> None:
        self.blocks = dict(blocks)
        self.scores: Counter[tuple[str, str]] = Counter()
        self.items: Counter[tuple[str, str]] = Counter()
        self.players: set[Cell] = set()
        self.texts: list[str] = []

    def mine(self, player: str, cell: Cell) -> None:
        self.scores[player, f"mined_{self.blocks.pop(cell)}"] += 1

    def there(self, block: str) -> int:
        return sum(found == block for found in self.blocks.values())

    def _listed(self, player: str) -> str:
        scores = [f"[{name}]: {score}" for (whose, name), score in self.scores.items() if whose == player]
        return (
            "\n".join([f"{player} has {len(scores)} score(s):", *scores])
            if scores
            else f"{player} has no scores to show"
        )

    async def command(self, text: str) -> str:
        self.texts.append(text)
        if text == "execute as @a[gamemode=survival] run scoreboard players list @s":
            return "\n".join(self._listed(player) for player in ("Gizmo", "Glitch"))
        if re.fullmatch(r"execute as @a\[gamemode=survival\] run clear @s minecraft:\w+ 0", text):
            return "No items were found on player Gizmo\nNo items were found on player Glitch"
        put = re.fullmatch(
            r"execute unless entity @a\[gamemode=survival,x=(\S+),y=(\S+),z=(\S+),dx=0,dy=0,dz=0\] "
            r"run setblock (\S+) (\S+) (\S+) minecraft:(\w+) keep",
            text,
        )
        assert put is not None, text
        cell = (int(put[1]), int(put[2]), int(put[3]))
        assert put.groups()[3:6] == put.groups()[:3]
        if cell in self.players:
            return ""
        if cell in self.blocks:
            raise CommandError(text, "Could not set the block")
        self.blocks[cell] = put[7]
        return f"Changed the block at {', '.join(put.groups()[:3])}"


@pytest.fixture
def scenario() -> Cleanup:
    found = load_scenario("cleanup")
    assert isinstance(found, Cleanup)
    return found


@pytest.fixture
def world(scenario: Cleanup) -> Blocks:
    waste, mushrooms = scenario.spec.world.waste, scenario.spec.world.mushrooms
    return Blocks(
        {scenario.layout.cell(cell): waste.block for cell in waste.cells}
        | {scenario.layout.cell(cell): mushrooms.block for cell in mushrooms.caps}
    )


def cells(world: Blocks, block: str) -> list[Cell]:
    return sorted(cell for cell, found in world.blocks.items() if found == block)


def variant(tmp_path: Path, text: str) -> str:
    path = tmp_path / "variant.yaml"
    path.write_text(f"extends: {spec_path('cleanup')}\n{text}")
    return str(path)


def test_the_layout_is_the_papers(scenario: Cleanup) -> None:
    spec = scenario.spec
    assert len(spec.world.waste.cells) == 24
    assert len(spec.world.mushrooms.feet) == 3
    assert len(set(spec.world.mushrooms.caps)) == 27
    assert spec.rules.threshold == 7
    assert spec.end.time_limit_s == 300
    assert {name: dict(player.prices) for name, player in spec.players.items()} == {
        "Gizmo": {"red_mushroom": 3},
        "Glitch": {"red_mushroom": 3},
    }
    assert "300" not in spec.text


def test_waste_and_mushrooms_are_on_opposite_sides_and_equally_far_for_both(scenario: Cleanup) -> None:
    spec = scenario.spec
    one, other = (player.spawn for player in spec.players.values())
    for group in (spec.world.waste.cells, spec.world.mushrooms.caps):
        assert sorted(dist(one, cell) for cell in group) == sorted(dist(other, cell) for cell in group)
    river = [box for box in spec.world.boxes if box.block == "water"]
    far, near = river[0].start[0], river[0].end[0]
    assert all(far <= x <= near for x, _, _ in spec.world.waste.cells)
    assert all(x > near + 15 for x, _, _ in spec.world.mushrooms.caps)


async def test_rule_commands_are_in_the_vanilla_command_tree(scenario: Cleanup, world: Blocks) -> None:
    world.mine("Glitch", cells(world, "slime_block")[0])
    await scenario.rules(0).step(world, 4)
    texts = [text.rpartition(" run ")[2] for text in world.texts]
    assert any(text.startswith("setblock") for text in texts)
    assert [text for text in texts if not is_command(text)] == []


async def test_a_full_river_stays_as_it_is_and_nothing_grows_beside_it(scenario: Cleanup, world: Blocks) -> None:
    for cell in cells(world, "red_mushroom_block")[:9]:
        world.mine("Gizmo", cell)
    rules = scenario.rules(0)
    for second in range(60):
        state = await rules.step(world, second)
    assert state.world == {"slime_block": 24, "red_mushroom_block": 18}
    assert not [text for text in world.texts if "setblock" in text]


async def test_waste_comes_back_at_its_pace_into_free_cells(tmp_path: Path, world: Blocks) -> None:
    gone = cells(world, "slime_block")[:10]
    rules = load_scenario(variant(tmp_path, "rules: {waste_every_s: 2}\n")).rules(0)
    await rules.step(world, 0)
    for cell in gone:
        world.mine("Glitch", cell)
    counts = [(await rules.step(world, second)).world["slime_block"] for second in range(1, 26)]
    assert counts[:6] == [14, 15, 15, 16, 16, 17]
    assert counts[-1] == world.there("slime_block") == 24


async def test_a_late_step_makes_up_for_what_it_missed(tmp_path: Path, world: Blocks) -> None:
    for cell in cells(world, "slime_block")[:10]:
        world.mine("Glitch", cell)
    rules = load_scenario(variant(tmp_path, "rules: {waste_every_s: 2}\n")).rules(0)
    assert (await rules.step(world, 8.7)).world["slime_block"] == 18


async def test_a_pace_that_is_no_whole_number_of_seconds_holds_in_the_long_run(
    scenario: Cleanup, world: Blocks
) -> None:
    for cell in cells(world, "slime_block")[:20]:
        world.mine("Glitch", cell)
    rules = scenario.rules(0)
    counts = [(await rules.step(world, second)).world["slime_block"] for second in range(33)]
    assert scenario.spec.rules.waste_every_s == 3.2
    assert [counts[second] - 4 for second in (3, 4, 6, 7, 16, 32)] == [0, 1, 1, 2, 5, 10]


@pytest.mark.parametrize(("left", "grows"), [(7, True), (8, False)])
async def test_mushrooms_grow_at_seven_waste_and_not_at_eight(
    tmp_path: Path, world: Blocks, left: int, grows: bool
) -> None:
    slow = load_scenario(variant(tmp_path, "rules: {waste_every_s: 3600}\n"))
    for cell in cells(world, "slime_block")[left:]:
        world.mine("Glitch", cell)
    for cell in cells(world, "red_mushroom_block"):
        world.mine("Gizmo", cell)
    rules = slow.rules(0)
    for second in range(60):
        state = await rules.step(world, second)
    assert (world.there("red_mushroom_block") > 20) is grows
    assert state.world == {"slime_block": left, "red_mushroom_block": world.there("red_mushroom_block")}


async def test_waste_that_players_put_back_counts_wherever_they_put_it(tmp_path: Path, world: Blocks) -> None:
    slow = load_scenario(variant(tmp_path, "rules: {waste_every_s: 3600}\n"))
    rules = slow.rules(0)
    for cell in cells(world, "slime_block")[:10]:
        world.mine("Glitch", cell)
    world.scores["Glitch", "mined_slime_block"] += 30
    world.scores["Glitch", "placed_slime_block"] += 30
    assert (await rules.step(world, 1)).world["slime_block"] == 14


async def test_nothing_grows_into_a_player(scenario: Cleanup, world: Blocks) -> None:
    taken, *others = cells(world, "slime_block")
    for cell in (taken, *others[:9]):
        world.mine("Glitch", cell)
    world.players.add(taken)
    rules = scenario.rules(0)
    for second in range(90):
        await rules.step(world, second)
    assert taken not in world.blocks
    assert world.there("slime_block") == 23


async def test_the_same_seed_grows_the_same_and_another_otherwise(scenario: Cleanup, world: Blocks) -> None:
    async def grown(seed: int) -> list[str]:
        there = Blocks(world.blocks)
        for cell in cells(there, "slime_block")[3:] + cells(there, "red_mushroom_block"):
            there.mine("Gizmo", cell)
        rules = scenario.rules(seed)
        for second in range(20):
            await rules.step(there, second)
        return there.texts

    assert await grown(1) == await grown(1) != await grown(2)


def test_regrowth_follows_its_law_over_ten_thousand_draws(scenario: Cleanup) -> None:
    caps, p = scenario.spec.world.mushrooms.caps, scenario.spec.rules.regrowth_per_s
    generator = random.Random(20240607)
    seconds = 400
    grown = Counter(cell for _ in range(seconds) for cell in draw_cells(generator, caps, p))
    assert len(caps) * seconds >= 10_000
    chi_square = sum((grown[cell] - seconds * p) ** 2 / (seconds * p * (1 - p)) for cell in caps)
    # Quantiles 0.001 and 0.999 of the chi-square distribution with 27 degrees of freedom.
    assert 9.80 < chi_square < 55.48


async def test_waiting_times_of_regrowth_are_geometric(scenario: Cleanup) -> None:
    caps, p = scenario.spec.world.mushrooms.caps, scenario.spec.rules.regrowth_per_s
    generator = random.Random(7)
    since: Counter[Cell] = Counter()
    waits: list[int] = []
    while len(waits) < 10_000:
        grown = set(draw_cells(generator, caps, p))
        for cell in caps:
            since[cell] += 1
            if cell in grown:
                waits.append(since.pop(cell))
    bins = [sum(wait == k for wait in waits) for k in range(1, 20)]
    bins.append(len(waits) - sum(bins))
    expected = [len(waits) * p * (1 - p) ** (k - 1) for k in range(1, 20)]
    expected.append(len(waits) - sum(expected))
    chi_square = sum((o - e) ** 2 / e for o, e in zip(bins, expected, strict=True))
    # Quantile 0.999 with 19 degrees of freedom.
    assert chi_square < 43.82


@pytest.mark.parametrize(("name", "gizmo", "glitch", "expected"), [
    ("cleanup_1", 123, 0, 0.10), ("cleanup_1", 1, 0, 0.10), ("cleanup_1", 40, 2, 0.10),
    ("cleanup_2", 37, 41, 0.0), ("cleanup_2", 1, 0, 0.0),
])  # fmt: skip
async def test_the_contracts_give_the_papers_gini(name: str, gizmo: int, glitch: int, expected: float) -> None:
    both = name == "cleanup_2"
    facts = {
        "Gizmo": PlayerFacts(
            {"red_mushroom": gizmo}, mined(harvests=True, cleans=both), {"red_mushroom": 3}, 3 * gizmo
        ),
        "Glitch": PlayerFacts(
            {"red_mushroom": glitch}, mined(harvests=both, cleans=True), {"red_mushroom": 3}, 3 * glitch
        ),
    }
    table = Observables.collect(facts, {}, items=["red_mushroom"], blocks=["red_mushroom_block", "slime_block"])
    verdict = await FormalJudge().judge(library_contract(name), Evidence(table))
    payoffs = settle({"Gizmo": 3 * gizmo, "Glitch": 3 * glitch}, verdict).payoffs
    assert sum(payoffs.values()) == 3 * (gizmo + glitch)
    assert gini([float(payoff) for payoff in payoffs.values()]) == pytest.approx(expected, abs=1e-12)


def mined(*, harvests: bool, cleans: bool) -> dict[str, int]:
    return ({"red_mushroom_block": 30} if harvests else {}) | ({"slime_block": 30} if cleans else {})


async def test_a_player_that_does_not_clean_gets_no_share() -> None:
    facts = {
        "Gizmo": PlayerFacts({"red_mushroom": 10}, mined(harvests=True, cleans=False), {"red_mushroom": 3}, 30),
        "Glitch": PlayerFacts({}, {}, {"red_mushroom": 3}, 0),
    }
    table = Observables.collect(facts, {}, items=["red_mushroom"], blocks=["red_mushroom_block", "slime_block"])
    verdict = await FormalJudge().judge(library_contract("cleanup_1"), Evidence(table))
    assert [finding.subject for finding in verdict.breaches] == ["glitch-cleans"]
    assert settle({"Gizmo": 30, "Glitch": 0}, verdict).payoffs == {"Gizmo": 30, "Glitch": 0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: {regrowth_per_s: 1.5}", r"rules\.regrowth_per_s: 1\.5.*less than or equal to 1"),
        ("rules: {regrowth_per_s: -0.1}", r"rules\.regrowth_per_s: -0\.1.*greater than or equal to 0"),
        ("rules: {waste_every_s: 0}", r"rules\.waste_every_s: 0.*greater than 0"),
        ("rules: {threshhold: 7}", r"rules\.threshhold: .*legal.*threshold.*did you mean 'threshold'"),
        ("rules: {threshold: 24}", "threshold 24 can never be passed: there are 24 cells"),
        ("players: {Glitch: null}", r"players: .*at least 2"),
        ("players: {Glitch: {prices: {red_mushroom: -3}}}", r"players\.Glitch\.prices\.red_mushroom: -3"),
        ("world: {mushrooms: {feet: [[-10, 0, -8]]}}", r"cell \[-10, 0, -8\] is used twice"),
        ("world: {chest: {at: [0, 0, 0]}}", r"world\.chest: is not a known key; legal are .*waste, mushrooms"),
        ("observables: [scenario, minds]", r"observables\.1: 'minds' is not legal"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words) as refusal:
        load_scenario(variant(tmp_path, f"{text}\n"))
    assert "\n" not in str(refusal.value)
    assert "variant.yaml" in str(refusal.value)


def test_a_variant_is_a_few_lines(tmp_path: Path) -> None:
    spec = load_scenario(variant(tmp_path, "name: harsh\nversion: 2\nrules: {waste_every_s: 1}\n")).spec
    assert isinstance(spec, CleanupSpec)
    assert (spec.name, spec.rules.waste_every_s, spec.rules.threshold) == ("harsh", 1, 7)
