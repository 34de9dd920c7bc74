"""Every path that the documentation names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ROOMS = (
    "bridge benchmarks contracts dilemmas docs engine examples grid_games server_config skills_js tests voyager_agents"
)
NAMED = re.compile(rf"(?<![\w./-])((?:{'|'.join(ROOMS.split())})/[\w./@*-]*[\w/*])")
FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)")
SHOWN = {
    "docs/adding-a-primitive.md": {"skills_js/primitives/jumpUp.js"},
    "docs/adding-a-mode.md": {"dilemmas/modes/relay.py"},
    "docs/adding-agents.md": {"voyager_agents/terse.py"},
}
"""Page -> what its example adds, which is not there before."""


def missing(text: str, folder: Path) -> list[str]:
    """What leads nowhere on a page in that folder: links, and paths from the project's root in its code."""
    prose = FENCE.sub("", text)
    code = [*FENCE.findall(text), *SPAN.findall(prose)]
    paths = {path for each in code for path in NAMED.findall(each)}
    links = {link for link in LINK.findall(SPAN.sub("", prose)) if "://" not in link}
    lost = {path for path in paths if not any(ROOT.glob(path.rstrip("/")))}
    return sorted(lost | {link for link in links if not (folder / link).exists()})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_on_a_page_exists(page: Path) -> None:
    shown = SHOWN.get(str(page.relative_to(ROOT)), set())
    lost = missing(page.read_text(encoding="utf-8"), page.parent)
    assert [path for path in lost if not any(path.startswith(each) for each in shown)] == []


def test_a_wrong_path_would_be_seen() -> None:
    text = "`bridge/nowhere.py`, [a page](nowhere.md#part), `bridge/worlds.py`, [us](house.md)"
    page = f"{text}\n```bash\nls docs/none\n```\n"
    assert missing(page, ROOT / "docs") == ["bridge/nowhere.py", "docs/none", "nowhere.md"]
