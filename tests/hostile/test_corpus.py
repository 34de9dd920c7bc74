"""The corpus of attacks: it is large, has every class, and does no harm on this machine."""

from __future__ import annotations

from functools import partial

import pytest

from bridge.hostile import embedded, load_corpus, run_corpus
from bridge.worlds import ENGINE

CLASSES = ["command", "denial", "egress", "escape", "forging", "integrity", "leak", "memory"]


def test_the_corpus_has_every_class_and_more_than_a_hundred_attacks() -> None:
    attacks = load_corpus()
    assert len(attacks) >= 100
    assert len({str(attack) for attack in attacks}) == len(attacks)
    assert sorted({attack.kind for attack in attacks}) == CLASSES
    assert all("async function attack (bot)" in attack.source for attack in attacks)


def test_attacks_are_chosen_by_class_and_by_name() -> None:
    assert {attack.kind for attack in load_corpus(["egress"])} == {"egress"}
    assert [str(attack) for attack in load_corpus(["escape/webassembly"])] == ["escape/webassembly"]
    with pytest.raises(ValueError, match=r"no attack 'nonsense': give a class \(command, denial"):
        load_corpus(["nonsense"])


def test_an_attack_is_never_told_a_secret() -> None:
    program = load_corpus(["escape/webassembly"])[0].program({"token": "mark1", "witness": "Witness"})
    assert program.startswith('const CANARY = {"token": "mark1", "witness": "Witness"}\n')
    assert program.rstrip().endswith("}")


@pytest.mark.live
async def test_no_attack_does_harm() -> None:
    report = await run_corpus(load_corpus())
    assert len(report.verdicts) == len(load_corpus())
    assert [(str(verdict.attack), verdict.evidence) for verdict in report.breaches] == []


@pytest.mark.live
async def test_no_attack_on_bodies_in_the_server_does_harm() -> None:
    # `accord doctor --hostile --bodies engine` runs the whole corpus.
    attacks = load_corpus(["command", "forging", "integrity"])
    report = await run_corpus(attacks, open_world=partial(embedded, bodies=ENGINE))
    assert [(str(verdict.attack), verdict.evidence) for verdict in report.breaches] == []
