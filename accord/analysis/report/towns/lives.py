"""Pages of the people of a society of towns; no scripts, every word of the record is escaped."""

from __future__ import annotations

from collections.abc import Iterator

from accord.analysis.report.society.lives import KINDS
from accord.analysis.report.templating import environment
from accord.analysis.report.text import visible
from accord.analysis.report.towns.findings import COLOURS, SpreadingRun, TownFindings
from dilemmas.scenarios.societies.exposures import PRIEST, Believer
from dilemmas.scenarios.societies.lives import PlayerLife


def life_pages(findings: TownFindings) -> Iterator[tuple[str, str]]:
    """Yield (path relative to the report, HTML) for every person of every run."""
    template = environment().get_template("life.html.j2")
    for run in findings.runs:
        lives = run.run.lives.lives if run.run.lives is not None else {}
        names = list(lives)
        for place, (player, life) in enumerate(lives.items()):
            yield path_of(run, player), template.render(
                player=player, life=life, run=run, colours=COLOURS, kinds=KINDS, spells=_spells(run, player),
                measures=_measures(run, life, player), until=run.spreading.until or 1.0, path_of=path_of,
                cut=run.run.lives.shown_s if run.run.lives is not None else None,
                heading="Levels", none="It never said a word of the faith.", mind=None, map=None,
                before=names[place - 1] if place else None, after=names[place + 1] if place + 1 < len(names) else None,
            )  # fmt: skip


def path_of(run: SpreadingRun, player: str) -> str:
    """Return the path of the person's page relative to the report. Names of agents are untrusted."""
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in player)
    return f"{run.folder}/{safe or 'agent'}.html"


def _believer(run: SpreadingRun, player: str) -> Believer:
    return run.spreading.exposures.people.get(player, Believer())


def _spells(run: SpreadingRun, player: str) -> list[tuple[float, float, str]]:
    each = _believer(run, player)
    starts = [(rise.t_s, "direct" if rise.level > 1 else "indirect") for rise in each.rises]
    ends = [start for start, _ in starts[1:]] + [run.spreading.until]
    own = PRIEST if each.role == PRIEST else ""
    return [(start, end, own or name) for (start, name), end in zip(starts, ends, strict=False)]


def _measures(run: SpreadingRun, life: PlayerLife, player: str) -> list[tuple[str, str]]:
    """Return the measures of one life as (name, value)."""
    each = _believer(run, player)
    rows = [("town", each.town or "the land"), ("level", each.group), ("said of the faith", str(each.spoken)),
            ("heard of the faith", str(each.exposures))]  # fmt: skip
    if each.critical is not None and each.is_convert:
        rows.append(("heard it first from", f"{each.critical.speaker}, {each.critical.t_s:.0f} s"))
    topics = sorted(run.spreading.memes.times.get(player, {}).items(), key=lambda pair: (-pair[1], pair[0]))
    if topics:
        rows.append(("topics", ", ".join(name for name, _ in topics[:3])))
    return [(visible(what), visible(value)) for what, value in rows]
