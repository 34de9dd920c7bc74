"""Councils on a common stock: proposals, votes, caps that are kept or broken, fines."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from dilemmas.errors import SpecError
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.council_measures import council_measures
from dilemmas.scenarios.repeated_game.dealer import round_event
from tests.unit.voyager_agents.stage_games.scene import game, played, rounds, written
from voyager_agents.stage_games.choosing import now
from voyager_agents.stage_games.councils import CouncilLaw
from voyager_agents.stage_games.match import RepeatedMatch, Repetition
from voyager_agents.stage_games.turns import turn_of

LAKE = (
    "game: {form: formula, choices: [0, 2, 4], verb: take, payoff: own, stock: "
    '{start: 20, collapse: 4, grows: "min(20, 2 * left)", council: %s}}\n'
    "players: {Ada: {}, Bob: {}, Cleo: {}}\nrepeated: {known: 6}\n"
)


def law_of(folder: Path, council: str = "{}") -> CouncilLaw:
    law = game(written(folder, LAKE % council)).spec.law
    assert isinstance(law, CouncilLaw)
    return law


def vote(match: RepeatedMatch, proposal: str, votes: str, takes: str) -> None:
    """Play a round: the chair's proposal, then votes (y or n) and amounts in the order of the players."""
    names = match.law.players
    chair = next((name for name in names if match.options(name)), "")
    match.choose({chair: proposal} if chair else {})
    cast = zip(names, ("accept" if each == "y" else "reject" for each in votes), strict=True)
    match.choose(dict(cast) if chair else {})
    match.choose({name: f"take_{amount}" for name, amount in zip(names, takes, strict=True)})


def test_more_than_half_agree_on_a_cap_until_the_next_council(tmp_path: Path) -> None:
    match = RepeatedMatch(law_of(tmp_path, "{every: 2}"), Repetition(6), 0)
    assert match.options("Ada") == ("cap_0", "cap_2", "no_cap")
    assert match.options("Bob") == ()
    vote(match, "cap_2", "yyn", "224")
    assert match.law.state()["cap"] == 2
    # No council in round 2; the cap still holds.
    assert [match.options(name) for name in match.law.players] == [()] * 3
    match.choose({})
    match.choose({})
    assert "The cap of 2 holds now." in now(turn_of(match, "Bob"))
    match.choose(dict.fromkeys(match.law.players, "take_2"))
    # The next player is the chair, and half of the votes are not enough.
    assert match.options("Bob")
    vote(match, "cap_2", "ynn", "444")
    assert "cap" not in match.law.state()


def test_all_have_to_accept_where_the_file_says_so(tmp_path: Path) -> None:
    match = RepeatedMatch(law_of(tmp_path, "{passes: all}"), Repetition(6), 0)
    vote(match, "cap_2", "yyn", "222")
    assert "cap" not in match.law.state()
    vote(match, "cap_2", "yyy", "222")
    assert match.law.state()["cap"] == 2
    vote(match, "no_cap", "yyy", "222")
    assert "cap" not in match.law.state()


def test_a_fine_is_paid_for_each_unit_above_the_cap(tmp_path: Path) -> None:
    law = law_of(tmp_path, "{fine: 3}")
    match = RepeatedMatch(law, Repetition(6), 0)
    vote(match, "cap_2", "yyy", "024")
    assert match.history[-1].payoffs == {"Ada": 0, "Bob": 2, "Cleo": 4 - 3 * 2}
    vote(match, "cap_0", "nnn", "024")
    assert match.history[-1].payoffs == {"Ada": 0, "Bob": 2, "Cleo": 4}
    assert law.worst() <= min(match.history[0].payoffs.values())
    assert "costs 3 for each unit above it" in " ".join(law.rule_lines())


def test_a_cap_by_default_binds_nobody(tmp_path: Path) -> None:
    match = RepeatedMatch(law_of(tmp_path), Repetition(6), 0)
    vote(match, "cap_2", "yyy", "244")
    assert match.history[-1].payoffs == {"Ada": 2, "Bob": 4, "Cleo": 4}
    # What is taken, and no proposal or vote, is cooperation.
    assert match.law.cooperation(0, "Ada", "cap_0", match.roles) is None
    assert match.law.cooperation(1, "Ada", "accept", match.roles) is None
    assert match.law.cooperation(2, "Ada", "take_0", match.roles) == 1


@pytest.mark.parametrize("scenario", ["fishery-council", "pasture-council", "pollution-council"])
def test_the_variants_have_councils(scenario: str) -> None:
    spec = load_scenario(scenario).spec
    assert isinstance(spec.law, CouncilLaw)  # type: ignore[attr-defined]
    assert "hold a council" in spec.text


async def test_a_cap_saves_players_who_keep_it_and_not_those_who_break_it(tmp_path: Path) -> None:
    """Five cap keepers take 10 of the 50 tons that regrow; breakers agree on as much, and the fish are gone at once."""
    law = load_scenario("fishery-council").spec.law  # type: ignore[attr-defined]
    kept = rounds(await played("fishery-council", "cap-keeper", tmp_path / "kept"))
    broken = rounds(await played("fishery-council", "cap-breaker", tmp_path / "broken"))
    assert [each.payoffs["Gizmo"] for each in kept] == [10] * 12
    assert len(broken) == 1
    found = council_measures(law, kept)
    assert (found["caps_agreed"], found["cap"]) == ({"": 1}, {"": 10})
    assert set(found["cap_kept"].values()) == {1}
    found = council_measures(law, broken)
    assert (found["caps_agreed"], found["cap"]) == ({"": 1}, {"": 10})
    assert (set(found["cap_kept"].values()), set(found["cap_excess"].values())) == ({0}, {10})


async def test_one_breaker_lowers_the_caps_and_takes_most(tmp_path: Path) -> None:
    agents = ",".join(["cap-keeper"] * 4 + ["cap-breaker"])
    found = rounds(await played("fishery-council", agents, tmp_path))
    paid = {name: sum(each.payoffs[name] for each in found) for name in found[0].payoffs}
    assert all(paid["Pixel"] > amount for name, amount in paid.items() if name != "Pixel")
    law = load_scenario("fishery-council").spec.law  # type: ignore[attr-defined]
    measured = council_measures(law, found)
    assert measured["cap"][""] < 10
    assert measured["cap_kept"] == {name: float(name != "Pixel") for name in paid}


def test_choices_of_stand_ins_are_nobodys(tmp_path: Path) -> None:
    law = law_of(tmp_path)
    match = RepeatedMatch(law, Repetition(6), 0)
    match.choose({"Ada": "cap_2"})
    match.choose(dict.fromkeys(law.players, "accept"))
    match.choose({"Ada": "take_2", "Bob": "take_4", "Cleo": "take_4"}, {"Cleo": "random"})
    found = council_measures(law, [round_event(law, match.history[0], {}, {})])
    assert found["cap_kept"] == {"Ada": 1, "Bob": 0}
    assert found["cap_excess"]["Bob"] == 2


@pytest.mark.parametrize(
    ("council", "words"),
    [
        ("{caps: [1, 2, 3, 4, 5, 6, 7, 8, 9]}", "9 caps are not legal"),
        ("{fine: -1}", "-1 is below 0"),
        ("{every: 0}", "every"),
        ("{passes: some}", "passes"),
    ],
)
def test_a_wrong_council_is_refused_in_one_line(tmp_path: Path, council: str, words: str) -> None:
    with pytest.raises(SpecError, match=words) as caught:
        law_of(tmp_path, council)
    assert "\n" not in str(caught.value)


def test_a_cap_is_told_as_it_was_agreed(tmp_path: Path) -> None:
    law = law_of(tmp_path)
    assert law.with_cap(Fraction(2)).state()["cap"] == 2
    assert law.cap_after(({"Ada": "cap_2"}, {"Ada": "accept", "Bob": "accept", "Cleo": "reject"})) == 2
    assert law.cap_after(({"Ada": "cap_2"},)) is None
