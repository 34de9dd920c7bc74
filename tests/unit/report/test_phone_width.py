"""Nothing of a report scrolls sideways on a phone: measured in a browser, where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dilemmas.analysis.report import write_report
from dilemmas.records import events as log
from tests.unit.report.synthetic import GREEDY, Story, write_run

PHONE = 390
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
    page = write_report([tmp_path], tmp_path).html.read_text(encoding="utf-8")
    # Everything is opened, and a script that the page itself would not allow measures it in a frame of a phone's width.
    opened = re.sub(r"<meta http-equiv[^>]*>", "", page).replace("<details", "<details open").replace("</body>", LOOK)
    (tmp_path / "phone.html").write_text(opened, encoding="utf-8")
    frame = f'<iframe id="f" src="phone.html" width="{PHONE}" height="800" style="border:0"></iframe>'
    onload = "f.onload = () => document.body.append(f.contentDocument.title)"
    (tmp_path / "frame.html").write_text(f"<body>{frame}<script>{onload}</script></body>", encoding="utf-8")
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
        f"--user-data-dir={tmp_path / 'browser'}", "--virtual-time-budget=20000", "--dump-dom",
        (tmp_path / "frame.html").as_uri(),
    ]  # fmt: skip
    shown = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found = re.search(r"</script>\[(\d+),(\d+),(\[.*?\])\]", shown)
    assert found is not None, shown[-500:]
    # A scroll bar may take some of the width.
    assert PHONE - 20 <= int(found[1]) <= PHONE
    assert (int(found[2]), found[3]) == (int(found[1]), "[]")
