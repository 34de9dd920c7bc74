"""Export of a record as one file: complete, bounded, without network resources or text that closes a script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from accord.viewer.export import bundle, export
from accord.viewer.responses import PAGE
from dilemmas.errors import UsageError
from tests.unit.accord.viewer.records import ATTACKS, a_life

SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)


def held(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(SCRIPT.findall(text)[0][1])
    return data


def part(data: dict[str, Any], name: str) -> Any:  # noqa: ANN401
    return json.loads(zlib.decompress(base64.b64decode(data["parts"][name])))


def test_a_file_holds_the_record_and_only_its_own_script_may_run(tmp_path: Path) -> None:
    run = a_life(tmp_path / "run", list(ATTACKS), list(ATTACKS))
    written = export([run], tmp_path / "out.html", 10**7)
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert written.size == len(text.encode())
    scripts = SCRIPT.findall(text)
    # Only the data and the page's own script; the record's text has created no other.
    assert [attributes for attributes, _ in scripts] == [' id="held" type="application/json"', ' type="module"']
    digest = base64.b64encode(hashlib.sha256(scripts[1][1].encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'sha256-" in text
    assert "src=" not in text.replace(ATTACKS[1], "")
    data = held(text)
    assert {row[4] for row in part(data, "words")} == set(ATTACKS)
    assert len(part(data, "calls")) == len(ATTACKS)
    assert written.left_out == ""


def test_prompts_are_left_out_when_they_are_not_wanted(tmp_path: Path) -> None:
    run = a_life(tmp_path / "run", ["Ada"], ["a secret prompt"])
    written = export([run], tmp_path / "out.html", 10**7, prompts=False)
    data = held((tmp_path / "out.html").read_text(encoding="utf-8"))
    assert part(data, "calls") == {}
    assert "prompts" in written.left_out


def test_a_file_is_no_larger_than_it_may_be(tmp_path: Path) -> None:
    run = a_life(tmp_path / "run", [f"Agent{number}" for number in range(60)], ["hello"], seconds=120)
    whole = export([run], tmp_path / "whole.html", 10**7)
    small = export([run], tmp_path / "small.html", whole.size - 5000)
    assert small.size <= whole.size - 5000
    assert "details" in small.left_out
    with pytest.raises(UsageError, match=r"does not fit into 0\.05 MB"):
        export([run], tmp_path / "none.html", 50_000)
    assert not (tmp_path / "none.html").exists()


def test_one_run_is_exported(tmp_path: Path) -> None:
    a_life(tmp_path / "runs" / "a", ["Ada"], ["hi"])
    a_life(tmp_path / "runs" / "b", ["Ada"], ["hi"])
    with pytest.raises(UsageError, match="takes one run, and there are 2"):
        export([tmp_path / "runs"], tmp_path / "out.html", 10**7)


def test_the_modules_can_be_put_one_behind_the_other() -> None:
    # The page of a human player is no part of an exported record, and a file cannot give itself a worker.
    own = [path for path in PAGE.glob("*.mjs") if not path.name.startswith("seat") and path.name != "mesh_worker.mjs"]
    modules = {path.name: path.read_text(encoding="utf-8") for path in own}
    names = re.findall(
        r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", "\n".join(modules.values()), re.MULTILINE
    )
    assert len(names) == len(set(names))
    text = bundle(modules)
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)
    assert all(f" {name}" in text for name in names)
    assert "</script" not in text
