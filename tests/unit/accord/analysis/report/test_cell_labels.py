"""Reports without horizontal scrolling on phone and desktop, measured in a browser if one is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from accord.analysis.report import write_report
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run
from tests.unit.dilemmas.scenarios.ada.scene import played

PHONE = 390
DESK = 1400
BROWSER = shutil.which("chromium")
LOOK = """
<script>
const page = document.documentElement;
const wide = [...document.querySelectorAll("body *")].filter((each) => {
  const style = getComputedStyle(each);
  const scrolls = ["auto", "scroll"].includes(style.overflowX) && each.clientWidth > 0;
  return scrolls && each.scrollWidth > each.clientWidth + 1;
});
document.title = JSON.stringify([page.clientWidth, page.scrollWidth, wide.map((each) => each.className)]);
</script>
"""


@pytest.mark.skipif(BROWSER is None, reason="no chromium here: apt-get install chromium")
def test_nothing_scrolls_sideways_on_a_phone(tmp_path: Path) -> None:
    long = "a_very_long_name_without_any_room_" * 6
    said = (
        log.ChatEvent(sender="Gizmo", text=long, t_s=1.0),
        log.PlacesSeen(t_s=0.0, at={"Gizmo": (0.5, -60, 0.5)}),
        log.PlacesSeen(t_s=1.0, at={"Gizmo": (9.5, -60, 0.5)}),
        log.Critique(player="Gizmo", text=long),
    )
    turn = log.NegotiationTurn(turn=1, speaker="Gizmo", message=long, thought=long)
    own = {f"measure_{number}": {"Gizmo": 1.0} for number in range(2)}
    for seed in (0, 1):
        write_run(tmp_path / f"none-{seed}", Story(condition="none", seed=seed, items=GREEDY, measures=own))
        told = Story(
            condition=long, seed=seed, contract="double_vein_1", transfer=11 + seed, extra=said, turns=(turn,),
            measures=own, source=f"async function play(bot) {{ /* {long} */ }}",
        )  # fmt: skip
        write_run(tmp_path / f"long-{seed}", told)
    client, scroll, wide = measured(
        write_report([tmp_path], tmp_path).html.read_text(encoding="utf-8"), PHONE, tmp_path
    )
    # A scroll bar may take some of the width.
    assert PHONE - 20 <= client <= PHONE
    assert (scroll, wide) == (client, [])


@pytest.mark.skipif(BROWSER is None, reason="no chromium here: apt-get install chromium")
async def test_no_table_of_four_players_is_clipped_on_a_wide_screen(tmp_path: Path) -> None:
    for condition in ("none", "contract-1"):
        await played("ada-contract", tmp_path / condition, contracts=(condition,), time_limit_s=4)
    page = write_report([tmp_path], tmp_path).html.read_text(encoding="utf-8")
    assert page.count("carpenter_0</th>") >= 1
    # Realistic maximum width of a number: with an interval and a contract's transfer.
    number = re.compile(r'(<td[^>]* class="n"[^>]*>)[^<]*(?:<span class="range">[^<]*</span>)*')
    long = (
        r'\g<1>12345.67<span class="range">[-12345.67, 12345.67]</span><span class="range">-1234.5 by contract</span>'
    )
    client, scroll, wide = measured(number.sub(long, page), DESK, tmp_path)
    assert client > DESK - 20
    assert (scroll, wide) == (client, [])


def measured(page: str, width: int, folder: Path) -> tuple[int, int, list[str]]:
    """Render the page in a frame of `width`. Return the page's width, its content's width, and classes that scroll."""
    # An injected script, which the page's own policy would forbid, opens and measures everything.
    opened = re.sub(r"<meta http-equiv[^>]*>", "", page).replace("<details", "<details open").replace("</body>", LOOK)
    (folder / "page.html").write_text(opened, encoding="utf-8")
    frame = f'<iframe id="f" src="page.html" width="{width}" height="800" style="border:0"></iframe>'
    onload = "f.onload = () => document.body.append(f.contentDocument.title)"
    (folder / "frame.html").write_text(f"<body>{frame}<script>{onload}</script></body>", encoding="utf-8")
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
        f"--user-data-dir={folder / 'browser'}", "--virtual-time-budget=20000", "--dump-dom",
        (folder / "frame.html").as_uri(),
    ]  # fmt: skip
    shown = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found = re.search(r"</script>\[(\d+),(\d+),(\[.*?\])\]", shown)
    assert found is not None, shown[-500:]
    return int(found[1]), int(found[2]), json.loads(found[3])
