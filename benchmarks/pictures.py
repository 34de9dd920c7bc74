"""The pictures of reports in README and docs, made from runs of today.

    accord run double-vein --contract none --contract contract-1 --contract contract-2 --out runs/picture-1
    python benchmarks/pictures.py runs/picture-1 docs/images/report.png --until Welfare
    accord run village --world mock --contract normal --contract martial --contract artistic --contract ablated \\
        --runs 3 --jobs 2 --out runs/picture-2
    python benchmarks/pictures.py runs/picture-2 docs/images/village.png --until "Distribution of roles" --width 805

A picture is the newest report below that folder as Chromium shows it, from its top to the end of that section. Nothing
is painted or cut by hand; look at it before it is committed.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.fakes.browser import Page, browser

MARGIN = 8
"""Pixels below the section."""
END = """(() => {
  const wanted = %s
  const heads = [...document.querySelectorAll('h2')]
  const place = heads.findIndex((each) => each.textContent.trim() === wanted)
  if (place < 0) return 0
  const next = heads[place + 1]
  const boxes = [...document.querySelectorAll('body *')].map((each) => each.getBoundingClientRect())
  const top = next ? next.getBoundingClientRect().top : Infinity
  return scrollY + Math.max(...boxes.filter((box) => box.height && box.bottom <= top).map((box) => box.bottom))
})()"""


def newest_report(folder: Path) -> Path:
    """Return the youngest report below that folder. Raises SystemExit where there is none."""
    reports = sorted(folder.rglob("report.html"), key=lambda each: each.stat().st_mtime)
    if not reports:
        raise SystemExit(f"{folder}: no report.html below it; play a study with --out {folder}")
    return reports[-1]


def picture(page: Page, report: Path, until: str, width: int) -> bytes:
    """Return the top of the report as PNG. Raises SystemExit where it has no such section."""
    page.open(report.resolve().as_uri())
    page.until("document.readyState === 'complete' && document.querySelector('h2') !== null")
    end = page.run(END % json.dumps(until))
    if not end:
        heads = page.run("[...document.querySelectorAll('h2')].map((each) => each.textContent.trim())")
        raise SystemExit(f"--until {until!r}: {report} has the sections {', '.join(heads)}")
    clip = {"x": 0, "y": 0, "width": width, "height": end + MARGIN, "scale": 1}
    shot = page.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
    return base64.b64decode(shot["data"])


def main() -> None:
    """Read, show, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--until", default="Welfare", help="the last section that is shown")
    parser.add_argument("--width", type=int, default=1059)
    given = parser.parse_args()
    with browser(width=given.width, height=1000) as page:
        given.out.write_bytes(picture(page, newest_report(given.runs), given.until, given.width))
    print(f"{given.out}: {given.out.stat().st_size // 1024} KB; look at it")


if __name__ == "__main__":
    main()
