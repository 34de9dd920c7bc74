"""The diagrams of the documentation as SVG: `python docs/diagrams.py` writes them to docs/images/.

A diagram is data: columns of participants and messages between them from top to bottom, or layers of packages.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

IMAGES = Path(__file__).with_name("images")
COLUMN, ROW, BOX, HEAD = 150, 34, 132, 54
"""Width of a column, height of a row, width and height of a box at the top, in pixels."""

SEQUENCES = {
    "program": (
        ["Agent", "Mode", "World", "Supervisor (Node)", "Bot host (Node)", "Isolate", "Minecraft server"],
        [
            (0, 1, "source of a program"),
            (1, 2, "run(policies, limits)"),
            (2, 3, "submit(job), as JSON"),
            (3, 4, "a JSON line"),
            (4, 5, "bot facade and program"),
            (5, 4, "read, act: the host API"),
            (4, 6, "mineflayer's packets"),
            (6, 4, "what changed in the world"),
            (4, 5, "answers and events"),
            (5, 4, "end of the program"),
            (4, 3, "events, result"),
            (3, 2, "poll(cursor)"),
            (2, 1, "PolicyResult, events"),
            (1, 0, "next observation"),
        ],
    ),
    "model-call": (
        ["Part of an agent", "MeteredModel", "Budget", "Client", "Endpoint", "calls.jsonl"],
        [
            (0, 1, "complete(messages)"),
            (5, 1, "the recorded answer, if resumed"),
            (1, 2, "reserve tokens, dollars"),
            (1, 3, "messages and settings"),
            (3, 4, "HTTP, with retries"),
            (4, 3, "text and usage"),
            (3, 1, "Reply: text, usage, end"),
            (1, 2, "book what was used"),
            (1, 5, "one line per call"),
            (1, 0, "Reply, parsed strictly"),
        ],
    ),
    "record": (
        ["Run", "events.jsonl", "result.json", "accord resume", "report, view", "accord verify"],
        [
            (0, 1, "events, in order of seq"),
            (0, 2, "measures, at the end"),
            (1, 3, "state at the last event"),
            (3, 0, "go on to the same end"),
            (1, 4, "steps, figures, the page"),
            (2, 4, "summaries and tests"),
            (1, 5, "play again, compare bytes"),
        ],
    ),
}
"""Name -> participants, and messages (from, to, label) in order of time."""

LAYERS = [
    ["accord"],
    ["dilemmas"],
    ["voyager_agents", "grid_games"],
    ["contracts"],
    ["bridge (Python)"],
    ["common"],
]
NODE_LAYERS = [["bridge (JavaScript)"], ["skills_js"], ["engine"]]
"""Packages from the top: each imports only those below it."""

STYLE = (
    "text{font:13px sans-serif;fill:#1b1f24}.b{fill:#eef3f8;stroke:#5b7083}.l{stroke:#b6c2cd;stroke-dasharray:3 4}"
    ".a{stroke:#2f5d8a;stroke-width:1.5;marker-end:url(#m)}"
    ".s{font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:4px}"
)
HEADER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    'role="img">'
    "<title>{title}</title><style>{style}</style><defs><marker id='m' viewBox='0 0 8 8' refX='7' refY='4' "
    "markerWidth='7' "
    "markerHeight='7' orient='auto'><path d='M0 0L8 4L0 8z' fill='#2f5d8a'/></marker></defs>"
    '<rect width="100%" height="100%" fill="#fff"/>'
)


def box(x: float, y: float, width: float, text: str) -> str:
    """Return a box with centred text; `x` and `y` are its upper left corner in pixels."""
    shape = f'<rect class="b" x="{x}" y="{y}" width="{width}" height="34" rx="5"/>'
    return shape + f'<text x="{x + width / 2}" y="{y + 22}" text-anchor="middle">{escape(text)}</text>'


def sequence(title: str, participants: list[str], messages: list[tuple[int, int, str]]) -> str:
    """Return a sequence diagram as SVG: time runs downwards."""
    width, height = COLUMN * len(participants) + 10, HEAD + ROW * len(messages) + 20
    parts = [HEADER.format(width=width, height=height, title=escape(title), style=STYLE)]
    middles = [COLUMN * number + COLUMN / 2 + 5 for number in range(len(participants))]
    for middle, name in zip(middles, participants, strict=True):
        parts.append(f'<line class="l" x1="{middle}" y1="40" x2="{middle}" y2="{height - 8}"/>')
        parts.append(box(middle - BOX / 2, 6, BOX, name))
    for number, (source, target, label) in enumerate(messages):
        y = HEAD + ROW * number + 24
        ends = (middles[source], middles[target])
        parts.append(f'<line class="a" x1="{ends[0]}" y1="{y}" x2="{ends[1]}" y2="{y}"/>')
        parts.append(f'<text class="s" x="{sum(ends) / 2}" y="{y - 7}" text-anchor="middle">{escape(label)}</text>')
    return "".join([*parts, "</svg>\n"])


def layers(title: str) -> str:
    """Return the packages as layers, Python on the left and JavaScript on the right."""
    width, step = 760, 58
    height = step * len(LAYERS) + 10
    parts = [HEADER.format(width=width, height=height, title=escape(title), style=STYLE)]
    for left, room, columns in ((10, 440, LAYERS), (510, 240, NODE_LAYERS)):
        first = len(LAYERS) - len(columns)
        for number, names in enumerate(columns, first):
            share = room / len(names)
            parts += [box(left + share * index, step * number + 8, share - 8, name) for index, name in enumerate(names)]
            if number < len(LAYERS) - 1:
                x, y = left + room / 2, step * number + 43
                parts.append(f'<line class="a" x1="{x}" y1="{y}" x2="{x}" y2="{y + 21}"/>')
    return "".join([*parts, "</svg>\n"])


def diagrams() -> dict[str, str]:
    """Return all diagrams: name of the file -> SVG."""
    found = {f"{name}.svg": sequence(f"The way of a {name}", *each) for name, each in SEQUENCES.items()}
    return {**found, "packages.svg": layers("Packages, each importing only those below it")}


if __name__ == "__main__":
    for name, text in diagrams().items():
        (IMAGES / name).write_text(text, encoding="utf-8")
