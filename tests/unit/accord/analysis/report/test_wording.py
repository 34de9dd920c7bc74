"""Judges' findings and negotiators' messages in words, and tables on a phone."""

from __future__ import annotations

import pytest

from accord.analysis.report import wording, write_report
from accord.analysis.report.cell_labels import label_cells
from accord.analysis.report.model import ReportedContract, ReportedTerm, ReportedTermFinding, ReportedVerdict, Talk
from contracts.judges.formal import assess
from contracts.loading import library_contract
from contracts.observables import Observables
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import Story, write_run

MESSAGE = "Let us share.\n[contract]\n1. Gizmo pays Glitch 4 emeralds.\n[contract end]"


def test_a_message_is_split_into_prose_and_proposal() -> None:
    assert (wording.prose(MESSAGE), wording.proposal(MESSAGE)) == ("Let us share.", "1. Gizmo pays Glitch 4 emeralds.")
    assert (wording.prose("I agree. [accept 3]"), wording.proposal("I agree. [accept 3]")) == ("I agree.", "")
    turn = log.NegotiationTurn(turn=1, speaker="Gizmo", message=MESSAGE)
    signed = ReportedContract("x", " 1. Gizmo pays  Glitch 4 emeralds.\n", "agreed", ())
    assert wording.signed_text(Talk(1, (turn,), (), signed))
    assert not wording.signed_text(Talk(1, (turn,), (), ReportedContract("x", "another", "agreed", ())))


def test_formulas_of_a_formal_verdict_are_only_in_the_terms() -> None:
    contract = library_contract("double_vein_1")
    names = {name for each in contract.obligations for name in each.condition.names}
    names |= {name for each in contract.transfers for name in (*each.condition.names, *each.amount.names)}
    verdict = assess(contract, Observables(dict.fromkeys(names, 0)))
    terms = {
        **{each.id: ReportedTerm("obligation", each.id, each.party, "", each.condition.source, each.text)
           for each in contract.obligations},
        **{each.id: ReportedTerm("transfer", each.id, "", each.amount.source, each.condition.source, each.text)
           for each in contract.transfers},
    }  # fmt: skip
    found = [ReportedTermFinding(each.subject, each.kind, each.ok, each.party, each.reason, dict(each.values))
             for each in verdict.findings]  # fmt: skip
    for finding in found:
        told = wording.why(finding, terms)
        assert terms[finding.subject].condition in finding.reason or finding.kind == "transfer"
        assert not any(sign in told for sign in ("==", ">=", "met(", "(Gizmo.", "Glitch.mined")), told
    assert wording.critique(ReportedVerdict("formal", True, verdict.critique, tuple(found))) in (
        "",
        "Every obligation was kept.",
    )
    assert wording.critique(ReportedVerdict("language", True, "Both kept to it.", tuple(found))) == "Both kept to it."


def test_values_are_shown_in_words() -> None:
    finding = ReportedTermFinding(
        "t", "obligation", True, "", "", {"Gizmo.mined.iron_ore": 12, "Gizmo.items.diamond": 0, "time": 3}
    )
    assert wording.values(finding) == "Gizmo holds 0 diamond, Gizmo mined 12 iron ore, time = 3"


def test_cells_carry_the_heads_of_their_columns() -> None:
    table = '<table><thead><tr><th>A &lt;b&gt;</th><th class="n">"Two"</th></tr></thead><tbody><tr><th scope="row">x</th><td class="n">1</td></tr></tbody></table>'  # noqa: E501
    shown = label_cells(f"<p>td</p>{table}<table><tr><td>no head</td></tr></table>")
    assert '<th data-label="A &lt;b&gt;" scope="row">x' in shown
    assert '<td data-label="&quot;Two&quot;" class="n">1' in shown
    assert "<td>no head</td>" in shown


@pytest.fixture(scope="module", name="page")
def _page(tmp_path_factory: pytest.TempPathFactory) -> str:
    tmp_path = tmp_path_factory.mktemp("page")
    council = log.CouncilEntry(
        entry={"what": "deed", "kind": "take", "player": "Gizmo", "tree": "tree 1", "hit": False}
    )
    said = (
        log.ChatEvent(sender=None, text="Your game mode has been updated to Spectator Mode"),
        log.ChatEvent(sender="Gizmo", text="hello there", t_s=1.0),
        log.PlacesSeen(t_s=0.0, at={"Gizmo": (0.5, -60, 0.5)}),
        log.PlacesSeen(t_s=1.0, at={"Gizmo": (2.5, -60, 0.5)}),
        council,
    )
    turn = log.NegotiationTurn(turn=1, speaker="Gizmo", message=MESSAGE)
    write_run(tmp_path / "run", Story(contract="double_vein_1", transfer=11, extra=said, turns=(turn,)))
    return write_report([tmp_path], tmp_path).html.read_text(encoding="utf-8")


def test_no_raw_record_and_no_word_of_the_game_is_on_the_page(page: str) -> None:
    for raw in ("hit False", "kind take", "Spectator Mode", "[contract]", "[contract end]"):
        assert raw not in page, raw
    for told in (
        "hello there",
        "What happened when",
        "Where they were",
        "Gizmo took an apple of tree 1",
        "North is up",
    ):
        assert told in page, told
    assert page.count("Gizmo.mined.diamond_ore == 0") == 1


def test_every_cell_of_the_page_has_its_label(page: str) -> None:
    body = page.split("<tbody>")[1:]
    assert body
    assert all("<td " not in part.split("</tbody>")[0].replace("<td data-label", "") for part in body)
