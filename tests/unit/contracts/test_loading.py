from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import Contract, ContractFormatError, contract_as_mapping, library_contract, load_contract
from contracts.loading import LIBRARY
from contracts.yaml12 import load_own, load_yaml

GOOD: dict[str, Any] = {
    "name": "test",
    "text": "1. Gizmo pays Glitch 5 emeralds.",
    "parties": ["Gizmo", "Glitch"],
    "obligations": [{"id": "mines", "party": "Glitch", "condition": "Glitch.mined.iron_ore >= 1"}],
    "transfers": [{"id": "pay", "payer": "Gizmo", "payee": "Glitch", "amount": 5, "condition": 'met("mines")'}],
    "schedule": [{"party": "Gizmo", "do": "take", "item": "stone_pickaxe"}],
}
LIBRARY_NAMES = sorted(path.stem for path in LIBRARY.glob("*.yaml"))


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data = copy.deepcopy(GOOD)
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d.update(extra=1), "unknown key 'extra': legal keys are name, text, parties"),
        (lambda d: d.pop("text"), "key 'text' is missing"),
        (lambda d: d.update(text=""), "text: '' is empty"),
        (lambda d: d.update(text=5), "text: 5 is not text"),
        (lambda d: d.update(text="x" * 5000), "5000 characters: at most 4000"),
        (lambda d: d.update(name="a b"), "id: 'a b' is no id"),
        (lambda d: d.update(name=7), "id: 7 is no id"),
        (lambda d: d.update(parties="Gizmo"), "parties: 'Gizmo' is not a list"),
        (lambda d: d.update(parties=["Gizmo"]), "name two or more different players"),
        (lambda d: d.update(parties=["Gizmo", "Gizmo"]), "name two or more different players"),
        (lambda d: d.update(parties=["Gizmo", "Gl itch"]), "'Gl itch' is no player name"),
        (lambda d: d.update(parties=["Gizmo", "Gl\u0456tch"]), "is no player name"),
        (lambda d: d.update(parties=["Gizmo", "chest"]), "'chest' is no player name"),
        (lambda d: d.update(transfers={}), "transfers: '{}' is not a list"),
        (lambda d: d.update(transfers=[3]), "transfers 1: '3' is not a mapping"),
        (lambda d: d["transfers"][0].update(amount=-5), "amount: -5 is negative: swap payer and payee"),
        (lambda d: d["transfers"][0].update(amount="1 / 0"), "amount: '1 / 0' divides by zero"),
        (lambda d: d["transfers"][0].update(amount="lots"), "transfers 1: amount: 'lots'"),
        (lambda d: d["transfers"][0].update(amount="5 emeralds"), "does not parse"),
        (lambda d: d["transfers"][0].update(amount=float("nan")), "'nan' is not legal here"),
        (lambda d: d["transfers"][0].update(amount=float("inf")), "'inf' is not legal here"),
        (lambda d: d["transfers"][0].update(amount=None), "None is not an expression"),
        (lambda d: d["transfers"][0].update(amount=[5]), "[5] is not an expression"),
        (lambda d: d["transfers"][0].update(amount=True), "is a truth value, not a number"),
        (lambda d: d["transfers"][0].update(condition="1 + 1"), "is a number, not a truth value"),
        (
            lambda d: d["transfers"][0].update(condition='met("nobody")'),
            "unknown obligation 'nobody': choose one of mines",
        ),
        (lambda d: d["transfers"][0].update(payee="Judy"), "payee: 'Judy' is not a party: choose one of Gizmo, Glitch"),
        (lambda d: d["transfers"][0].update(payee="Gizmo"), "payee: 'Gizmo' is the payer too"),
        (lambda d: d["transfers"][0].update(amount="Judy.items.diamond"), "'Judy' is not a party"),
        (lambda d: d["transfers"][0].update(amount="Gizmo.pockets.diamond"), "is no observable"),
        (lambda d: d["transfers"][0].update(amount="chest.items.diamond"), "is no observable"),
        (lambda d: d["transfers"][0].update(amount="Gizmo.value"), "is no observable"),
        (lambda d: d["transfers"][0].update(id="mines"), "'mines' is used twice"),
        (lambda d: d["transfers"][0].pop("payer"), "transfers 1: key 'payer' is missing"),
        (lambda d: d["obligations"][0].update(condition='met("mines")'), "met(...) is legal in transfers only"),
        (lambda d: d["obligations"][0].update(party="Judy"), "party: 'Judy' is not a party"),
        (lambda d: d["obligations"][0].update(condition="Glitch.mined.iron_ore <= -5"), "<= -5 is never kept: counts"),
        (lambda d: d["obligations"][0].update(condition="Glitch.mined.iron_ore < 1 - 1"), "1 is never kept: counts"),
        (lambda d: d["obligations"][0].update(condition="True and chest.diamond == -1"), "== -1 is never kept: counts"),
        (lambda d: d["obligations"][0].update(condition="Glitch.mined.iron_ore < 1 / 0"), "'1 / 0' divides by zero"),
        (lambda d: d["obligations"].extend(d["obligations"] * 60), "61 entries: at most 50"),
        (lambda d: d["schedule"][0].update(do="steal"), "do: 'steal' is unknown: choose one of take, mine"),
        (lambda d: d["schedule"][0].update(do=[]), "do: [] is unknown"),
        (lambda d: d.update(parties=[None, []]), "parties: None is no player name"),
        (lambda d: d["schedule"][0].pop("item"), "take needs item only"),
        (lambda d: d["schedule"][0].update(block="stone"), "take needs item only"),
        (lambda d: d["schedule"][0].update(item="Stone Pickaxe"), "is no Minecraft name"),
        (lambda d: d["schedule"][0].update(item="x'); evil('"), "is no Minecraft name"),
        (lambda d: d["schedule"][0].update(count=0), "count: 0 is not a whole number from 1"),
        (lambda d: d["schedule"][0].update(count=1.5), "count: 1.5 is not a whole number"),
        (lambda d: d["schedule"][0].update(count=True), "count: True is not a whole number"),
        (lambda d: d["schedule"][0].update(party="Judy"), "schedule: party: 'Judy' is not a party"),
        (
            lambda d: d.update(schedule=[{"party": "Gizmo", "do": "signal", "other": "Judy", "name": "x"}]),
            "is not a party",
        ),
    ],
)
def test_a_wrong_contract_is_told_in_one_line(change: Callable[[dict[str, Any]], object], told: str) -> None:
    with pytest.raises(ContractFormatError) as caught:
        load_contract(changed(change))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("name: [", "is not YAML: line"),
        ("- a\n- b\n", "is not a mapping"),
        ("", "is not a mapping"),
        ("name: a\nname: b\n", "key 'name' stands twice"),
        ("name: !!python/object/apply:os.system [ls]\n", "is not YAML"),
        ("a: &x [1]\nb: *x\n", "aliases"),
        ("? [1, 2]\n: 3\n", "unhashable key"),
        ("a: " + "[" * 3000, "nested too deeply"),
        ("a: !!int 1:30:00\n", "the tag 'tag:yaml.org,2002:int' is not legal"),
        ("a: 1e999\n", "'1e999' is too large"),
        ("name: a\n" * 1 + "x" * 70_000, "at most 64000"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "contract.yaml"
    path.write_text(content)
    with pytest.raises(ContractFormatError) as caught:
        load_contract(path)
    assert told in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("1:30:00", "'1:30:00' is no plain number: write it in decimal digits"),
        ("190:20:30.15", "'190:20:30.15' is no plain number"),
        ("1_000", "'1_000' is no plain number"),
        ("0x10", "'0x10' is no plain number"),
        ("0o17", "'0o17' is no plain number"),
        ("0b11", "'0b11' is no plain number"),
        ("011", "'011' is no plain number"),
        ("-1_0.5", "'-1_0.5' is no plain number"),
        ("'1_000'", "transfers 1: amount: '1_000': '1_000' is not legal here"),
        ("'0x10'", "transfers 1: amount: '0x10': '0x10' is not legal here"),
        ("on", "transfers 1: amount: 'on'"),
        (".inf", "transfers 1: amount: '.inf' does not parse"),
        ("1e8", "transfer 't': amount: 100000000.0 emeralds are more than anybody can have: at most 1,000,000"),
    ],
)
def test_what_is_no_plain_number_is_no_amount(tmp_path: Path, written: str, told: str) -> None:
    transfer = f"{{id: t, payer: Gizmo, payee: Glitch, amount: {written}}}"
    path = tmp_path / "c.yaml"
    path.write_text(f"name: c\ntext: 1. Gizmo pays.\nparties: [Gizmo, Glitch]\ntransfers: [{transfer}]\n")
    with pytest.raises(ContractFormatError) as caught:
        load_contract(path)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_words_stay_words_in_a_contract_file(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    step = "{party: yes, do: signal, other: off, name: on}"
    path.write_text(f"name: no\ntext: 1. a\nparties: [yes, off]\nschedule: [{step}]\n")
    contract = load_contract(path)
    assert (contract.name, contract.parties, contract.schedule[0].name) == ("no", ("yes", "off"), "on")


def test_a_file_that_is_not_there_and_one_that_is_not_text(tmp_path: Path) -> None:
    with pytest.raises(ContractFormatError, match=r"absent\.yaml: cannot be read \(No such file"):
        load_contract(tmp_path / "absent.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ContractFormatError, match="is not UTF-8 text"):
        load_contract(tmp_path / "bytes.yaml")
    with pytest.raises(ContractFormatError, match="cannot be read"):
        load_contract(tmp_path)


def test_parties_have_to_be_players() -> None:
    with pytest.raises(ContractFormatError, match="'Gizmo' is not a player here: choose from Ada, Glitch"):
        load_contract(GOOD, players=["Ada", "Glitch"])


def test_an_unknown_library_contract_names_the_known_ones() -> None:
    with pytest.raises(ContractFormatError, match="choose one of ada_easy_1, cleanup_1, cleanup_2"):
        library_contract("double_vein_3")


@pytest.mark.parametrize("name", LIBRARY_NAMES)
def test_library_contracts_survive_being_written_and_read(name: str) -> None:
    contract = library_contract(name)
    assert load_contract(yaml.safe_load(yaml.safe_dump(contract_as_mapping(contract)))) == contract
    assert contract.typed


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("1. Do a.\n2. Do b.", {1: "Do a.", 2: "Do b."}),
        ("1. Do a. 2. Do b for 3.5 emeralds.", {1: "Do a.", 2: "Do b for 3.5 emeralds."}),
        ("1) Do a\n2) Do b", {1: "Do a", 2: "Do b"}),
        ("Do it for 5 emeralds.", {1: "Do it for 5 emeralds."}),
    ],
)
def test_clauses(text: str, clauses: dict[int, str]) -> None:
    assert Contract("c", text, ("A", "B")).clauses == clauses


def loads(data: object) -> bool:
    try:
        load_contract(data)  # type: ignore[arg-type]
    except ContractFormatError:
        return False
    return True


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "id", "x"]), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=150)
@given(st.sampled_from(sorted(GOOD)), JSON)
def test_any_value_under_any_key_is_a_contract_or_a_named_error(key: str, value: object) -> None:
    assert loads({**GOOD, key: value}) in (True, False)


BASE = {"name": "c", "text": "1. Ada pays Bob.", "parties": ["Ada", "Bob"]}
TERM = {"id": "t", "payer": "Ada", "payee": "Bob", "amount": "0.5 * Ada.reward"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"parties": ["Ada", "Eve"]}, "parties: 'Eve' is not a player here: choose from Ada, Bob"),
        ({"transfers": [TERM | {"payee": "Eve"}]}, "transfer 't': payee: 'Eve' is not a party: choose one of Ada, Bob"),
        ({"transfers": [TERM | {"amount": "Eve.reward"}]}, "transfer 't': amount: 'Eve' is not a party"),
        ({"transfers": [TERM | {"amount": -3}]}, "transfer 't': amount: -3 is negative"),
        ({"transfers": [TERM | {"amount": "-0.5 * Ada.reward"}]}, "-0.5 * Ada.reward is never above 0"),
        (
            {"transfers": [TERM | {"amount": "1.2 * Ada.reward"}]},
            "the share 1.2 is above 1: legal are shares from 0 to 1",
        ),
        ({"transfers": [TERM | {"amount": "Ada.items.x * 3 * Ada.value.x"}]}, "the share 3 is above 1"),
        ({"transfers": [TERM | {"amuont": 3}]}, "transfers 1: unknown key 'amuont': legal keys are id, payer, payee"),
        ({"scopes": "both"}, "unknown key 'scopes': legal keys are name, text, parties"),
        ({"scope": 3}, "scope: 3 is unknown: choose one of both, coordination, transfers"),
    ],
)
def test_bad_values_are_one_line_with_file_key_value_and_legal_set(
    change: dict[str, object], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(yaml.safe_dump(BASE | change))
    with pytest.raises(ContractFormatError) as caught:
        load_contract(path, ["Ada", "Bob"])
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("amount", ["Ada.reward", "3 * Ada.items.x", "2 * Bob.items.x * Ada.value.x", "1 * Ada.reward"])
def test_prices_and_whole_shares_are_legal(amount: str) -> None:
    assert load_contract(BASE | {"transfers": [TERM | {"amount": amount}]}).transfers[0].amount.source == amount


def test_a_document_is_its_readers_own_also_when_the_same_text_is_read_again() -> None:
    text = "players: {Gizmo: {prices: [1, 2]}}"
    first = load_yaml(text)
    first["players"]["Gizmo"]["prices"].append(3)
    first["players"]["Glitch"] = {}
    assert load_yaml(text) == {"players": {"Gizmo": {"prices": [1, 2]}}}


def test_aliases_are_refused_of_a_text_that_was_read_with_them_before() -> None:
    text = "one: &all [1]\ntwo: *all"
    assert load_yaml(text) == {"one": [1], "two": [1]}
    for _ in range(2):
        with pytest.raises(yaml.YAMLError, match="aliases"):
            load_yaml(text, aliases=False)


@pytest.mark.parametrize(
    "value", [GOOD, {"a": [1.5, None, "no", "0x10", "2026-01-01", "é\u2028"], "b": {"c": [[], {}]}}, [], ""]
)
def test_a_file_of_ones_own_is_read_as_it_was_written(value: object) -> None:
    assert load_own(yaml.safe_dump(value)) == value


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "{a: " * 100_000])
def test_a_file_of_ones_own_that_somebody_has_nested_endlessly_is_an_error(text: str) -> None:
    with pytest.raises(yaml.YAMLError, match="nested too deeply"):
        load_own(text)
