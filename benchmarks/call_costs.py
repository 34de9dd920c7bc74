"""Processor time of Accord for each call of a model in a study, and its ratio to that of an earlier commit.

Both commits play a short and a long repeated game in turn, against a server that answers at once in a process of its
own. The difference of the two games, divided by the calls that the long one has more, is the cost of a call: the
prompt, request and answer, the metering, the record, and the round that it decides. The earlier commit is the last
before answers had typed forms.

Run: `python benchmarks/call_costs.py [--against COMMIT] [--times 5] [--json FILE]`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.models import Served
from benchmarks.startup import ROOT, checkout_of, measure

COMMIT = "e62194f6"
SHORT, LONG = 20, 220
"""Rounds of the two games; each takes two calls."""
ANSWER = json.dumps({"why": "it pays both of us", "choice": "cooperate"})


def call_cost_ms(checkout: Path, folder: Path, base_url: str) -> float:
    """Return the processor time of a call with the code of `checkout`, in milliseconds. Raises SystemExit."""
    command = (
        "accord run prisoners-dilemma --agents chooser --model openai/fake --world mock --no-report "
        f"--base-url {base_url} --out {folder}/runs --repeat"
    )
    short, long = (measure(f"{command} {rounds}", checkout, folder).cpu_s for rounds in (SHORT, LONG))
    return (long - short) * 1000 / (2 * (LONG - SHORT))


def main() -> None:
    """Measure, and print the medians of both commits and of the ratios of turns that followed each other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default=COMMIT, metavar="COMMIT")
    parser.add_argument("--times", type=int, default=5, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    os.environ["OPENAI_API_KEY"] = "none-needed"
    with (
        Served(0.0, ANSWER) as server,
        tempfile.TemporaryDirectory() as name,
        checkout_of(options.against, Path(name)) as earlier,
    ):
        pairs = [
            [call_cost_ms(checkout, Path(name), server.base_url) for checkout in (ROOT, earlier)]
            for _ in range(options.times)
        ]
    now, then = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    ratio = statistics.median(one / other for one, other in pairs)
    print(f"CPU of a call: {now:.2f} ms now, {then:.2f} ms at {options.against}: ratio {ratio:.2f}")
    if options.json:
        found = {"against": options.against, "now_ms": now, "earlier_ms": then, "ratio": ratio, "pairs_ms": pairs}
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
