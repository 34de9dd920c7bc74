"""The pages of a society of towns: one of all, and one per person; no scripts, every word of the record escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from accord.analysis.report.page import environment, framed
from accord.analysis.report.phone import labelled
from accord.analysis.report.society.pages import KINDS
from accord.analysis.report.text import visible
from accord.analysis.report.towns.figures import COLOURS, FIGURES
from accord.analysis.report.towns.findings import MEASURES, Spread, Towns, sentence
from dilemmas.scenarios.societies.exposures import PRIEST, Believer
from dilemmas.scenarios.societies.lives import PlayerLife


def towns_page(found: Towns, dresses: Mapping[str, Mapping[str, str]]) -> str:
    """The report's page. `dresses` are the figures' SVG texts: light, dark, and both for phones."""
    template = environment().get_template("towns.html.j2")
    return labelled(
        template.render(
            found=found, comparison=found.comparison, figures=framed(FIGURES, dresses), measures=MEASURES,
            sentence=sentence(found), file_of=file_of, colours=COLOURS,
        )
    )  # fmt: skip


def life_pages(found: Towns) -> Iterator[tuple[str, str]]:
    """(file name, page) of everybody, one at a time."""
    template = environment().get_template("life.html.j2")
    for run in found.runs:
        lives = run.run.lives.lives if run.run.lives is not None else {}
        names = list(lives)
        for place, (player, life) in enumerate(lives.items()):
            yield file_of(run, player), template.render(
                player=player, life=life, run=run, colours=COLOURS, kinds=KINDS, spells=_spells(run, player),
                measures=_measures(run, life, player), until=run.spreading.until or 1.0, file_of=file_of,
                cut=run.run.lives.shown_s if run.run.lives is not None else None,
                heading="Levels", none="It never said a word of the faith.", mind=None, map=None,
                before=names[place - 1] if place else None, after=names[place + 1] if place + 1 < len(names) else None,
            )  # fmt: skip


def file_of(run: Spread, player: str) -> str:
    """Where that one's page is, from the report's folder; names of agents are hostile."""
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in player)
    return f"{run.folder}/{safe or 'agent'}.html"


def _believer(run: Spread, player: str) -> Believer:
    return run.spreading.exposures.people.get(player, Believer())


def _spells(run: Spread, player: str) -> list[tuple[float, float, str]]:
    each = _believer(run, player)
    starts = [(rise.t_s, "direct" if rise.level > 1 else "indirect") for rise in each.rises]
    ends = [start for start, _ in starts[1:]] + [run.spreading.until]
    own = PRIEST if each.role == PRIEST else ""
    return [(start, end, own or name) for (start, name), end in zip(starts, ends, strict=False)]


def _measures(run: Spread, life: PlayerLife, player: str) -> list[tuple[str, str]]:
    """What is measured of one: (what, value)."""
    each = _believer(run, player)
    rows = [("town", each.town or "the land"), ("level", each.group), ("said of the faith", str(each.spoken)),
            ("heard of the faith", str(each.exposures))]  # fmt: skip
    if each.critical is not None and each.is_convert:
        rows.append(("heard it first from", f"{each.critical.speaker}, {each.critical.t_s:.0f} s"))
    topics = sorted(run.spreading.memes.times.get(player, {}).items(), key=lambda pair: (-pair[1], pair[0]))
    if topics:
        rows.append(("topics", ", ".join(name for name, _ in topics[:3])))
    return [(visible(what), visible(value)) for what, value in rows]
