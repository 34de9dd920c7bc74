"""Paths named in the documentation, and files named in comments of the source, exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ROOMS = (
    "accord bridge benchmarks common contracts dilemmas docs engine examples grid_games server_config skills_js tests "
    "voyager_agents"
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
"""Page -> files that its example adds."""


def missing(text: str, folder: Path) -> list[str]:
    """Return the dead links of a page in a folder, and the missing paths from the project's root in its code."""
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


FILE = re.compile(r"(?<![\w./@*{}<>-])((?:[\w-]+/)*[\w-]+\.(?:py|m?js|d\.ts|yaml|css|j2))\b(?![/:*(])")
COMMENTS = {
    ".py": re.compile(r'"""(.*?)"""|#\s(.*?)$', re.DOTALL | re.MULTILINE),
    ".js": re.compile(r"/\*\*?(.*?)\*/|(?<![:'\"`\w])//\s(.*?)$", re.DOTALL | re.MULTILINE),
}
COMMENTS[".mjs"] = COMMENTS[".ts"] = COMMENTS[".js"]
ELSEWHERE = re.compile(
    r"node_modules|^(?:config|league|scenarios)\.yaml$|(?:PLAYER|NAME)\.js$|^lib/plugins/physics|^own\w*\.py$|^my_\w+|^prismarine|^mineflayer"
)
"""Files of records, of users in examples, and of packages."""


def tracked() -> list[Path]:
    """Return the files of the project that git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).is_file()]


def named_in_comments(path: Path) -> set[str]:
    """Return the file names in the comments and docstrings of a source file."""
    text = path.read_text(encoding="utf-8", errors="replace")
    comments = ("".join(each) for each in COMMENTS[path.suffix].findall(text))
    return {name for comment in comments for name in FILE.findall(comment) if not ELSEWHERE.search(name)}


def test_every_file_that_a_comment_names_exists() -> None:
    files = tracked()
    known = {f"/{path.relative_to(ROOT)}" for path in files}
    sources = [path for path in files if path.suffix in COMMENTS and path.relative_to(ROOT).parts[0] in ROOMS.split()]
    assert len(sources) > 1000
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources
        for name in named_in_comments(path)
        if not any(each.endswith(f"/{name}") for each in known)
    }
    assert sorted(wrong) == []
