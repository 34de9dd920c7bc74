"""Studies in which players bargain on channels, and agreements of every force; with reference players and models."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import write_report
from accord.analysis.transcript.reading import read_steps
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from contracts import Contract, Expression, Obligation, Observables
from contracts.bargaining.deals import DealBook, DealEntry
from contracts.enforcement import enforce
from contracts.forces import Force
from contracts.judges.formal import assess
from dilemmas.errors import UsageError
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.events import LogLine
from dilemmas.records.record import RunRecord, read_events
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.killing import kill_after, killed_at
from tests.fakes.model_players import respond
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
SELFISH = {"Gizmo": "best-response", "Glitch": "best-response"}


async def play(out: Path, *conditions: str, scenario: str = "double-vein", **chosen: Any) -> StudyResult:  # noqa: ANN401
    found = await run_study(StudySettings(scenario, conditions, world="mock", out=out, **chosen))
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    return found


def events(directory: Path, kind: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kind)]


def sums(directory: Path) -> str:
    return digest(read_events(directory / "events.jsonl"))


async def test_selfish_players_keep_what_binds_or_has_a_deposit_and_nothing_else(tmp_path: Path) -> None:
    forces = ("binding", "escrow=40", "escrow=5", "reputation", "cheap-talk")
    found = await play(tmp_path, "none", *(f"negotiate+{force}" for force in forces), players=SELFISH)
    welfare = {result["condition"].partition("+")[2]: result["welfare"] for result in found.results}
    assert welfare["binding"] == welfare["escrow=40"] == 78
    assert welfare["escrow=5"] == welfare["reputation"] == welfare["cheap-talk"] == welfare[""] < 78


async def test_a_broken_promise_is_told_to_all_and_ends_agreements(tmp_path: Path) -> None:
    players = {"Gizmo": "greedy", "Glitch": "reference"}
    found = await play(tmp_path, "negotiate+reputation+again=lapses", players=players, episodes=2)
    states = [each.state for each in events(found.directory, log.ContractEvent)]
    assert states == ["agreed", "settled", "failed"]
    [told] = events(found.directory, log.AgreementEnforced)
    assert "Gizmo" in {each.party for each in told.breaches}
    assert "Gizmo broke a promise." in events(found.directory, log.Shown)[-1].critique
    last = [each for each in events(found.directory, log.NegotiationTurn) if each.speaker == "Glitch"][-1]
    assert "I make no agreement with Gizmo." in last.raw[-1]


async def test_players_that_keep_their_word_pay_without_force(tmp_path: Path) -> None:
    found = await play(tmp_path, "contract-1+cheap-talk", "contract-1")
    free, bound = found.results
    assert {name: each["payoff"] for name, each in free["players"].items()} == {"Gizmo": 37, "Glitch": 41}
    assert {name: each["payoff"] for name, each in bound["players"].items()} == {"Gizmo": 37, "Glitch": 41}
    assert (free["enforced"][0]["force"], "enforced" in bound) == ("cheap-talk", False)


async def test_a_broken_promise_forfeits_the_deposit(tmp_path: Path) -> None:
    found = await play(tmp_path, "contract-1+escrow=9", players={"Gizmo": "greedy", "Glitch": "follower"})
    [told] = events(found.directory, log.AgreementEnforced)
    assert "Gizmo" in {each.party for each in told.breaches}
    assert told.forfeited["Gizmo"] == 9
    assert told.deposited == {"Gizmo": 9, "Glitch": 9}
    assert sum(each["transfer"] for each in found.results[0]["players"].values()) == 0


@pytest.mark.parametrize("scenario", ["double-vein", "cleanup", "commons-harvest"])
async def test_players_of_the_table_bargain_on_channels_too(tmp_path: Path, scenario: str) -> None:
    chosen: dict[str, Any] = {"episodes": 1} if scenario == "commons-harvest" else {"players": SELFISH}
    found = await play(tmp_path, "negotiate+private+secret", scenario=scenario, time_limit_s=8.0, **chosen)
    [result] = found.results
    assert result["contract"] is None
    states = [deal["state"] for deal in result["deals"]]
    assert states.count("agreed") == 1
    assert [each["deal"] for each in result["enforced"]] == [states.index("agreed") + 1]
    assert [each.in_force for each in events(found.directory, log.TalkEnded)] == [[states.index("agreed") + 1]]


async def test_the_same_seed_gives_the_same_bytes_and_another_talk_before_each_episode(tmp_path: Path) -> None:
    condition = "negotiate+groups+again=stands+cheap-talk"
    first, second = [
        await play(tmp_path / name, condition, players=SELFISH, episodes=2, time_limit_s=5.0) for name in ("a", "b")
    ]
    assert sums(first.directory) == sums(second.directory)
    assert len(events(first.directory, log.TalkEnded)) == 2


def private(out: Path, listen: Callable[[LogLine], None] | None = None) -> Any:  # noqa: ANN401
    """Return a study of two episodes in which two players talk in private, to be played."""
    settings = StudySettings(
        "double-vein", ("negotiate+private+again=stands",), world="mock", out=out, episodes=2, time_limit_s=5.0,
        players={"Gizmo": "reference", "Glitch": "reference"},
    )  # fmt: skip
    return run_study(settings, listen=listen)


@pytest.fixture(scope="module", name="whole")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Play the private talk without an interruption."""
    found: StudyResult = asyncio.run(private(tmp_path_factory.mktemp("whole")))
    return found


# After each kind of line: an offer's words, the offer, other words, a pass, new words, a withdrawal, a new offer, an
# acceptance's words, the acceptance, the agreement, the last pass.
@pytest.mark.parametrize("count", [3, 4, 5, 7, 8, 9, 10, 20, 21, 22, 23])
async def test_a_run_killed_during_private_talk_resumes_to_the_same_end(
    whole: StudyResult, tmp_path: Path, count: int
) -> None:
    killed_at(private(tmp_path / "killed", kill_after(count)))
    [directory] = [each for each in (tmp_path / "killed").glob("*") if not each.name.startswith(".")]
    resumed = await resume_study(directory, read_settings(directory))
    assert sums(resumed.directory) == sums(whole.directory)
    assert resumed.results[0]["deals"] == whole.results[0]["deals"]


def talkative(request: Request) -> FakeReply | str:
    """Answer in a talk of two: Gizmo offers in a private message, and Glitch accepts; nobody pays."""
    said = request.messages[-1]["content"]
    if "Open offers to you" in said:
        me = said.partition("You bargain for ")[2].partition(";")[0]
        blank = {
            "thinking": f"thought of {me}",
            "to": [],
            "message": "",
            "act": "pass",
            "deal": 0,
            "contract": "",
            "lasts": 0,
        }
        if me == "Gizmo" and "offer deal" not in said and "Deal 1" not in said:
            text = "1. Gizmo pays Glitch 3 emeralds."
            return json.dumps(blank | {"to": ["Glitch"], "message": "MARKED", "act": "offer", "contract": text})
        if me == "Glitch" and "accept" in said.partition("Legal acts:")[2]:
            return json.dumps(blank | {"act": "accept", "deal": 1})
        return json.dumps(blank)
    if "Payments that" in said:
        return json.dumps({"reason": "nobody makes me", "pay": []})
    return respond(request)


async def test_models_talk_and_decide_on_payments(tmp_path: Path) -> None:
    async with FakeServer(talkative) as server:
        found = await play(
            tmp_path,
            "negotiate+private+cheap-talk+untyped",
            model="openai/test",
            base_url=server.base_url,
            episodes=1,
            time_limit_s=5.0,
        )
    [deal] = found.results[0]["deals"]
    assert (deal["state"], deal["accepted"]) == ("agreed", ["Gizmo", "Glitch"])
    said = events(found.directory, log.TalkMessageSent)
    assert [each.act for each in said if each.act != "pass"] == ["offer", "accept"]
    steps = [step for step in read_steps(found.directory) if "MARKED" in str(step)]
    assert [(step.player, step.others) for step in steps] == [("Gizmo", ("Glitch",))]


async def test_records_show_secret_deals_to_their_parties_alone(tmp_path: Path) -> None:
    """Ada and Bob of three players make a secret deal, break it, and Cleo's view of the record has no word of it."""
    names = ("Laura", "Pedro", "Marta")
    marked = Contract(
        "deal",
        "1. Pedro MARKED takes nothing.",
        names[:2],
        obligations=(Obligation("MARKED-leaves", "Pedro", Expression("Pedro.mined.poppy == 0"), "MARKED"),),
        force=Force.REPUTATION,
    )
    verdict = assess(marked, Observables({f"{name}.mined.poppy": 3 for name in names}))
    found = enforce(marked, verdict, ())
    book = DealBook(names)
    entries = [*book.offer("Laura", marked, secret=True), *book.accept("Pedro", 1)]
    directory = tmp_path / "run"
    directory.mkdir()
    with contextlib.closing(RunRecord(directory)) as record:
        terms = {name: log.PlayerTerms(prices={}, author="reference") for name in names}
        record.log(
            log.RunStarted(
                run="run",
                scenario="commons-harvest",
                version=1,
                condition="negotiate+private+secret",
                contract_kind="negotiated",
                world="mock",
                seed=0,
                players=terms,
            )
        )
        for entry in [*entries, *book.sign(1, marked)]:
            record.log(log.DealChanged(entry=entry.to_dict()))
        record.log(log.TermsTyped(number=1, terms=None, sheet="MARKED", deal=1))
        record.log(log.TermsRatified(number=1, player="Laura", ratified=True, reason="MARKED", deal=1))
        record.log(log.VerdictGiven(**verdict.to_dict(), transfers={}, deal=1))
        record.log(log.AgreementEnforced.model_validate({"force": "reputation", "deal": 1, **found.to_dict()}))
        record.log(log.DealChanged(entry=DealEntry(1, "ended", reason="MARKED").to_dict()))
    steps = list(read_steps(directory))
    assert len([step for step in steps if "MARKED" in str(step)]) >= 6
    seen = [step for step in steps if "Marta" in (step.player, *step.others)]
    assert [step.title for step in seen if step.title] == ["Pedro broke a promise"]
    assert "MARKED" not in str(seen)


def test_a_report_says_that_deals_were_made(whole: StudyResult, tmp_path: Path) -> None:
    write_report([whole.directory], tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "No contract was agreed" not in text


def test_conditions_of_force_and_channels_are_checked(tmp_path: Path) -> None:
    from accord.studies.conditions import resolve
    from dilemmas.scenarios.registry import load_scenario

    scenario = load_scenario("double-vein")
    assert resolve(scenario, "negotiate+escrow=25").force == ("escrow", 25)
    assert resolve(scenario, "contract-1+reputation").contract.force == "reputation"  # type: ignore[union-attr]
    for text, said in (
        ("none+cheap-talk", "is for a contract"),
        ("contract-1+private", "channels is for a negotiated contract"),
        ("negotiate+secret", "secret: at one table everybody knows the contract"),
        ("negotiate+escrow=0", "deposit"),
        ("negotiate+binding+escrow=4", "deposit: only the force escrow has deposits"),
        ("negotiate+iron", "unknown axis 'iron'"),
    ):
        with pytest.raises(UsageError) as caught:
            resolve(scenario, text)
        assert said in str(caught.value)
