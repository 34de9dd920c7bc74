"""The pages of a society's report: one of all, and one per agent; no scripts, every word of the record escaped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from markupsafe import Markup

from accord.analysis.report.comparison import number
from accord.analysis.report.maps import Map, map_of
from accord.analysis.report.minds import Links
from accord.analysis.report.page import environment, framed
from accord.analysis.report.phone import labelled
from accord.analysis.report.society.figures import FIGURES, colour_of, usual
from accord.analysis.report.society.findings import MEASURES, PUBLISHED_ONLY, Findings, Lived
from accord.analysis.report.society.headline import headline
from accord.analysis.report.text import visible
from dilemmas.scenarios.societies import mind, roles
from dilemmas.scenarios.societies.lives import PlayerLife

KINDS: Mapping[str, str] = {
    "goal": "goal", "decision": "decides", "words": "says", "deed": "does", "reflex": "reflex", "trouble": "trouble",
}  # fmt: skip
"""Kind of an entry -> what it is called."""


def society_page(found: Findings, dresses: Mapping[str, Mapping[str, str]], minds: Links, chapter: str = "") -> str:
    """The report's page. `dresses` are the figures' SVG texts: light, dark, and both for phones; `minds` are the
    transcripts' pages; `chapter` is what this kind of society has to tell beside roles and minds, as HTML."""
    template = environment().get_template("society.html.j2")
    return labelled(
        template.render(
            found=found, comparison=found.comparison, figures=framed(FIGURES, dresses), measures=MEASURES,
            published=PUBLISHED_ONLY, sentence=headline(found), colours=colour_of(found), nobody=roles.NOBODY,
            file_of=file_of, minds=minds, maps=_maps(found), chapter=Markup(chapter),
        )
    )  # fmt: skip


def _maps(found: Findings) -> list[tuple[str, Map, Mapping[str, str]]]:
    """(society, map of its first run, player -> the role that it had most of the time), where places are known."""
    shown = ((society.name, where(society.runs[0]), society.runs[0].strips) for society in found.societies)
    return [
        (name, drawn, {who: usual(steps) for who, steps in strips.items()}) for name, drawn, strips in shown if drawn
    ]


def where(run: Lived) -> Map | None:
    """Where everybody went; None where places are not known."""
    episode = next((each for each in reversed(run.run.episodes) if each.ways), None)
    return None if episode is None else map_of(episode, list(run.chronicle.lives))


def life_pages(found: Findings, minds: Links) -> dict[str, str]:
    """File name -> page, of every agent of every run."""
    template = environment().get_template("life.html.j2")
    colours = colour_of(found)
    pages = {}
    for run in (run for society in found.societies for run in society.runs):
        names, drawn, steps = list(run.chronicle.lives), where(run), dict(minds.get(run.run.name, ()))
        for place, (player, life) in enumerate(run.chronicle.lives.items()):
            pages[file_of(run, player)] = template.render(
                player=player, life=life, run=run, colours=colours, kinds=KINDS, spells=_spells(run, player),
                measures=_measures(run, life, player), until=run.chronicle.until or 1.0, file_of=file_of,
                map=_alone(drawn, player), mind=steps.get(player),
                before=names[place - 1] if place else None, after=names[place + 1] if place + 1 < len(names) else None,
            )  # fmt: skip
    return pages


def _alone(drawn: Map | None, player: str) -> Map | None:
    """The map with that player's way alone; None where it has none."""
    tracks = tuple(track for track in drawn.tracks if track.player == player) if drawn else ()
    return replace(drawn, tracks=tracks) if drawn and tracks else None


def file_of(run: Lived, player: str) -> str:
    """Where that agent's page is, from the report's folder; names of agents are hostile."""
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in player)
    return f"{run.folder}/{safe or 'agent'}.html"


def _spells(run: Lived, player: str) -> list[tuple[float, float, str]]:
    steps = run.strips.get(player, ())
    return roles.spells(steps, run.chronicle.until) if steps else []


def _measures(run: Lived, life: PlayerLife, player: str) -> list[tuple[str, str]]:
    """What is measured of one life: (what, value)."""
    lasting = roles.persistence(run.strips.get(player, ()))
    reacted = mind.reactions(life)
    rows: list[tuple[str, str]] = [
        ("goals", str(len(life.goals))), ("decisions", str(len(life.choices))), ("acts", str(len(life.acts))),
        ("said", str(len(life.words))),
    ]  # fmt: skip
    if lasting is not None:
        rows.append(("role kept", f"{100 * lasting:.0f} %"))
    if reacted:
        rows.append(("from event to act", f"{number(sum(reacted) / len(reacted))} s"))
    calls = sum(count for count, _ in life.calls.values())
    if calls:
        rows.append(("model calls", f"{calls}, {sum(tokens for _, tokens in life.calls.values())} tokens"))
    return [(visible(what), visible(value)) for what, value in rows]
