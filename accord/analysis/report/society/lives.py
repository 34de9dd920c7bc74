"""Pages of a society's agents; no scripts, every word of the record is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from accord.analysis.claims import number
from accord.analysis.report.maps import Map, map_of
from accord.analysis.report.section import TranscriptLinks
from accord.analysis.report.society.findings import SocietyFindings, SocietyRun, colour_of
from accord.analysis.report.templating import environment
from accord.analysis.report.text import visible
from dilemmas.scenarios.societies import mind, roles
from dilemmas.scenarios.societies.lives import PlayerLife

KINDS: Mapping[str, str] = {
    "goal": "goal", "decision": "decides", "words": "says", "deed": "does", "reflex": "reflex", "trouble": "trouble",
}  # fmt: skip
"""Kind of an entry -> its name on the page."""


def map_of_run(run: SocietyRun) -> Map | None:
    """Return the map of all agents' paths, or None if places are unknown."""
    episode = next((each for each in reversed(run.run.episodes) if each.ways), None)
    return None if episode is None else map_of(episode, list(run.histories.lives))


def life_pages(findings: SocietyFindings, links: TranscriptLinks) -> Iterator[tuple[str, str]]:
    """Yield (path relative to the report, HTML) for every agent of every run."""
    template = environment().get_template("life.html.j2")
    colours = colour_of(findings)
    for run in (run for society in findings.societies for run in society.runs):
        names, drawn, steps = list(run.histories.lives), map_of_run(run), dict(links.get(run.run.name, ()))
        for place, (player, life) in enumerate(run.histories.lives.items()):
            yield path_of(run, player), template.render(
                player=player, life=life, run=run, colours=colours, kinds=KINDS, spells=_spells(run, player),
                measures=_measures(run, life, player), until=run.histories.until or 1.0, path_of=path_of,
                map=_alone(drawn, player), mind=steps.get(player),
                before=names[place - 1] if place else None, after=names[place + 1] if place + 1 < len(names) else None,
            )  # fmt: skip


def _alone(drawn: Map | None, player: str) -> Map | None:
    """Return the map with only the player's path, or None without one."""
    tracks = tuple(track for track in drawn.tracks if track.player == player) if drawn else ()
    return replace(drawn, tracks=tracks) if drawn and tracks else None


def path_of(run: SocietyRun, player: str) -> str:
    """Return the path of the agent's page relative to the report. Names of agents are untrusted."""
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in player)
    return f"{run.folder}/{safe or 'agent'}.html"


def _spells(run: SocietyRun, player: str) -> list[tuple[float, float, str]]:
    steps = run.strips.get(player, ())
    return roles.spells(steps, run.histories.until) if steps else []


def _measures(run: SocietyRun, life: PlayerLife, player: str) -> list[tuple[str, str]]:
    """Return the measures of one life as (name, value)."""
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
