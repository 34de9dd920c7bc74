"""Environment for verifiers: two episodes of the local model, by the real package in a Python of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from voyager_agents.models.local.settings import EngineOptions, local_spec
from voyager_agents.models.local.shared_engine import EngineUse

pytestmark = [pytest.mark.local_model, pytest.mark.usefixtures("local_model")]
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "verifiers"
VERIFIERS = os.environ.get("ACCORD_VERIFIERS")
"""Python that has verifiers, which needs another version of `openai` than Accord."""
EVALUATE = "from verifiers.v1.cli.eval.main import main; main()"


@pytest.mark.skipif(
    not VERIFIERS,
    reason="VERIFIERS IS NOT TESTED: set ACCORD_VERIFIERS to a Python with verifiers 0.4, as .ci/run does",
)
def test_seats_play_a_rollout_each_with_a_trace_and_a_reward_of_its_own(tmp_path: Path) -> None:
    engine = EngineUse(local_spec(None, EngineOptions(cache=1, threads=1)))
    served = [sys.executable, "-m", "accord.cli", "env", "serve", "stag-hunt", "--seat", "all", "--repeat", "2",
              "--out", str(tmp_path / "runs")]  # fmt: skip
    with subprocess.Popen(served, stderr=subprocess.PIPE, text=True) as process:
        try:
            record = engine.acquire()
            assert process.stderr is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/\S+/", process.stderr.readline())
            assert found
            played = subprocess.run(
                [str(VERIFIERS), "-c", EVALUATE, "accord-scenario", "--model", "local", "-n", "2", "--no-push",
                 "--no-rich", "--client.base-url", record.url, "--client.api-key-var", "ENGINE_KEY",
                 "--env.agent.harness.forms", "true", "--sampling.max-tokens", "200", "-o", str(tmp_path / "traces")],
                env={**os.environ, "PYTHONPATH": str(EXAMPLE), "ACCORD_ENV_URL": found[0],
                     "ENGINE_KEY": record.api_key},
                capture_output=True, text=True, timeout=600, check=False,
            )  # fmt: skip
        finally:
            process.terminate()
            engine.release()
    assert played.returncode == 0, played.stdout + played.stderr
    (file,) = (tmp_path / "traces").glob("*/traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert found[0] not in file.read_text(encoding="utf-8")
    traces = [trace for episode in episodes for trace in episode["traces"]]
    assert sorted((trace["task"]["data"]["seed"], trace["task"]["data"]["seat"]) for trace in traces) == [
        (seed, seat) for seed in (0, 1) for seat in ("Gizmo", "Glitch")
    ]
    for trace in traces:
        result = trace["info"]["accord"]
        assert result["status"] == "complete"
        assert trace["rewards"]["payoff"]["score"] == result["rewards"][trace["task"]["data"]["seat"]]
        assert 0 <= trace["metrics"]["cooperation"] <= 1
