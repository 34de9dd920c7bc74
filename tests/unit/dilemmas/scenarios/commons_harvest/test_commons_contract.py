"""Contracts in Commons Harvest: the library's undoes the dilemma, three negotiate one, nonsense is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import yaml

from accord.analysis.agreement_scores import scores
from accord.studies.study import StudyResult, StudySettings, run_study
from contracts import Evidence, FormalJudge, Observables, PlayerFacts, contract_as_mapping, library_contract, settle
from dilemmas.errors import UsageError
from dilemmas.records.events import ContractEvent, DeedSeen, NegotiationTurn, TransferBooked
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.json_schema import faults

PLAYERS = ("Laura", "Pedro", "Marta")
RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
SEEDS = 2
LONG = 40.0
"""Seconds in which players who strip the trees have taken all apples."""
CONTRACT = library_contract("commons_harvest_1", PLAYERS)


async def study(tmp_path: Path, *conditions: str, scenario: str = "commons-harvest", **chosen: Any) -> StudyResult:  # noqa: ANN401
    settings = {"time_limit_s": 20.0} | chosen
    found = await run_study(StudySettings(scenario, conditions, world="mock", out=tmp_path, **settings))
    assert [result["reason"] for result in runs(found)] == [None] * len(runs(found))
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    return found


def runs(found: StudyResult) -> list[dict[str, Any]]:
    return [run for result in found.results for run in result.get("runs", [result])]


def events(directory: Path, *kinds: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kinds)]


def paid(results: Sequence[dict[str, Any]], *players: str) -> list[float]:
    return [fmean(result["players"][player]["payoff"] for player in players) for result in results]


async def test_under_the_contract_stripping_the_trees_pays_less_in_every_seed(tmp_path: Path) -> None:
    """Without the contract a single player who strips has more, and stripping pays more the more players do it."""
    chosen: dict[str, Any] = {"runs": SEEDS, "time_limit_s": LONG}
    kept = await study(tmp_path / "kept", "contract-1", **chosen)
    broken = await study(tmp_path / "broken", "contract-1", players={"Laura": "greedy-harvester"}, **chosen)
    together, alone = runs(kept), runs(broken)
    assert max(paid(alone, "Laura")) < min(paid(together, *PLAYERS))
    assert fmean(paid(alone, "Laura")) < 0.7 * fmean(paid(together, *PLAYERS))
    assert all(mine < others for mine, others in zip(paid(alone, "Laura"), paid(alone, "Pedro", "Marta"), strict=True))
    depleted = [sum(result["measures"]["trees_depleted"].values()) for result in (*together, *alone)]
    assert depleted == [0] * SEEDS + [6] * SEEDS
    # The same deeds without the contract's payments: the dilemma is in the rewards.
    earned = [result["players"]["Laura"]["reward"] for result in alone]
    assert min(earned) > max(result["players"]["Pedro"]["reward"] for result in alone)
    for number in range(SEEDS):
        shares = [scores(read_events(each.directory / f"seed-{number}" / "events.jsonl")) for each in (kept, broken)]
        assert [{name: score.share for name, score in share.items()} for share in shares] == [
            dict.fromkeys(PLAYERS, 1.0),
            {"Laura": 0.0, "Pedro": 1.0, "Marta": 1.0},
        ]


async def settled(**taken: int) -> dict[str, float]:
    facts = {name: PlayerFacts({"apple": n}, {"poppy": n}, {"apple": 1}, reward=n) for name, n in taken.items()}
    table = Observables.collect(facts, items=["apple"], blocks=["poppy"])
    verdict = await FormalJudge().judge(CONTRACT, Evidence(table))
    return {name: float(payoff) for name, payoff in settle(dict(taken), verdict).payoffs.items()}


@pytest.mark.parametrize(
    ("taken", "payoffs"),
    [
        ((45, 45, 45), (45, 45, 45)),
        ((60, 30, 30), (20, 50, 50)),
        ((45, 30, 15), (30, 30, 30)),
        ((46, 46, 30), (92 / 3, 92 / 3, 182 / 3)),
        ((0, 0, 0), (0, 0, 0)),
    ],
)
async def test_each_player_has_a_third_of_all_and_nothing_beyond_the_quota(
    taken: tuple[int, ...], payoffs: tuple[float, ...]
) -> None:
    found = await settled(**dict(zip(PLAYERS, taken, strict=True)))
    assert sum(found.values()) == pytest.approx(sum(taken))
    assert list(found.values()) == pytest.approx(list(payoffs), abs=0.011)


@pytest.mark.parametrize(
    ("rewards", "what"),
    [
        # Means of the Schelling diagram (mock, seeds 0 to 9): who strips beside two, one and none that do not.
        (((44.1, 44.1, 44.1), (49.8, 19.2, 19.2)), "beside two who leave enough"),
        (((19.2, 49.8, 19.2), (31.1, 31.1, 18.8)), "beside one"),
        (((18.8, 31.1, 31.1), (26.3, 26.3, 26.3)), "beside none"),
    ],
)
async def test_under_the_contract_leaving_enough_pays_more_whatever_others_do(
    rewards: tuple[tuple[float, ...], tuple[float, ...]], what: str
) -> None:
    leaves, strips = [await settled(**dict(zip(PLAYERS, map(round, each), strict=True))) for each in rewards]
    assert leaves["Laura"] > strips["Laura"], what


async def test_three_negotiate_all_must_accept_and_the_agreement_is_played(tmp_path: Path) -> None:
    conditions = ("negotiate+opens=Marta", "negotiate+coordination", "negotiate+transfers", "negotiate+k=2")
    found = await study(tmp_path, *conditions, time_limit_s=15.0)
    both, words, payments, short = found.results
    turns = events(found.directory / conditions[0], NegotiationTurn)
    offered = max(each.turn for each in turns if each.offer is not None)
    assert [each.speaker for each in turns][:3] == ["Marta", "Laura", "Pedro"]
    assert [each.of for each in turns if each.turn > offered] == [offered] * 2
    assert (len(both["contract"]["transfers"]), len(both["contract"]["obligations"])) == (6, 3)
    assert sum(player["transfer"] for player in both["players"].values()) == pytest.approx(0)
    assert any(player["transfer"] for player in both["players"].values())
    assert (words["contract"]["transfers"], payments["contract"]["obligations"]) == ([], [])
    assert short["contract"] is None
    depleted = [sum(each["measures"]["trees_depleted"].values()) for each in found.results]
    assert (depleted[:3], depleted[3] > 3) == ([0, 0, 0], True)
    kept = [scores(read_events(found.directory / name / "events.jsonl")) for name in conditions]
    assert [sum(score.duties for score in each.values()) for each in kept] == [3, 3, 0, 0]
    assert all(score.kept == score.duties for each in kept for score in each.values())


async def test_players_bound_by_pay_alone_agree_on_pay_alone(tmp_path: Path) -> None:
    selfish = dict.fromkeys(PLAYERS, "best-response")
    found = await study(
        tmp_path, "negotiate+coordination", "contract-1+coordination", "negotiate", players=selfish, time_limit_s=15.0
    )
    words, given, paid_for = found.results
    assert (words["contract"], given["contract"]["transfers"]) == (None, [])
    depleted = [sum(each["measures"]["trees_depleted"].values()) for each in (words, given, paid_for)]
    assert min(depleted[:2]) > 3
    assert depleted[2] == 0


async def test_every_other_axis_plays_and_bookings_follow_from_the_log(tmp_path: Path) -> None:
    conditions = ("negotiate+again=lapses+greedy=Pedro+k=9", "negotiate+typed+judge=formal+opens=seed")
    found = await study(tmp_path, *conditions, episodes=2, time_limit_s=8.0)
    again = events(found.directory / conditions[0], ContractEvent)
    assert [each.state for each in again].count("agreed") == 2
    for condition, result in zip(conditions, found.results, strict=True):
        log = found.directory / condition
        takes = [
            line for line in read_events(log / "events.jsonl") if isinstance(line.event, (DeedSeen, TransferBooked))
        ]
        last = max(line.episode or 0 for line in takes)
        balance = dict.fromkeys(PLAYERS, 0.0)
        for line in (line for line in takes if line.episode == last):
            if isinstance(line.event, DeedSeen):
                balance[line.event.player] += 1
            elif isinstance(line.event, TransferBooked):
                balance[line.event.payer] -= line.event.amount
                balance[line.event.payee] += line.event.amount
        assert balance == pytest.approx({name: each["payoff"] for name, each in result["players"].items()})


BAD = contract_as_mapping(CONTRACT)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"parties": ["Laura", "Pedro", "Judith"]}, "'Marta' is not a party"),
        ({"parties": [*PLAYERS, "Judith"]}, "parties: 'Judith' is not a player here: choose from Laura, Pedro, Marta"),
        ({"schedule": [{"party": "Laura", "do": "mine", "block": "poppy", "count": -45}]}, "count: -45 is not a whole"),
        ({"transfers": [{**BAD["transfers"][0], "amount": -3}]}, "amount: -3 is negative: swap payer and payee"),
        ({"obligations": [{**BAD["obligations"][0], "condition": "Laura.mined.dandelion <= 45"}], "transfers": []},
         "'Laura.mined.dandelion' is not seen in this scenario: items are apple; mined blocks are poppy"),
        ({"quota": 45}, "unknown key 'quota'"),
        ({"obligations": [{**BAD["obligations"][0], "condition": "Laura.mined.poppy <= -45"}], "transfers": []},
         "obligation 'laura-keeps-to-the-quota': condition: Laura.mined.poppy <= -45 is never kept: counts are 0"),
    ],
)  # fmt: skip
async def test_a_bad_contract_is_refused_in_one_line(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(yaml.safe_dump(BAD | change))
    with pytest.raises(UsageError, match=r"bad|commons-harvest-1") as refusal:
        await study(tmp_path, str(path))
    assert told in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("scenario", "condition", "told"),
    [
        ("commons-harvest-bots", "negotiate", "unknown condition 'negotiate'"),
        ("commons-harvest-bots", "contract-1", "unknown condition 'contract-1'"),
        ("commons-harvest-single-tree", "contract-1", "unknown condition 'contract-1'"),
        ("commons-harvest", "contract-1+k=4", "rounds is for a negotiated contract"),
        ("commons-harvest", "cooperative+transfers", "'transfers' is for a contract, and 'cooperative' has none"),
        ("commons-harvest", "negotiate+greedy=Judith", "greedy: 'Judith' is not a player"),
        ("commons-harvest", "negotiate+judge=both", "a language judge needs a model"),
    ],
)
async def test_nonsense_is_refused_in_one_line(scenario: str, condition: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        await study(tmp_path, condition, scenario=scenario)
    assert told in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_contract_is_between_all_and_alike_for_all() -> None:
    assert CONTRACT.parties == PLAYERS
    assert {(each.payer, each.payee) for each in CONTRACT.transfers} == set(permutations(PLAYERS, 2))
    terms = {each.party: each.condition.source.replace(each.party, "X") for each in CONTRACT.obligations}
    assert terms == dict.fromkeys(PLAYERS, "X.mined.poppy <= 45")
    known = load_scenario("commons-harvest-known-selfish").spec.conditions
    assert {"contract-1", "negotiate"} <= set(known)


ROUNDS: dict[str, Any] = {"agents": "foragers", "time_limit_s": 25.0}


async def test_in_rounds_three_negotiate_and_keep_to_it(tmp_path: Path) -> None:
    found = await study(tmp_path, "none", "contract-1", "negotiate", "negotiate+coordination", **ROUNDS)
    depleted = [sum(each["measures"]["trees_depleted"].values()) for each in found.results]
    assert (depleted[0] > 1, depleted[1:]) == (True, [0, 0, 0])
    agreed = found.results[2]["contract"]
    assert (len(agreed["transfers"]), agreed["parties"]) == (6, list(PLAYERS))
    kept = scores(read_events(found.directory / "negotiate" / "events.jsonl"))
    assert {name: score.share for name, score in kept.items()} == dict.fromkeys(PLAYERS, 1.0)


async def test_in_rounds_words_alone_bind_no_reasoning_player(tmp_path: Path) -> None:
    selfish = dict.fromkeys(PLAYERS, "best-response")
    found = await study(tmp_path, "contract-1+coordination", "contract-1", players=selfish, **ROUNDS)
    words, whole = (sum(each["measures"]["trees_depleted"].values()) for each in found.results)
    assert (words > 1, whole) == (True, 0)


@pytest.mark.parametrize(
    ("condition", "chosen", "told"),
    [
        ("negotiate+again=lapses", ROUNDS, "again is for several episodes, and in rounds a run is one"),
        (
            "negotiate",
            {"agents": "generative", "model": "openai/test", "base_url": "http://127.0.0.1:9"},
            "agents of the family 'generative' do not negotiate before a game: choose none or a contract that is given",
        ),
    ],
)
async def test_illegal_rounds_are_refused_in_one_line(
    condition: str, chosen: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as refusal:
        await study(tmp_path, condition, **chosen)
    assert told in str(refusal.value)
    assert "\n" not in str(refusal.value)
