"""Reference players of a public good: their pure programs, refusals, and bargaining."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from contracts import Contract, library_contract, negotiate
from contracts.negotiation import Negotiated
from voyager_agents import PLAYERS, Observation, PlayerError, PublicGood, ReferenceAgent
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.share_bargainer import division, draft_shares
from voyager_agents.voyager.code import extract_policy

KINDS = ["harvester", "cleaner", "alternator", "conditional-cooperator", "splitter", "steward", "reference"]
CLEANUP = PublicGood(
    players=("Gizmo", "Glitch"),
    crop="red_mushroom_block",
    item="red_mushroom",
    waste="slime_block",
    threshold=7,
    values={"Gizmo": {"red_mushroom": 3}, "Glitch": {"red_mushroom": 3}},
    field=(10, -60, 0),
    commons=(-11, -60, 0),
)


def seen(player: str, contract: Contract | None = None) -> Observation:
    return Observation(
        player=player, players=CLEANUP.players, episode=0, task="", scenario="", facts=CLEANUP, contract=contract
    )


def written(player: str, kind: str, contract: Contract | None = None, seed: int = 0) -> str:
    return PLAYERS[kind](seen(player, contract), PlayerState(seed))[0].policy


def shifts(policy: str) -> list[str]:
    found = re.search(r"const shifts = (\[.*\])", policy)
    assert found is not None
    return list(json.loads(found[1]))


async def bargained(seed: int, rounds: int = 6) -> Negotiated:
    agents = [ReferenceAgent(name, seed=seed) for name in CLEANUP.players]
    for agent in agents:
        agent.observe(seen(agent.name))
    return await negotiate(agents, rounds)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("player", CLEANUP.players)
def test_every_player_writes_one_well_formed_function_and_the_same_one_again(kind: str, player: str) -> None:
    policies = [written(player, kind, library_contract("cleanup_2"), seed=7) for _ in range(2)]
    assert policies[0] == policies[1]
    assert extract_policy(f"```js\n{policies[0]}```") == policies[0]
    assert re.search(rf"async function \w+_{player} \(bot\)", policies[0])


def test_of_two_alternators_one_cleans_while_the_other_harvests() -> None:
    both = [shifts(written(player, "alternator")) for player in CLEANUP.players]
    assert both == [["slime_block", "red_mushroom_block"], ["red_mushroom_block", "slime_block"]]


def test_stewards_do_what_the_schedule_says() -> None:
    one, two = library_contract("cleanup_1"), library_contract("cleanup_2")
    assert 'for (;;) await work("red_mushroom_block")' in written("Gizmo", "steward", one)
    assert 'for (;;) await work("slime_block")' in written("Glitch", "steward", one)
    assert shifts(written("Gizmo", "steward", two)) == ["slime_block", "red_mushroom_block"]
    assert shifts(written("Glitch", "steward", two)) == ["red_mushroom_block", "slime_block"]


def test_splitters_differ_by_seed_and_player() -> None:
    policies = {written(player, "splitter", seed=seed) for player in CLEANUP.players for seed in range(5)}
    assert len(policies) == 10


def test_without_a_contract_the_reference_player_is_selfish_and_with_one_it_keeps_it() -> None:
    contract = library_contract("cleanup_1")
    assert written("Gizmo", "reference", seed=3) == written("Gizmo", "splitter", seed=3)
    assert written("Gizmo", "reference", contract) == written("Gizmo", "steward", contract)


@pytest.mark.parametrize(
    ("kind", "contract", "words"),
    [
        ("steward", None, "there is no contract to follow"),
        ("steward", library_contract("double_vein_1"), r"Gizmo mines 'iron_ore'; legal are red_mushroom_block and s"),
        ("greedy", None, "no facts with a chest"),
        ("sharer", None, "no facts with a chest"),
    ],
)
def test_who_cannot_play_says_why_in_one_line(kind: str, contract: Contract | None, words: str) -> None:
    with pytest.raises(PlayerError, match=words) as refusal:
        written("Gizmo", kind, contract)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("share", [Fraction(45, 100), Fraction(1, 2), Fraction(1, 100)])
def test_a_drafted_contract_divides_as_it_says(share: Fraction) -> None:
    shares = {"Gizmo": share, "Glitch": 1 - share}
    assert division(draft_shares(CLEANUP, shares), CLEANUP) == shares


def test_the_papers_contracts_divide_as_the_paper_says() -> None:
    assert division(library_contract("cleanup_1"), CLEANUP) == {"Gizmo": Fraction(45, 100), "Glitch": Fraction(55, 100)}
    assert division(library_contract("cleanup_2"), CLEANUP) == {"Gizmo": Fraction(1, 2), "Glitch": Fraction(1, 2)}
    assert division(library_contract("double_vein_1"), CLEANUP) is None


@pytest.mark.parametrize("seed", range(8))
async def test_bargainers_agree_on_a_division_that_leaves_both_a_part(seed: int) -> None:
    outcome = await bargained(seed)
    assert outcome.contract is not None
    shares = division(outcome.contract, CLEANUP)
    assert shares is not None
    assert all(Fraction(1, 5) < share < Fraction(4, 5) for share in shares.values())


async def test_in_the_last_round_any_share_is_better_than_none() -> None:
    outcome = await bargained(seed=1, rounds=2)
    assert outcome.contract is not None
