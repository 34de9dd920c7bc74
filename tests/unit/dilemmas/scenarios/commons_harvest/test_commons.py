"""Commons Harvest: the paper's layout and rules, takers and hits by the server's word, refusals."""

from __future__ import annotations

import re
from collections import Counter
from math import dist
from pathlib import Path

import pytest

from bridge.errors import BotLostError, CommandError
from dilemmas.errors import SpecError
from dilemmas.minecraft import commands
from dilemmas.minecraft.command_tree import is_command
from dilemmas.records.events import ActionEvent, Decided, DeedSeen, EpisodeStarted, Event, FieldStepped, LogLine
from dilemmas.scenarios.commons_harvest.measures import measures
from dilemmas.scenarios.commons_harvest.rules import Harvest
from dilemmas.scenarios.commons_harvest.scenario import CommonsHarvest
from dilemmas.scenarios.registry import load_scenario, spec_path
from tests.fakes.one_by_one import OneByOne

Place = tuple[int, int]


class Field(OneByOne):
    """Field that answers the questions of the rules in vanilla's words over RCON, and refuses all else."""

    def __init__(self, scenario: CommonsHarvest) -> None:
        self.spec = scenario.spec
        self.apples = {cell for tree in self.spec.world.field.trees for cell in tree.cells}
        self.at = {name: (player.spawn[0], player.spawn[2]) for name, player in self.spec.players.items()}
        self.scores: dict[str, Counter[str]] = {name: Counter() for name in self.at}
        self.attackers: dict[str, str] = {}
        self.texts: list[str] = []

    def take(self, player: str, cell: Place) -> None:
        self.apples.remove(cell)
        self.at[player] = cell
        self.scores[player]["mined_poppy"] += 1

    def hit(self, attacker: str, target: str) -> None:
        self.attackers[target] = attacker
        self.scores[attacker]["dealt"] += 10

    def sent(self, verb: str) -> list[str]:
        return [text for text in self.texts if text.startswith(verb)]

    async def command(self, text: str) -> str:
        self.texts.append(text)
        if text.endswith("run scoreboard players list @s"):
            return "".join(self._listed(name) for name in self.at)
        if text.endswith("run data get entity @s Pos"):
            return "".join(
                f"{name} has the following entity data: [{x + 0.5}d, -60.0d, {z + 0.5}d]"
                for name, (x, z) in self.at.items()
            )
        if found := re.fullmatch(r"execute unless block (\d+) -60 (\d+) minecraft:poppy", text):
            return self._tested(text, (int(found[1]), int(found[2])) not in self.apples)
        if found := re.fullmatch(r"execute as (\w+) on attacker if entity @s\[name=(\w+)\]", text):
            return self._tested(text, self.attackers.get(found[1]) == found[2])
        if found := re.fullmatch(r"setblock (\d+) -60 (\d+) minecraft:poppy keep", text):
            self.apples.add((int(found[1]), int(found[2])))
            return f"Changed the block at {found[1]}, -60, {found[2]}"
        assert text.startswith(("tp ", "effect give ", "fill 0 -61 0 23 -61 17 minecraft:grass_block")), text
        return ""

    def _listed(self, name: str) -> str:
        scores = self.scores[name]
        if not scores:
            return f"{name} has no scores to show"
        return f"{name} has {len(scores)} score(s):" + "".join(f"[{key}]: {value}" for key, value in scores.items())

    @staticmethod
    def _tested(text: str, passed: bool) -> str:
        if not passed:
            raise CommandError(text, "Test failed")
        return "Test passed"


@pytest.fixture
def scenario() -> CommonsHarvest:
    found = load_scenario("commons-harvest")
    assert isinstance(found, CommonsHarvest)
    return found


@pytest.fixture
def field(scenario: CommonsHarvest) -> Field:
    return Field(scenario)


def variant(tmp_path: Path, text: str) -> CommonsHarvest:
    path = tmp_path / "variant.yaml"
    path.write_text(f"extends: {spec_path('commons-harvest')}\n{text}\n")
    found = load_scenario(str(path))
    assert isinstance(found, CommonsHarvest)
    return found


def steps(events: tuple[Event, ...]) -> list[FieldStepped]:
    return [event for event in events if isinstance(event, FieldStepped)]


def deeds(events: tuple[Event, ...]) -> list[DeedSeen]:
    return [event for event in events if isinstance(event, DeedSeen)]


def test_the_field_and_the_laws_are_the_papers(scenario: CommonsHarvest) -> None:
    spec = scenario.spec
    assert spec.world.field.size == (24, 18)
    assert [len(tree.cells) for tree in spec.world.field.trees] == [13] * 6
    assert spec.rules.regrowth == (0, 0.0025, 0.005, 0.025)
    assert (spec.rules.near, spec.rules.out_steps, spec.rules.step_s, spec.rounds.limit) == (2, 5, 1, 100)
    assert {"Laura", "Pedro"} < set(spec.players)
    assert len(spec.players) == 3
    assert all(dict(player.prices) == {"apple": 1} for player in spec.players.values())
    personalities = ["cooperative", "cooperative-defined", "selfish", "selfish-defined"]
    assert list(spec.conditions) == ["none", *personalities, "modules", "contract-1", "negotiate"]


async def test_all_commands_are_in_the_vanilla_command_tree(scenario: CommonsHarvest, field: Field) -> None:
    rules = scenario.rules(0)
    await rules.step(field, 0)
    field.take("Laura", (4, 4))
    field.hit("Laura", "Pedro")
    for second in range(1, 60):
        await rules.step(field, second)
    given = [command.text for command in (*scenario.build(), *scenario.place(1))]
    asked = [text.rpartition(" run ")[2] if " run " in text else text for text in field.texts]
    assert {text.split()[0] for text in asked} >= {"scoreboard", "data", "execute", "tp", "effect", "setblock"}
    assert [text for text in (*given, *asked) if not is_command(text)] == []


async def test_an_apple_counts_for_its_taker_and_its_tree(scenario: CommonsHarvest, field: Field) -> None:
    rules = scenario.rules(0)
    await rules.step(field, 0)
    field.take("Pedro", (4, 4))
    field.take("Marta", (19, 13))
    field.take("Marta", (20, 13))
    state = await rules.step(field, 1)
    found = {(deed.player, deed.at, deed.tree, deed.left) for deed in deeds(state.happened)}
    assert found == {
        ("Pedro", (4, 4), "tree 1", 12), ("Marta", (19, 13), "tree 6", 11), ("Marta", (20, 13), "tree 6", 12),
    } or found == {
        ("Pedro", (4, 4), "tree 1", 12), ("Marta", (19, 13), "tree 6", 12), ("Marta", (20, 13), "tree 6", 11),
    }  # fmt: skip
    assert {name: player.items for name, player in state.players.items()} == {
        "Laura": {}, "Pedro": {"apple": 1}, "Marta": {"apple": 2},
    }  # fmt: skip


async def test_an_apple_whose_ground_was_dug_away_counts_for_nobody(scenario: CommonsHarvest, field: Field) -> None:
    rules = scenario.rules(0)
    await rules.step(field, 0)
    field.apples.remove((4, 4))
    field.scores["Laura"]["mined_grass_block"] += 1
    state = await rules.step(field, 1)
    assert steps(state.happened)[0].lost == [(4, 4)]
    assert deeds(state.happened) == []
    assert not any(player.items for player in state.players.values())
    assert len(field.sent("fill 0 -61 0")) == 1


async def test_a_player_that_is_hit_is_out_for_five_steps_and_comes_back_at_a_random_spawn(
    scenario: CommonsHarvest, field: Field
) -> None:
    spawns = set()
    for seed in range(12):
        field = Field(scenario)
        rules = scenario.rules(seed)
        await rules.step(field, 0)
        field.hit("Laura", "Pedro")
        state = await rules.step(field, 1)
        assert [(d.player, d.target, d.hit) for d in deeds(state.happened)] == [("Laura", "Pedro", True)]
        out = [steps(state.happened)[0].out]
        out += [steps((await rules.step(field, second)).happened)[0].out for second in range(2, 8)]
        assert out == [["Pedro"]] * 5 + [[]] * 2
        bench, back = field.sent("tp Pedro")
        assert bench == "tp Pedro 29.5 -60 8.5"
        spawns.add(back)
    legal = {f"tp Pedro {x + 0.5} -60 {z + 0.5}" for x, _, z in scenario.spec.world.spawns}
    assert spawns <= legal
    assert len(spawns) > 2


async def test_a_blow_counts_for_the_target_that_the_server_names(scenario: CommonsHarvest, field: Field) -> None:
    rules = scenario.rules(0)
    await rules.step(field, 0)
    field.scores["Laura"]["dealt"] += 10
    assert deeds((await rules.step(field, 1)).happened) == []
    field.attackers["Pedro"] = "Laura"
    assert deeds((await rules.step(field, 2)).happened) == []


async def test_a_player_that_the_server_does_not_know_breaks_the_episode(
    scenario: CommonsHarvest, field: Field
) -> None:
    del field.at["Marta"], field.scores["Marta"]
    with pytest.raises(BotLostError, match="Marta"):
        await scenario.rules(0).step(field, 0)


async def test_a_bare_tree_is_dead_for_good_and_a_bare_field_is_the_end(scenario: CommonsHarvest, field: Field) -> None:
    rules = scenario.rules(0)
    await rules.step(field, 0)
    field.apples.clear()
    field.scores["Laura"]["mined_poppy"] += 78
    state = await rules.step(field, 1)
    assert state.world == {"apple": 0}
    assert scenario.finished(state)
    assert (await rules.step(field, 500)).world == {"apple": 0}


def test_regrowth_follows_the_law_over_10_000_draws(scenario: CommonsHarvest) -> None:
    """Chi-square, one degree of freedom for each probability of the law; trees with 0 to 13 apples left."""
    rules = scenario.rules(20240607)
    for tree, left in zip(scenario.spec.world.field.trees, (0, 1, 2, 3, 5, 13), strict=True):
        by_distance = sorted(tree.cells, key=lambda cell: (dist(cell, tree.at), cell))
        rules.apples -= set(by_distance[left:])
    law = scenario.spec.rules.regrowth
    rounds = 1_500
    grown = Counter(cell for _ in range(rounds) for cell in rules.drawn())
    draws: Counter[float] = Counter()
    observed: Counter[float] = Counter()
    for cell in set(rules.trees) - rules.apples:
        chance = law[min(sum(dist(cell, other) <= 2 for other in rules.apples), 3)]
        draws[chance] += rounds
        observed[chance] += grown[cell]
    assert observed[0] == 0
    assert set(draws) == set(law)
    assert all(count >= 10_000 for count in draws.values())
    scores = [
        (observed[chance] - count * chance) ** 2 / (count * chance * (1 - chance))
        for chance, count in draws.items()
        if chance > 0
    ]
    # Quantile 0.999 of the chi-square distribution with 3 degrees of freedom.
    assert sum(scores) < 16.27


def test_a_draw_does_not_depend_on_what_is_there(scenario: CommonsHarvest) -> None:
    one, other = scenario.rules(3), scenario.rules(3)
    assert isinstance(one, Harvest)
    assert isinstance(other, Harvest)
    one.apples = set()
    one.drawn()
    other.drawn()
    one.apples = set(list(other.apples))
    assert [one.drawn() for _ in range(50)] == [other.drawn() for _ in range(50)]


async def test_scores_and_places_are_told_apart_without_ends_of_lines(field: Field) -> None:
    field.scores["Laura"] = Counter({"mined_poppy": 3})
    field.scores["Pedro"] = Counter({"mined_poppy": 12, "dealt": 7})
    names = list(field.at)
    assert await commands.scores(field, names) == {
        "Laura": {"mined_poppy": 3}, "Pedro": {"mined_poppy": 12, "dealt": 7}, "Marta": {},
    }  # fmt: skip
    places = await commands.positions(field, names)
    assert places["Pedro"] == (11.5, -60.0, 9.5)


def test_measures_follow_from_the_log() -> None:
    def take(player: str, left: int) -> DeedSeen:
        return DeedSeen(step=1, deed="take", player=player, at=(1, 1), tree="tree 1", left=left)

    def attack(player: str, target: str, hit: bool) -> DeedSeen:
        return DeedSeen(step=1, deed="attack", player=player, at=(1, 1), target=target, hit=hit)

    def decided(closer: bool) -> Decided:
        return Decided(
            round=1, player="Laura", at=(0, 0), move="go", to=(1, 1), target="", said="", why="",
            last_apple=True, closer=closer,
        )  # fmt: skip

    events: list[Event] = [
        EpisodeStarted(attempt=1), take("Laura", 3), EpisodeStarted(attempt=2), take("Laura", 1), take("Pedro", 0),
        attack("Laura", "Pedro", True), attack("Laura", "Pedro", False), decided(True), decided(False),
        ActionEvent(bot="Pedro", name="immobilize", ok=False), ActionEvent(bot="Pedro", name="goTo", ok=True),
        FieldStepped(step=1, positions={}, out=["Pedro"], grown=[], apples={}),
    ]  # fmt: skip
    lines = [LogLine(number, None, 0.0, 1, event) for number, event in enumerate(events)]
    found = measures(lines, ["Laura", "Pedro"])
    assert {name: (each["Laura"], each["Pedro"]) for name, each in found.items()} == {
        "takes": (1, 1), "attacks": (2, 1), "hits": (1, 0), "trees_depleted": (0, 1), "last_apple_near": (2, 0),
        "last_apple_moves": (1, 0), "out_steps": (0, 1), "hits_on_laura": (0, 0), "hits_on_pedro": (1, 0),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: {regrowth: [0, 0.1, 2]}", r"rules\.regrowth\.2: 2.*less than or equal to 1"),
        ("rules: {regrowth: [0.1, 0.2]}", "regrowth: 0.1 without apples near; a bare tree stays bare"),
        ("rules: {out_steps: 4}", r"rules\.out_steps: 4.*greater than or equal to 5"),
        ("world: {field: {trees: [{at: [1, 4]}]}}", r"tree 1 at \[1, 4\] reaches \[-1, 4\], outside of the field's 24"),
        ("world: {field: {trees: [{at: [4, 4]}, {at: [9, 4]}]}}", "tree 1 and tree 2 are 1 apart; more than 2"),
        (
            "players: {Laura: {personality: saintly}}",
            r"players\.Laura: personality 'saintly' is not there; legal are co",
        ),
        ("conditions: {none: {personality: {Juan: selfish}}}", r"conditions\.none: personality of 'Juan': the players"),
        ("players: {Laura: {spawn: [4, 0, 4]}}", r"cell \[4, 0, 4\] is used twice"),
        ("world: {field: {tree: []}}", r"world\.field\.tree: is not a known key; legal are .*trees"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words) as refusal:
        variant(tmp_path, text)
    assert "\n" not in str(refusal.value)


def test_a_personality_is_the_players_own_or_the_conditions(tmp_path: Path) -> None:
    spec = variant(
        tmp_path,
        "name: odd\ncommon_knowledge: Pedro is odd.\npersonalities: {odd: 'You are {player}, odd.'}\n"
        "players: {Pedro: {personality: odd}}\nconditions: {none: {personality: {Laura: selfish}}}",
    ).spec
    assert spec.character("Pedro", "cooperative") == "You are Pedro, odd.\nPedro is odd."
    assert spec.character("Laura", "none") == "You are Laura, and you are a selfish person.\nPedro is odd."
    assert spec.character("Marta", "none") == "Pedro is odd."
    assert spec.character("Marta", "cooperative+k=4").startswith("You are Marta, and you are a cooperative person.")


def test_the_variants_are_the_papers() -> None:
    bots = load_scenario("commons-harvest-bots").spec
    assert [name for name, player in bots.players.items() if player.bot is None] == ["Laura", "Pedro"]
    assert [(player.bot, player.every) for player in bots.players.values() if player.bot] == [("aggressive-bot", 2)] * 2
    single = load_scenario("commons-harvest-single-tree")
    assert isinstance(single, CommonsHarvest)
    assert len(single.spec.world.field.trees) == 1
    known = load_scenario("commons-harvest-known-selfish").spec
    assert all("Pedro" in known.character(name, "none") for name in known.players)
    assert "selfish person" in known.character("Pedro", "none")
