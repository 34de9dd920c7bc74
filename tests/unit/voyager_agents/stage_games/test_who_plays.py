"""Players of repeated games: kinds by `--agents`, models that choose, their prompts, and the number of rounds."""

from __future__ import annotations

import asyncio
import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from accord.analysis.report import write_report
from accord.analysis.transcript import StepFilter, read_steps
from accord.studies.fitting import Assignment
from accord.studies.players import context_of, seating
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.viewer.event_handlers import EVENT_HANDLERS
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_repeated, load_scenario
from tests.unit.voyager_agents.stage_games.scene import game, payoffs, played
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun
from voyager_agents.errors import AgentError
from voyager_agents.models.scripted import ScriptedModel
from voyager_agents.stage_games.choosing import Chooser
from voyager_agents.stage_games.cost import estimate_cost
from voyager_agents.stage_games.options import check_options
from voyager_agents.stage_games.turns import StageDecision, turn_of
from voyager_agents.stage_games.ways import choice_form

STRATEGY = "strategies"


def seats(scenario: str, agents: str | None, **players: str) -> list[Assignment]:
    return list(seating(StudySettings(scenario, agents=agents, players=players), load_scenario(scenario)).values())


def test_kinds_are_given_one_for_each_or_one_for_all() -> None:
    pair = [Assignment(STRATEGY, "grim"), Assignment(STRATEGY, "random")]
    assert seats("chicken", "grim,random") == pair
    assert seats("chicken", "grim") == [pair[0]] * 2
    assert seats("chicken", "grim", Glitch="random") == pair
    assert seats("chicken", None) == [Assignment(STRATEGY, "reference")] * 2
    assert seats("commons-harvest", "foragers") == [Assignment("foragers", "reference")] * 3


@pytest.mark.parametrize(
    ("scenario", "agents", "told"),
    [
        ("chicken", "grim,grim,grim", "'grim,grim,grim' names 3; give one for all, or one for each of Gizmo, Glitch"),
        ("chicken", "grim,robot", "unknown agents 'robot'"),
        (
            "chicken",
            "generative",
            "agents 'generative' do not play chicken: they take turns of harvest, and its turns are choices; choose "
            "one of strategies, chooser (with a model), reference, paper (with a model), voyager (with a model)",
        ),
        ("chicken", "piano", "they play in mode life, and it is played in rounds and episodes"),
        ("commons-harvest", "strategies", "agents 'strategies' do not play commons-harvest: they take turns of"),
        ("chicken", "warden", "unknown reference player 'warden' for Gizmo; choose one of reference, always-cooperate"),
    ],
)
def test_who_does_not_fit_is_told_in_one_line(scenario: str, agents: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        seats(scenario, agents)
    assert told in str(caught.value)


def test_another_number_of_rounds_changes_what_players_read() -> None:
    assert "for 7 rounds" in load_repeated("prisoners-dilemma", 7).spec.text
    assert StudyPlan.of(StudySettings("prisoners-dilemma", repeat=7)).scenario.spec.end.time_limit_s == 57
    unknown = load_repeated("prisoners-dilemma-unknown", 7)
    assert "nobody is told how many" in unknown.spec.text
    with pytest.raises(UsageError, match="repeat: double-vein is no repeated game; leave out --repeat"):
        load_repeated("double-vein", 7)
    with pytest.raises(UsageError, match="repeat: 0 is not legal"):
        StudySettings("prisoners-dilemma", repeat=0)


def seat(scenario: str = "public-goods-punishment", player: str = "Glitch") -> AgentContext:
    settings = StudySettings(scenario, model="openai/x", agents="chooser")
    return context_of(settings, game(scenario), player, Assignment("chooser", ""), ("none", 0))


def shown(scenario: str, player: str) -> Observation:
    found = game(scenario)
    return Observation(player, tuple(found.spec.players), scenario=found.spec.text, task=found.spec.task)


async def test_a_model_is_shown_the_game_and_its_rounds_and_names_an_option() -> None:
    answers = ["I give!", '{"choice": "give_20", "why": "for all"}', '{"choice": "punish_gizmo"}']
    model = ScriptedModel(answers)
    player = Chooser(seat(), Asker(model, "player"))
    player.observe(shown("public-goods-punishment", "Glitch"))
    match = game("public-goods-punishment").spec.match(0)
    assert await player.take_turn(turn_of(match, "Glitch")) == StageDecision("give_20", why="for all")
    match.choose({"Gizmo": "give_0", "Glitch": "give_20", "Sprocket": "give_20", "Rivet": "give_20"})
    assert (await player.take_turn(turn_of(match, "Glitch"))).option == "punish_gizmo"
    model.finish()
    first, again, last = ["\n".join(each.content for each in messages) for messages, _ in model.seen]
    assert "The sum of all gifts is multiplied by 1.6" in first
    assert "That answer cannot be used: the answer is not one JSON object (Expecting value" in again
    assert "The gift of this round: Gizmo give_0, Glitch give_20, Sprocket give_20, Rivet give_20." in last
    assert last.rstrip().endswith("Your options: punish_nobody, punish_gizmo, punish_sprocket, punish_rivet")


async def test_a_model_that_names_no_option_twice_has_chosen_nothing() -> None:
    player = Chooser(seat("chicken"), Asker(ScriptedModel(['{"choice": "fly"}', '{"choice": "turn"}']), "player"))
    player.observe(shown("chicken", "Glitch"))
    decision = await player.take_turn(turn_of(game("chicken").spec.match(0), "Glitch"))
    assert decision.option == ""
    assert decision.fault == "choice 'turn' is not legal here; choose one of swerve, straight"
    assert (await player.take_turn(replace(turn_of(game("chicken").spec.match(0), "Glitch"), options=()))).option == ""


@pytest.mark.parametrize(
    "text", ["", "{}", '{"choice": null}', "{'choice': 1}", '{"choice": "a"} {"choice": "b"}', "[]"]
)
def test_an_answer_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"legal|JSON|choice|answer"):
        choice_form(("a", "b")).parse(text)


async def test_what_a_model_costs_grows_with_the_rounds_it_may_be_asked_in() -> None:
    found = game("chicken")
    run = ImaginedRun(context=seat("chicken"), facts=found.facts(), contract=None, extent=(50, 50), anew=False)
    least, most = (await estimate_cost(run))["player"]
    assert (least.calls, most.calls) == (50, 100)
    assert most.prompt > 2 * least.prompt


@pytest.mark.parametrize("options", [{"history": "many"}, {"history": "501"}, {"mood": "good"}])
def test_options_of_a_chooser_are_checked(options: dict[str, str]) -> None:
    with pytest.raises(AgentError):
        check_options(options)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study")
    found = asyncio.run(played("stag-hunt", "tit-for-tat,suspicious-tit-for-tat", out, repeat=6))
    assert payoffs(found) == {"Gizmo": 9, "Glitch": 9}
    return found.directory


def test_the_report_tells_the_theory_and_every_round(study: Path, tmp_path: Path) -> None:
    written = write_report([study], tmp_path)
    page = " ".join(written.html.read_text().split())
    assert "R 4, S 0, T 3, P 3: a social dilemma by fear" in page
    assert "stag 0.75, hare 0.25 and stag 0.75, hare 0.25" in page
    with (tmp_path / "game_rounds.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert sum(Fraction(row["payoff"]) for row in rows if row["player"] == "Gizmo") == 9
    assert [row["choice"] for row in rows[:4]] == ["stag", "hare", "hare", "stag"]


def test_the_transcript_and_the_page_have_the_choices(study: Path) -> None:
    titles = [step.title for step in read_steps(study, StepFilter(players=("Gizmo",)))]
    assert "chooses in round 1: stag" in titles
    assert "option" in EVENT_HANDLERS
