"""People in games in rounds: a study waits for their choices, clues and votes, and pages show no secrets of others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from accord.studies.verifying import replay
from common.errors import PrerequisiteError
from common.text import read_json
from dilemmas.errors import UsageError
from dilemmas.people import HumanPlayers
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from tests.fakes.page_person import Chooser, PagePerson, seats, soon
from voyager_agents.human.seat_question import SeatQuestion

PERSON = "Gizmo"
ODD = "Which role do you think you have?"
MOST = "For whom will most players vote?"


class Speaker(PagePerson):
    """Person who gives clues that nobody gave before, after lines that are not legal."""

    def __init__(self, people: HumanPlayers, name: str) -> None:
        super().__init__(people, name)
        self.clues: list[str] = []
        self.refused: list[str] = []
        """Lines that were not legal."""

    def answers(self, question: SeatQuestion) -> list[str]:
        if question.kind != "turn":
            return super().answers(question)
        if question.answers:
            self.refused.append("nobody")
            return ["nobody", question.answers[-1].upper()]
        self.clues.append(f"clue{len(self.clues)}")
        self.refused.append("two words")
        return ["two words", self.clues[-1]]


class Gatherer(Chooser):
    """Person who takes the nearest apple and speaks, after lines that are not legal."""

    def answers(self, question: SeatQuestion) -> list[str]:
        if question.kind != "turn":
            return super().answers(question)
        self.chosen.append(question.answers[0])
        return ["fly", "go 99 0", "immobilize Nobody", f"{question.answers[0]} say Mine!"]


class Silent(PagePerson):
    """Person who says nothing in the game."""

    def answers(self, question: SeatQuestion) -> list[str]:
        return [] if question.kind == "turn" else super().answers(question)


async def played(out: Path, scenario: str = "chameleon") -> tuple[StudyResult, Speaker]:
    """Play five games with one person, and return the study's result with it."""
    people: list[Speaker] = []
    settings = StudySettings(scenario, ("none",), players={PERSON: "human"}, world="none", out=out, repeat=5)
    result = await run_study(settings, seated=seats(Speaker, people))
    return result, people[0]


async def chose(out: Path, scenario: str, player: str, **chosen: Any) -> tuple[StudyResult, Chooser]:  # noqa: ANN401
    """Play four rounds of a repeated game with one person, and return the study's result with it."""
    people: list[Chooser] = []
    usual = StudySettings(scenario, ("none",), players={player: "human"}, world="mock", out=out, repeat=4)
    result = await run_study(replace(usual, **chosen), seated=seats(Chooser, people))
    return result, people[0]


def files(folder: Path, name: str) -> list[Path]:
    return list(folder.rglob(name))


def events_of(directory: Path, *kinds: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kinds)]


async def test_a_person_gives_clues_votes_and_guesses(tmp_path: Path) -> None:
    result, person = await played(tmp_path)
    [told] = result.results
    assert (told["status"], told["measures"]["faults"][PERSON]) == ("complete", 0.0)
    said = [each for each in events_of(result.directory, log.WordSaid) if each.player == PERSON]
    assert [each.clue for each in said if each.stage == "clue"] == person.clues
    assert len(person.clues) == 2 * 5
    assert {each.fault for each in said} == {""}
    votes = [each for each in said if each.stage == "vote"]
    assert [each.vote for each in votes] == ["Pixel"] * 5
    dealt = events_of(result.directory, log.RolesDealt)
    assert [each.role for each in votes] == ["chameleon" if each.odd == PERSON else "insider" for each in dealt]
    assert {each.expects for each in votes} == {"Pixel"}
    guesses = [each for each in said if each.stage == "guess"]
    outcomes = {each.game: each.outcome for each in events_of(result.directory, log.RolesRevealed)}
    odd = next(each for each in dealt if each.odd == PERSON)
    assert [each.guess for each in guesses] == [odd.words[-1]] * (outcomes[odd.game] != "escaped")
    started = events_of(result.directory, log.RunStarted)[0]
    assert started.players[PERSON].author == "human"
    again = await replay(result.directory)
    assert (again.ok, again.told) == (None, "people played it (Gizmo), and nobody can play it for them")


async def test_the_page_tells_what_the_player_knows_and_why_a_line_does_not_count(tmp_path: Path) -> None:
    result, person = await played(tmp_path)
    told = "\n".join(person.texts)
    turns = [each for each in person.asked if each.kind == "turn"]
    shown = "\n".join([told, *(line for each in turns for line in (each.title, *each.context))])
    for dealt, revealed in zip(
        events_of(result.directory, log.RolesDealt), events_of(result.directory, log.RolesRevealed), strict=True
    ):
        if dealt.odd == PERSON:
            assert "You are the chameleon: you do not know the secret word" in shown
        else:
            assert f"Your secret word is {dealt.word}." in shown
        assert told.count(f"Game {dealt.game}: the chameleon was {revealed.odd}") == 1
    assert person.texts[-1].endswith("The game is over.")
    for each in events_of(result.directory, log.WordSaid):
        others = each.stage == "clue" and each.player != PERSON and not each.fault
        if others:
            assert f"{each.player}: {each.clue}" in told
    assert told.count("That does not count: the clue has 2 words") == len(person.clues)
    assert told.count("That does not count: choose one of ") == person.refused.count("nobody")
    assert ODD not in shown


async def test_where_nobody_is_told_a_role_the_person_says_what_it_thinks(tmp_path: Path) -> None:
    result, person = await played(tmp_path, "undercover")
    assert [each.title for each in person.asked].count(ODD) == 5
    said = [each for each in events_of(result.directory, log.WordSaid) if each.player == PERSON]
    assert {each.role for each in said if each.stage == "vote"} == {"undercover"}
    assert result.results[0]["measures"]["magic_self_awareness"][PERSON] == 0.2


async def test_a_person_who_says_nothing_ends_the_study_in_one_line(tmp_path: Path) -> None:
    settings = StudySettings(
        "chameleon", ("none",), players={PERSON: "human"}, world="none", out=tmp_path, human_wait_s=0.2
    )
    silent: list[Silent] = []
    with pytest.raises(PrerequisiteError, match=f"{PERSON} has said nothing for 0.2 s: .* --human-wait"):
        await run_study(settings, seated=seats(Silent, silent))
    assert [read_json(each.read_bytes())["status"] for each in files(tmp_path, "result.json")] == ["failed"]


@pytest.mark.parametrize(
    ("scenario", "player", "questions"),
    [
        pytest.param("prisoners-dilemma", "Glitch", 4, id="choices at once"),
        pytest.param("trust-game", "Glitch", 4, id="roles that change"),
        pytest.param("volunteers-dilemma-private", "Gizmo", 4, id="a private cost"),
        pytest.param("fishery-council", "Pixel", 8, id="stages"),
    ],
)
async def test_people_play_repeated_games_by_buttons(
    tmp_path: Path, scenario: str, player: str, questions: int
) -> None:
    result, person = await chose(tmp_path, scenario, player)
    assert [each["status"] for each in result.results] == ["complete"]
    rounds = events_of(result.directory, log.RoundPlayed)
    assert len(rounds) == 4
    assert [option for each in rounds for by in each.choices if (option := by.get(player))] == person.chosen
    assert len(person.chosen) == questions
    told = "\n".join(person.texts)
    assert told.count("That does not count: choose one of ") == questions
    for each in rounds:
        assert f"You got {each.payoffs[player]:g}." in told
    assert f"The game is over. You have got {sum(each.payoffs[player] for each in rounds):g} in all." in told
    asked = "\n".join(line for each in person.asked for line in each.context)
    assert (scenario == "volunteers-dilemma-private") == ("only you know it" in asked)


async def test_a_person_negotiates_before_a_repeated_game(tmp_path: Path) -> None:
    result, person = await chose(tmp_path, "prisoners-dilemma", PERSON, contracts=("negotiate",))
    assert [each["status"] for each in result.results] == ["complete"]
    assert {"table", "turn"} <= {each.kind for each in person.asked}


async def test_a_variant_lets_people_play_a_repeated_game_in_the_world(tmp_path: Path) -> None:
    variant = tmp_path / "walked.yaml"
    variant.write_text("extends: prisoners-dilemma\nname: walked\nplays: [episodes]\n")
    with pytest.raises(UsageError, match="nobody can join the world 'mock' with a Minecraft client"):
        await chose(tmp_path, str(variant), PERSON)


class Marshal(PagePerson):
    """Person who attacks with all troops, after orders that are not legal."""

    def answers(self, question: SeatQuestion) -> list[str]:
        if not question.title.endswith("your order?"):
            return ["fly", super().answers(question)[-1]]
        attacks = [each for each in question.answers if each != "hold"]
        return ["charge!", "attack Nowhere from Nowhere with 1", attacks[0].upper().replace("ATTACK", "attack")]


async def test_a_person_gives_orders_in_conquest(tmp_path: Path) -> None:
    people: list[Marshal] = []
    settings = StudySettings(
        "conquest", ("cheap-talk",), players={"Ada": "human"}, world="mock", out=tmp_path, time_limit_s=4
    )
    result = await run_study(settings, seated=seats(Marshal, people))
    assert [each["status"] for each in result.results] == ["complete"]
    orders = [each for each in events_of(result.directory, log.OrderGiven) if each.player == "Ada"]
    asked = [each for each in people[0].asked if each.title.endswith("your order?")]
    assert [(each.act, each.fault) for each in orders] == [("attack", "")] * len(asked)
    assert len(orders) == 4
    told = "\n".join(people[0].texts)
    assert told.count("That does not count: write hold, or attack TARGET from ORIGIN with TROOPS.") == 4
    assert told.count("That does not count: attack from 'Nowhere': it is not your territory") == 4
    assert "Your secret objective: " in told
    assert told.endswith("emeralds.")
    assert "talk" in {each.kind for each in people[0].asked}


class Hasty(PagePerson):
    """Person who presses a button of the last question again once the next one is asked, before its own answer."""

    def __init__(self, people: HumanPlayers, name: str) -> None:
        super().__init__(people, name)
        self.refused: list[str] = []

    def show_question(self, question: SeatQuestion | None) -> None:
        if question is not None:
            late = question.number - 1
            soon(lambda: self.refused.append(self.people.hear_page(self.name, "defect", late)))
        super().show_question(question)


async def test_an_answer_to_the_last_question_is_no_answer_to_the_next_one(tmp_path: Path) -> None:
    people: list[Hasty] = []
    settings = StudySettings(
        "prisoners-dilemma", ("none",), players={PERSON: "human"}, world="mock", out=tmp_path, repeat=3
    )
    result = await run_study(settings, seated=seats(Hasty, people))
    rounds = events_of(result.directory, log.RoundPlayed)
    assert [each.choices[0][PERSON] for each in rounds] == ["cooperate"] * 3
    assert people[0].refused == ["that question is over: look at the page as it is now"] * 4


async def test_a_person_harvests_by_a_map_of_what_it_sees(tmp_path: Path) -> None:
    people: list[Gatherer] = []
    settings = StudySettings(
        "commons-harvest", ("none",), agents="foragers", players={"Pedro": "human"}, world="mock", time_limit_s=3,
        out=tmp_path,
    )  # fmt: skip
    result = await run_study(settings, seated=seats(Gatherer, people))
    [told], [person] = result.results, people
    assert (told["status"], told["players"]["Pedro"]["reward"]) == ("complete", 3)
    decided = [each for each in events_of(result.directory, log.Decided) if each.player == "Pedro"]
    assert [f"{each.move} {each.to[0]} {each.to[1]}" for each in decided if each.to] == person.chosen
    assert {(each.fault, each.said) for each in decided} == {("", "Mine!")}
    asked = [each for each in person.asked if each.kind == "turn"]
    assert [each.title for each in asked] == [f"Round {number}: what do you do?" for number in (1, 2, 3)]
    stands, drawn, legend = asked[0].context
    assert stands == "You are at (11, 9), in a field of 24 columns (x) and 18 rows (z). You have 0 apples."
    head, *rows = [line.split() for line in drawn.splitlines()]
    at = {(int(x), int(row[0])): sign for row in rows for x, sign in zip(head[1:], row[1:], strict=True)}
    assert at[11, 9] == "@"
    assert "a" in at[tuple(int(each) for each in asked[0].answers[0].split()[1:])]  # type: ignore[index]
    assert legend.startswith("@ = you, a = apple")
    said = "\n".join(person.texts)
    assert said.count("That does not count: write go X Z, explore X Z, immobilize NAME or stay.") == 3
    assert said.count("That does not count: (99, 0) is outside of the field; write x from 0 to 23, z to 17.") == 3
    assert said.count("That does not count: you see no player 'Nobody'; you see ") == 3
    assert "Pedro took the apple at" in said
    assert person.texts[-1].endswith("The game is over. You have 3 apples.")
