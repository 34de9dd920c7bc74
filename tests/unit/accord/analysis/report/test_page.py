from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.drawing import MAX_LABEL, label_of
from accord.analysis.report.style import DARK, LIGHT, on_dark_ground
from accord.analysis.report.templating import MINUS
from accord.cli import main
from dilemmas.errors import UsageError
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run

HOSTILE = "--></code></pre></style></title><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}"


class Tags(HTMLParser):
    """Parser that collects every tag and attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def hostile_story() -> Story:
    said = (
        log.ChatEvent(sender=HOSTILE, text=HOSTILE, t_s=1.0),
        log.SignalEvent(sender=HOSTILE, receiver=HOSTILE, name=HOSTILE),
        log.LogEvent(bot=HOSTILE, level="log", text=HOSTILE),
        log.Critique(player=HOSTILE, text=HOSTILE, success=False),
    )
    finding: dict[str, object] = dict.fromkeys(("subject", "party", "reason"), HOSTILE) | {
        "kind": "obligation",
        "ok": False,
    }
    return Story(
        condition=HOSTILE,
        players=(HOSTILE, "\u202eGlitch\x1b[31m"),
        source=HOSTILE,
        extra=said,
        problem=log.PolicyProblem(name=HOSTILE, message=HOSTILE, line=1),
        contract="double_vein_1",
        findings=({**finding, "values": {HOSTILE: 1}},),
        turns=(log.NegotiationTurn(turn=1, speaker=HOSTILE, message=HOSTILE, thought=HOSTILE),),
    )


def parsed(folder: Path) -> tuple[str, Tags]:
    text = write_report([folder], folder).html.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    return text, tags


def test_no_word_of_a_record_becomes_markup(tmp_path: Path) -> None:
    write_run(tmp_path / "run", hostile_story())
    text, tags = parsed(tmp_path)
    names = {name for name, _ in tags.tags}
    assert "script" not in names
    assert not any(attribute.startswith("on") for _, attributes in tags.tags for attribute in attributes)
    assert sum(name == "img" for name, _ in tags.tags) == 3
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 10
    assert "49" not in re.findall(r"onerror=alert\(2\)&gt;(.{0,4})", text)
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "\\u202eGlitch\\u001b[31m" in text


def test_figures_hold_no_markup_of_a_record(tmp_path: Path) -> None:
    write_run(tmp_path / "run", hostile_story())
    report = write_report([tmp_path], tmp_path)
    for figure in (file for file in report.files if file.suffix == ".svg"):
        assert "<script" not in figure.read_text(encoding="utf-8")


def test_the_page_needs_nothing_from_outside(tmp_path: Path) -> None:
    write_run(tmp_path / "run", Story())
    _, tags = parsed(tmp_path)
    sources = [
        value
        for _, attributes in tags.tags
        for name, value in attributes.items()
        if name in {"src", "srcset", "href", "action", "data"}
        and not (name == "href" and (value or "").startswith("#"))
    ]
    links = ["minds/run-1/1-Gizmo.html", "minds/run-1/2-Glitch.html"]
    assert [source for source in sources if not (source or "").startswith("data:image/svg+xml;base64,")] == links
    # Each figure exists for wide and narrow pages, on light and dark backgrounds.
    assert len(sources) == 3 * 4 + len(links)
    policies = [attributes["content"] for name, attributes in tags.tags if attributes.get("http-equiv")]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_the_page_shows_all_parts(tmp_path: Path) -> None:
    offer = {"transfers": [{"payer": "Gizmo", "payee": "Glitch", "amount": "10"}]}
    turn = log.NegotiationTurn(
        turn=1, speaker="Gizmo", message="I pay 11", thought="fair enough", offer=offer, accepts=True
    )
    finding = {
        "subject": "glitch-leaves-iron",
        "kind": "obligation",
        "ok": False,
        "party": "Glitch",
        "reason": "it took 3",
    }
    chat = log.ChatEvent(sender="Gizmo", text="hello there", t_s=2.5)
    write_run(tmp_path / "none", Story(condition="none", items=GREEDY))
    told = Story(contract="double_vein_1", transfer=11, turns=(turn,), findings=(finding,), extra=(chat,))
    write_run(tmp_path / "contract-1", told)
    text, _ = parsed(tmp_path)
    for part in (
        "In these runs welfare was", "I pay 11", "Offer: Gizmo pays Glitch 10<", "fair enough", "accepts",
        "Gizmo pays Glitch 11 emeralds", "✗ broken", "it took 3", "paid", "hello there", "0.55 ± 0.14",
        "await bot.chat(&#39;hello&#39;)", "\N{MINUS SIGN}11 by contract", "reference/greedy",
    ):  # fmt: skip
        assert part in text, part


def test_several_runs_of_several_conditions_are_compared_on_the_page(tmp_path: Path) -> None:
    for seed in range(3):
        hits = {"attacks": {"Gizmo": 4.0, "Glitch": seed}, "hits_on_gizmo": {"Glitch": seed + 1}}
        items = {**GREEDY, "Glitch": {"raw_iron": 3 - seed}}
        write_run(tmp_path / f"none-{seed}", Story(condition="none", seed=seed, items=items, measures=hits))
        write_run(tmp_path / f"one-{seed}", Story(seed=seed, transfer=11, world={"iron_ore": 12}))
    text, _ = parsed(tmp_path)
    for part in (
        "<h2>Differences</h2>",
        f"none {MINUS} contract-1",
        f"{MINUS}13",
        "0.100",
        "<h2>Measures</h2>",
        "attacks",
        "Player by",
    ):
        assert part in text, part
    assert {file.stem for file in (tmp_path / "plots").iterdir()} == {
        "welfare", "resources", "world", "rewards", "measures", "hits"
    }  # fmt: skip


def test_signing_second_judges_and_council_rules_are_shown(tmp_path: Path) -> None:
    both = {
        "judges": ["formal", "language"], "compared": 2, "equal": 1, "share": 0.5, "kappa": 0.25, "emeralds": 3.0,
        "unreadable": 1, "terms": [
            {"term": "pay", "kind": "transfer", "first": True, "second": True, "emeralds": [11.0, 8.0], "equal": False},
            {"term": "mine", "kind": "obligation", "first": True, "second": True, "emeralds": [0, 0], "equal": True},
        ],
    }  # fmt: skip
    judged = log.VerdictGiven(
        judge="formal", readable=True, critique="", awards=[], findings=[], raw="", transfers={}, agreement=both
    )
    again = log.NegotiationTurn(turn=1, speaker="Glitch", message="once more")
    told = Story(
        condition="negotiate+typed",
        turns=(
            log.NegotiationTurn(turn=1, speaker="Gizmo", message="sign here"),
            log.TermsTyped(number=1, terms={}, sheet="Gizmo pays Glitch 11"),
            log.TermsRatified(number=1, player="Glitch", ratified=False, reason="too <b>little</b>"),
        ),
        extra=(
            judged,
            log.CouncilEntry(entry={"what": "rule_passed", "round": 3, "rule": "R1", "says": "leave one"}),
            log.EpisodeEnded(reason="time_limit", game_s=1, wall_s=1, players={}),
            again,
        ),
    )
    write_run(tmp_path / "run", told)
    text, _ = parsed(tmp_path)
    for part in (
        "Terms at signing (2)", "Gizmo pays Glitch 11", "did not ratify", "too &lt;b&gt;little", "before episode 2",
        "1 of 2 terms judged alike", "50 %", "Emeralds apart", "Rule R1 is passed: leave one.", "once more",
    ):  # fmt: skip
        assert part in text, part


def test_the_same_record_gives_the_same_bytes(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "a", Story(contract="double_vein_1", transfer=11))
    write_run(tmp_path / "runs" / "b", Story(condition="none", seed=3, items=GREEDY))
    first = write_report([tmp_path / "runs"], tmp_path / "one")
    second = write_report([tmp_path / "runs"], tmp_path / "two")
    names = [file.relative_to(tmp_path / "one").as_posix() for file in first.files]
    assert names == [
        "report.html", "plots/welfare.svg", "plots/resources.svg", "plots/rewards.svg",
        "runs.csv", "summary.csv", "comparisons.csv", "effects.csv", "curves.csv", "answers.csv", "costs.csv",
        "reputation.csv", "ways.csv", "timeline.csv",
        *(f"minds/run-{run}/{player}.html" for run in (1, 2) for player in ("1-Gizmo", "2-Glitch")),
    ]  # fmt: skip
    for one, two in zip(first.files, second.files, strict=True):
        assert one.read_bytes() == two.read_bytes(), one.name


@pytest.mark.drawn
def test_figures_name_their_units_and_players(tmp_path: Path) -> None:
    write_run(tmp_path / "run", Story())
    report = write_report([tmp_path], tmp_path)
    # Letters are drawn as paths; matplotlib keeps each text in a comment beside its paths.
    texts = {
        file.stem: set(re.findall(r"<!-- (.*?) -->", file.read_text()))
        for file in report.files
        if file.suffix == ".svg"
    }
    assert {"game time (s)", "welfare (emeralds)", "contract-1"} <= texts["welfare"]
    assert {"game time (s)", "items held", "Gizmo", "Glitch"} <= texts["resources"]
    assert {"game time (s)", "emeralds", "Gizmo", "Glitch"} <= texts["rewards"]


def test_a_report_can_be_written_over_and_for_unfinished_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "run", Story(finished=False))
    write_report([tmp_path], tmp_path)
    text, _ = parsed(tmp_path)
    assert "No run was finished" in text


def test_an_unwritable_folder_is_an_error(tmp_path: Path) -> None:
    write_run(tmp_path / "run", Story())
    (tmp_path / "file").touch()
    with pytest.raises(
        UsageError, match=r"cannot write the report to .*file/x: not a directory; choose a folder with --out"
    ):
        write_report([tmp_path / "run"], tmp_path / "file" / "x")


@pytest.mark.drawn
def test_time_axes_reach_the_end_of_the_longest_run(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story(condition="none", game_s=10))
    write_run(tmp_path / "b", Story(condition="contract-2", game_s=95))
    report = write_report([tmp_path], tmp_path)
    for name in ("welfare", "resources", "rewards"):
        ticks = re.findall(r"<!-- (\d+) -->", (tmp_path / "plots" / f"{name}.svg").read_text())
        assert "80" in ticks, name
    assert report.comparison.runs


@pytest.mark.drawn
def test_on_dark_ground_no_colour_of_the_light_dress_is_left(tmp_path: Path) -> None:
    light = "".join(f'<path style="stroke: {colour}"/>' for colour in (LIGHT.ink, LIGHT.grid, *LIGHT.players))
    dark = "".join(f'<path style="stroke: {colour}"/>' for colour in (DARK.ink, DARK.grid, *DARK.players))
    assert on_dark_ground(light) == dark
    write_run(tmp_path / "run", Story())
    svg = (write_report([tmp_path], tmp_path).html.parent / "plots" / "rewards.svg").read_text()
    assert LIGHT.players[0] in svg
    assert LIGHT.players[0] not in on_dark_ground(svg)


def test_conditions_with_a_common_beginning_have_different_labels(tmp_path: Path) -> None:
    names = [f"contract-1+model=openai/gpt-{letter}" for letter in "ab"]
    for name in names:
        write_run(tmp_path / name[-1], Story(condition=name))
    text = write_report([tmp_path / "a", tmp_path / "b"], tmp_path).html.read_text(encoding="utf-8")
    assert "contract-1+<wbr>model=<wbr>openai/<wbr>gpt-a" in text
    labels = [label_of(name) for name in names]
    assert len(set(labels)) == 2
    assert all(len(label) <= MAX_LABEL for label in labels)


@pytest.mark.parametrize(("seeds", "told"), [((0, 1, 2), False), ((0, 1, 1), True)])
def test_a_test_of_equal_seeds_that_was_not_possible_is_told(
    seeds: Sequence[int], told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for condition in ("none", "contract-1"):
        for number, seed in enumerate(seeds):
            story = Story(condition=condition, seed=seed, items={"Gizmo": {"raw_iron": 3 + number}, "Glitch": {}})
            write_run(tmp_path / "runs" / f"{condition}-{number}", story)
    assert main(["report", str(tmp_path / "runs"), "--out", str(tmp_path), "--paired"]) == 0
    said = "permutation test where seeds repeat or fewer than two are shared"
    assert (said in " ".join(capsys.readouterr().out.split())) is told
    assert (said in (tmp_path / "report.html").read_text("utf-8")) is told
