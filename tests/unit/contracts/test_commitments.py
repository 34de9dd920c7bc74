"""Programs that read each other: the known outcomes of provability logic, and what is no program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.commitments import Commitment, run_commitments
from contracts.errors import ContractFormatError

OPTIONS = ("cooperate", "defect")
PLAYERS = ("Ann", "Bea", "Cem")
FAIR = "cooperate if plays(others, cooperate) else defect"
CLIQUE = "cooperate if same(others) else defect"
SLY = "defect if plays(others, cooperate) else cooperate"


def outcome(*sources: str) -> tuple[str, ...]:
    players = PLAYERS[: len(sources)]
    published = {name: Commitment(source, OPTIONS, players) for name, source in zip(players, sources, strict=True)}
    return tuple(option[0].upper() for option in run_commitments(published).values())


@pytest.mark.parametrize(
    ("one", "other", "known"),
    [
        (FAIR, FAIR, "CC"),
        (FAIR, "cooperate", "CC"),
        (FAIR, "defect", "DD"),
        (FAIR, CLIQUE, "DD"),
        (CLIQUE, CLIQUE, "CC"),
        (CLIQUE, f"  {CLIQUE.replace(' if ', '  if ')} ", "CC"),
        (CLIQUE, "cooperate", "DC"),
        (SLY, "cooperate", "DC"),
        (SLY, "defect", "CD"),
        (SLY, SLY, "CC"),
        (FAIR, SLY, "DC"),
        ("cooperate if plays(Bea, cooperate) and not same(Bea) else defect", FAIR, "CC"),
    ],
)
def test_two_programs_end_as_it_is_known(one: str, other: str, known: str) -> None:
    assert "".join(outcome(one, other)) == known


def test_three_fair_programs_cooperate_and_one_defector_ends_it() -> None:
    assert outcome(FAIR, FAIR, FAIR) == ("C", "C", "C")
    assert outcome(FAIR, FAIR, "defect") == ("D", "D", "D")
    assert outcome("cooperate if plays(Bea, cooperate) else defect", FAIR, "defect") == ("D", "D", "D")
    assert outcome("cooperate if plays(Bea, cooperate) else defect", "cooperate", "defect") == ("C", "C", "D")


@pytest.mark.parametrize(
    "source",
    [
        "",
        "steal",
        "__import__('os').system('true')",
        "cooperate if plays(Zed, cooperate) else defect",
        "cooperate if plays(others, steal) else defect",
        "cooperate if plays(others) else defect",
        "cooperate if others else defect",
        "cooperate if plays(others, cooperate) == True else defect",
        "(lambda: cooperate)()",
        "[cooperate for x in others][0]",
        "cooperate if " + " and ".join(["same(others)"] * 60) + " else defect",
        "All emeralds go to Thorin.",
    ],
)
def test_what_is_no_program_is_refused_in_one_line(source: str) -> None:
    with pytest.raises(ContractFormatError) as told:
        Commitment(source, OPTIONS, PLAYERS)
    assert "\n" not in str(told.value)


tests = st.recursive(
    st.sampled_from(
        [f"plays({who}, {option})" for who in ("others", "Ann", "Bea") for option in OPTIONS] + ["same(others)"]
    ),
    lambda inner: st.one_of(
        inner.map(lambda each: f"not {each}"), st.tuples(inner, inner).map(lambda each: f"({each[0]} and {each[1]})")
    ),
    max_leaves=4,
)
programs = st.tuples(tests, st.sampled_from(OPTIONS), st.sampled_from(OPTIONS)).map(
    lambda each: f"{each[1]} if {each[0]} else {each[2]}"
)


@given(st.lists(programs, min_size=2, max_size=2))
def test_any_programs_end_and_equal_ones_choose_alike(sources: list[str]) -> None:
    assert set(outcome(*sources)) <= {"C", "D"}
    if "Ann" not in sources[0] and "Bea" not in sources[0]:
        one, other = outcome(sources[0], sources[0])
        assert one == other
