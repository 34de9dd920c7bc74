"""Truth of single statements: what counts as known, what stays open, and facts of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.analysis.words.collusion import causeless_transfers
from accord.analysis.words.matching import judge_words
from accord.analysis.words.record import WordsRecord
from accord.analysis.words.scenario_truth import ScenarioTruth, read_scenario_truth
from dilemmas.records import events as log
from tests.fakes.scripted_words import NAMES, Society, game, lines_of, played, started

COOPERATE = dict.fromkeys(NAMES, "cooperate")
END = log.EpisodeEnded(reason="policies_returned", game_s=1.0, wall_s=1.0, players={})


def record_of(events: Sequence[log.Event], private: ScenarioTruth | None = None) -> WordsRecord:
    record = WordsRecord(scenario=private)
    for line in lines_of(events):
        record.add_line(line)
    return record


def marks(events: Sequence[log.Event], private: ScenarioTruth | None = None) -> list[tuple[str, str, bool]]:
    """Return (speaker, mark, whether it could be known) of all statements."""
    found = judge_words(record_of(events, private)).statements
    return [(each.utterance.speaker, each.mark, each.truth.known) for each in found]


def begun(*events: log.Event) -> Society:
    return Society([started(0), log.EpisodeStarted(attempt=1), *events])


def held(items: dict[str, dict[str, int]], t_s: float = 0.0) -> log.StateSeen:
    return log.StateSeen(
        t_s=t_s, players={name: log.Holdings(items=each, mined={}, reward=0) for name, each in items.items()}
    )


def test_a_false_claim_about_ones_own_items_is_a_lie_and_about_others_a_mistake() -> None:
    made = begun(held({"Ada": {"diamond": 3}, "Bo": {"diamond": 1}}))
    made.say("Ada", "I have 5 diamonds.")
    made.say("Ada", "Bo has 5 diamonds.")
    made.say("Bo", "I have 1 diamond. Ada has 3 diamonds.")
    made.say("Cy", "Dan has 3 diamonds. I have 3 unicorns.")
    assert marks(made.events) == [
        ("Ada", "lie", True), ("Ada", "mistake", False), ("Bo", "true", True), ("Bo", "true", False),
        ("Cy", "open", False),
    ]  # fmt: skip


def test_what_a_player_was_shown_it_could_know() -> None:
    shown = log.Shown(player="Ada", inventories={"Bo": {"diamond": 1}})
    made = begun(held({"Ada": {"diamond": 0}, "Bo": {"diamond": 1}}), shown)
    made.say("Ada", "Bo has 5 diamonds.")
    assert marks(made.events) == [("Ada", "lie", True)]


def test_a_promise_of_a_number_is_due_at_the_end_of_the_episode() -> None:
    made = begun(held({"Ada": {"diamond": 0}}))
    made.say("Ada", "I will collect 2 diamonds. I will collect 9 diamonds.")
    late = held({"Ada": {"diamond": 4}}, 5.0)
    assert [mark for _, mark, _ in marks([*made.events, late])] == ["open", "open"]
    assert [mark for _, mark, _ in marks([*made.events, late, END])] == ["kept", "broken promise"]


def test_a_tremble_breaks_no_word_and_an_absent_player_keeps_none() -> None:
    made = begun(game(2))
    made.say("Ada", "I will cooperate.")
    made.say("Bo", "I will cooperate.")
    choices = {**COOPERATE, "Ada": "defect", "Bo": "defect"}
    trembled = played(1, choices).model_copy(update={"trembled": [{"Ada": "cooperate"}], "absent": [["Bo"]]})
    assert [mark for _, mark, _ in marks([*made.events, trembled, END])] == ["kept", "open"]


def test_promises_for_every_round_are_due_to_the_last() -> None:
    made = begun(game(3))
    made.say("Ada", "I will never defect, always.")
    made.say("Ada", "From now on, I will not defect.")
    made.events += [played(1, COOPERATE), played(2, {**COOPERATE, "Ada": "defect"})]
    assert [mark for _, mark, _ in marks([*made.events, END])][-1] == "broken promise"


def test_private_types_can_be_lied_about() -> None:
    with_types = played(1, COOPERATE).model_copy(update={"types": {"Ada": 8.0, "Bo": 2.0}})
    made = begun(game(2), with_types)
    made.say("Ada", "My cost is 2.")
    made.say("Bo", "My cost is 2.")
    assert marks(made.events) == [("Ada", "lie", True), ("Bo", "true", True)]


def test_in_pairs_a_player_knows_its_own_round_alone() -> None:
    roles = {"Ada": "donor of Bo", "Bo": "recipient of Ada", "Cy": "donor of Di", "Di": "recipient of Cy"}
    paired = played(1, {"Ada": "cooperate", "Cy": "defect"}).model_copy(update={"roles": roles})
    made = begun(game(2), paired)
    made.say("Bo", "Ada chose defect.")
    made.say("Di", "Ada chose defect.")
    assert marks(made.events) == [("Bo", "false accusation", True), ("Di", "false accusation", False)]


def deal(number: int, change: str, **more: Any) -> log.DealChanged:  # noqa: ANN401
    return log.DealChanged(entry={"deal": number, "change": change, "by": "Ada", **more})


def agreed(secret: bool) -> list[log.Event]:
    pays = {"id": "ada-pays", "payer": "Ada", "payee": "Bo", "amount": "5", "condition": "True"}
    contract = {"text": "1. Ada pays Bo 5.", "parties": ["Ada", "Bo"], "obligations": [], "transfers": [pays]}
    return [deal(1, "offered", contract=contract, secret=secret), deal(1, "agreed")]


def test_a_denied_deal_is_a_lie_of_its_party_and_unknown_to_outsiders() -> None:
    made = begun(*agreed(secret=True))
    made.say("Cy", "Good day.")
    made.say("Ada", "I have no deal with Bo.")
    made.say("Cy", "Ada and Di have a secret deal.")
    made.say("Cy", "Ada and Bo have a secret deal.")
    assert marks(made.events) == [
        ("Ada", "lie", True), ("Cy", "false accusation", False), ("Cy", "true accusation", False),
    ]  # fmt: skip
    ended = begun(*agreed(secret=True))
    ended.say("Cy", "Good day.")
    ended.events.append(deal(1, "ended"))
    ended.say("Ada", "I have no deal with Bo.")
    assert [mark for _, mark, _ in marks(ended.events)] == ["true"]


def test_typed_promises_and_secret_deals_are_read_by_form() -> None:
    made = begun()
    made.say("Ada", "Agreed?", to=["Bo"])
    made.events[-1] = made.events[-1].model_copy(update={"act": "offer", "deal": 1})  # type: ignore[union-attr]
    breach = log.BreachFound(party="Ada", term="ada-pays", kind="payment")
    made.events += [
        *agreed(secret=True),
        log.AgreementEnforced(force="cheap-talk", deal=1, breaches=[breach], promises={"Ada": 2, "Bo": 1}),
    ]
    found = sorted((speaker, mark) for speaker, mark, _ in marks(made.events))
    assert found == [("Ada", "broken promise"), ("Ada", "kept"), ("Ada", "secret deal"), ("Bo", "kept")]


def test_agreements_of_a_council_are_promises_and_its_questions_are_words() -> None:
    entries = [
        {"what": "act", "round": 1, "player": "Ada", "act": "ask", "to": "Bo", "text": "Bo broke its promise."},
        {"what": "broken", "round": 1, "player": "Bo", "ground": "agreement", "id": 1, "count": 1},
        {"what": "broken", "round": 1, "player": "Cy", "ground": "rule", "id": 1, "count": 1},
        {"what": "act", "round": 2, "player": "Ada", "act": "ask", "to": "Bo", "text": "Bo broke its promise."},
    ]
    made = begun(*(log.CouncilEntry(entry=each) for each in entries))
    assert [mark for name, mark, _ in marks(made.events)] == [
        "false accusation", "true accusation", "broken promise",
    ]  # fmt: skip


def test_obligations_of_a_contract_that_binds_are_promises() -> None:
    findings = [
        {"kind": "obligation", "party": "Ada", "subject": "mine", "ok": False},
        {"kind": "obligation", "party": "Bo", "subject": "wait", "ok": True},
        {"kind": "transfer", "party": "Bo", "subject": "pay", "ok": True},
    ]
    verdict = log.VerdictGiven(
        judge="formal", readable=True, critique="", awards=[], findings=findings, raw="", transfers={}
    )
    settled = log.ContractEvent(state="settled", contract=None)
    good_day = log.NegotiationTurn(turn=1, speaker="Ada", message="Good day.")
    assert marks(begun(good_day, verdict, settled, settled).events) == [
        ("Ada", "broken promise", True), ("Bo", "kept", True),
    ]  # fmt: skip
    told = log.AgreementEnforced(force="cheap-talk", promises={"Ada": 1})
    assert marks(begun(good_day, verdict, told, settled).events) == [("Ada", "kept", True)]


@pytest.mark.parametrize(("secret", "amount"), [(True, 5.0), (False, 5.0)])
def test_payments_that_nothing_is_owed_for_have_no_cause(secret: bool, amount: float) -> None:
    made = begun(*agreed(secret), log.TransferBooked(term="ada-pays", payer="Ada", payee="Bo", amount=amount, deal=1))
    assert list(causeless_transfers(record_of(made.events), ("Ada", "Bo"))) == [("Ada", "Bo", 5.0)]
    assert list(causeless_transfers(record_of(made.events), ("Ada", "Cy"))) == []


def test_payments_and_accusations_of_none_are_matched() -> None:
    booked = log.TransferBooked(term="x", payer="Ada", payee="Bo", amount=5)
    made = begun(log.AgreementEnforced(force="binding"), booked)
    made.say("Bo", "Ada did not pay me.")
    made.say("Ada", "I paid Bo 5 emeralds. I paid Bo 7 emeralds.")
    made.say("Cy", "Di did not pay Bo.")
    assert marks(made.events) == [
        ("Bo", "false accusation", True), ("Ada", "true", True), ("Ada", "lie", True), ("Cy", "true accusation", False),
    ]  # fmt: skip


def test_attacks_and_taxes_are_matched() -> None:
    planted = log.FieldPlanted(columns=9, rows=9, trees={})
    attack = log.DeedSeen(step=1, deed="attack", player="Ada", at=(1, 1), target="Bo", hit=True)
    closed = log.SeasonClosed(
        t_s=1, season=1, paid={}, held={}, state={"Ada": "absent", "Bo": "paid"}, chests={}, balanced=True
    )
    made = begun(planted, attack, closed)
    made.say("Bo", "Ada attacked me. Cy attacked me.")
    made.say("Di", "Cy attacked Bo.")
    made.say("Ada", "I never attacked Bo. I paid my tax. Bo did not pay its tax.")
    assert marks(made.events) == [
        ("Bo", "true accusation", True), ("Bo", "false accusation", True), ("Di", "false accusation", False),
        ("Ada", "lie", True), ("Ada", "lie", True), ("Ada", "false accusation", False),
    ]  # fmt: skip


def test_on_a_map_all_see_attacks_and_everybody_has_an_objective() -> None:
    drawn = log.MapDrawn(round=0, territories={}, objectives={"Ada": ["north"]})
    made = begun(drawn)
    made.say("Di", "Cy attacked Bo.")
    made.say("Ada", "I have no secret goal.")
    assert marks(made.events) == [("Di", "false accusation", True), ("Ada", "lie", True)]


PRIVATE = ScenarioTruth(
    knows={"Ada": ("There are 6 diamonds in the cave.",)}, goals={"Bo": "Ruin Cy."}, roles={"Cy": "selfish"},
    role_names=("selfish",),
)  # fmt: skip


def test_hidden_goals_roles_and_facts_give_the_truth() -> None:
    made = begun()
    made.say("Ada", "There are 2 diamonds in the cave. I know nothing. Bo has a hidden goal.")
    made.say("Bo", "I have no secret goal. There are 2 diamonds in the cave. There are 7 wolves here.")
    made.say("Cy", "I am not selfish. Ada is selfish. I have no secret goal.")
    assert marks(made.events, PRIVATE) == [
        ("Ada", "lie", True), ("Ada", "lie", True), ("Ada", "true accusation", False),
        ("Bo", "lie", True), ("Bo", "mistake", False), ("Bo", "open", False),
        ("Cy", "lie", True), ("Cy", "false accusation", False), ("Cy", "true", True),
    ]  # fmt: skip
    assert {mark for _, mark, _ in marks(made.events)} == {"open"}


def test_hidden_truth_comes_from_the_record_alone(tmp_path: Path) -> None:
    players = {"Ada": {"knows": ["x"], "goal": None}, "Bo": {"goal": {"text": "Win.", "holds": "True"}}, "Cy": {}}
    scenario = {
        "players": players, "personalities": {"selfish": "..."},
        "conditions": {"hard": {"personality": {"Cy": "selfish"}}},
    }  # fmt: skip
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({"scenario": scenario}))
    found = read_scenario_truth(tmp_path, "hard")
    assert found == ScenarioTruth({"Ada": ("x",)}, {"Bo": "Win."}, {"Cy": "selfish"}, ("selfish",))
    for text in ("[]", "scenario: {players: 3}", "{", "scenario: {players: {Ada: 7}}"):
        (tmp_path / "config.yaml").write_text(text)
        assert read_scenario_truth(tmp_path, "hard") is None
    assert read_scenario_truth(tmp_path / "none", "hard") is None


def test_accusations_of_lies_follow_what_was_said_before() -> None:
    made = begun(game(3), played(1, COOPERATE))
    made.say("Ada", "I chose defect.")
    made.say("Bo", "I chose cooperate.")
    made.say("Cy", "Ada lied. Bo lied. Di lied.")
    made.say("Di", "Lovely weather.")
    made.say("Cy", "Di lied.")
    assert [mark for name, mark, _ in marks(made.events) if name == "Cy"] == [
        "true accusation", "false accusation", "false accusation", "open",
    ]  # fmt: skip


def test_a_word_is_broken_once_it_fell_due() -> None:
    made = begun(game(3))
    made.say("Ada", "I will cooperate.")
    made.say("Bo", "Ada broke its promise.")
    made.events.append(played(1, {**COOPERATE, "Ada": "defect"}))
    made.say("Bo", "Ada broke its promise.")
    assert [mark for name, mark, _ in marks(made.events) if name == "Bo"] == ["false accusation", "true accusation"]


def test_words_of_a_broken_attempt_do_not_count() -> None:
    made = begun(game(2))
    made.say("Ada", "I will cooperate.")
    made.events += [played(1, COOPERATE), log.EpisodeStarted(attempt=2), game(2)]
    made.say("Ada", "I will cooperate.")
    made.events += [played(1, {**COOPERATE, "Ada": "defect"}), END]
    assert marks(made.events) == [("Ada", "broken promise", True)]
    assert len(record_of(made.events).acts) == 1


def test_chat_that_repeats_speech_counts_once() -> None:
    spoken = log.Speech(t_s=1, speaker="Ada", voice="say", text="I paid my tax.", at=(0, 0, 0), hearers=["Bo"])
    chat = log.ChatEvent.model_validate({"from": "Ada", "text": "I paid my tax."})
    life = begun(log.LifeBegan(t_s=0, player="Ada", attempt=1), spoken, chat)
    assert len(record_of(life.events).utterances) == 1
    [alone] = record_of(begun(chat).events).utterances
    assert alone.public
    stranger = log.ChatEvent.model_validate({"from": "Server", "text": "I paid my tax."})
    assert record_of(begun(stranger).events).utterances == []
