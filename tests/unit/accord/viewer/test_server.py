"""Page server, which answers only on this machine, only with the token, and never with markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.viewer.responses import MESHER, PAGE, PAGE_POLICY, POLICY
from accord.viewer.run_catalog import RunCatalog, _find_calls
from accord.viewer.server import Site
from accord.viewer.serving import bind
from dilemmas.errors import UsageError
from tests.unit.accord.viewer.asgi import HOST, get
from tests.unit.accord.viewer.records import ATTACKS, a_life


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    catalog = RunCatalog([a_life(tmp_path_factory.mktemp("runs") / "a", ["Ada", *ATTACKS], list(ATTACKS))])
    site = Site(catalog, token="secret")
    index = catalog.index(0)
    while index.reach()["read"] < index.reach()["size"]:
        index.step()
    yield site
    catalog.close()


def ask(site: Site, path: str, query: str = "") -> Any:  # noqa: ANN401
    status, _, body = get(site, f"/secret/api/{path}", query)
    assert status == 200, body
    return json.loads(body)


@pytest.mark.parametrize("path", ["/", "/secre/", "/secret2/", "/index.html", "/api/runs", "/SECRET/", "/%73ecret2/"])
def test_requests_without_the_token_get_404(site: Site, path: str) -> None:
    status, headers, body = get(site, path)
    assert (status, body) == (404, b"not found")
    assert headers["content-security-policy"] == POLICY


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        (b"evil.example", None),
        (b"evil.example:8000", None),
        (b"", None),
        (HOST, b"http://evil.example"),
        (HOST, b"null"),
    ],
)
def test_another_site_cannot_ask(site: Site, host: bytes, origin: bytes | None) -> None:
    assert get(site, "/secret/api/runs", host=host, origin=origin)[0] == 404


def test_the_page_comes_with_a_strict_policy_and_holds_no_token(site: Site) -> None:
    for path in ("/secret/", "/secret/main.mjs", "/secret/api/runs"):
        status, headers, body = get(site, path, origin=b"http://" + HOST)
        assert status == 200
        assert b"secret" not in body
        assert headers["content-security-policy"] == (PAGE_POLICY if path == "/secret/" else POLICY)
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
    for word in ("unsafe-inline", "unsafe-eval", "http:", "https:", "*", "data:"):
        assert word not in POLICY
        assert word not in PAGE_POLICY
    assert "require-trusted-types-for 'script'; trusted-types 'none'" in POLICY


def test_the_page_has_one_worker_of_its_own_and_no_other_freedom(site: Site) -> None:
    ours, page = POLICY.split("; "), PAGE_POLICY.split("; ")
    assert [each for each in page if each not in ours] == ["worker-src 'self'", f"trusted-types {MESHER}"]
    assert [each for each in ours if each not in page] == ["trusted-types 'none'"]
    made = [path.name for path in PAGE.glob("*.mjs") if "createPolicy" in path.read_text(encoding="utf-8")]
    assert made == ["mesher.mjs"]
    assert get(site, "/secret/mesh_worker.mjs")[1]["content-security-policy"] == POLICY


@pytest.mark.parametrize("at", ["1", "1,2,3", "a,b", "9999999,0", "1,2;x", "1.5,2"])
def test_bad_columns_are_refused(site: Site, at: str) -> None:
    assert get(site, "/secret/api/run/0/columns", f"at={at}")[0] == 404


def test_a_record_without_its_scenario_has_no_land_and_says_why(site: Site) -> None:
    told = ask(site, "run/0/land")
    assert told["able"] is False
    assert "config.yaml cannot be read" in told["why"]
    assert get(site, "/secret/api/run/0/columns", "at=0,0")[0] == 404
    assert get(site, "/secret/api/run/0/skies")[0] == 404


@pytest.mark.parametrize("name", ["../server.py", "..%2fserver.py", "tsconfig.json", "x.mjs", "/etc/passwd"])
def test_no_file_but_the_pages_own(site: Site, name: str) -> None:
    assert get(site, f"/secret/{name}")[0] == 404


def test_words_marks_and_calls_are_json_as_they_were_said(site: Site) -> None:
    words = ask(site, "run/0/words", "before=1000")
    assert {row[4] for row in words} == set(ATTACKS)
    assert get(site, "/secret/api/run/0/words")[1]["content-type"] == "application/json"
    # Wildcards of a pattern are searched literally.
    assert {row[4] for row in ask(site, "run/0/words", "text=%25_!")} == {"%_!"}
    assert {row[4] for row in ask(site, "run/0/words", "who=%27%20OR%201%3D1%20--")} != set()
    calls = ask(site, "run/0/calls", "text=7*7")
    assert [row[3] for row in calls["rows"]] == [ATTACKS.index("{{7*7}}")]
    assert calls["next"] is None
    offset, length = calls["rows"][0][10:12]
    assert ask(site, "run/0/call", f"o={offset}&l={length}")["reply"] == "answer to {{7*7}}"


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("run/7/reach", ""), ("run/0/chunk/99", ""), ("run/0/line", "o=1&l=20"), ("run/0/line", "o=-1&l=20"),
        ("run/0/line", "o=0&l=99999999999"), ("run/0/line", "o=x&l=1"), ("run/0/line", ""), ("run/0/nothing", ""),
        ("run/0/ground", "o=0&l=400"), ("run/0/words", "before=nan"), ("run/0/deeds", ""), ("run/0/chunk/0", "after=x"),
        ("run/0/line", "o=99999999999999999999&l=5"),
    ],
)  # fmt: skip
def test_missing_parts_are_refused_in_one_line(site: Site, path: str, query: str) -> None:
    status, _, body = get(site, f"/secret/api/{path}", query)
    assert status == 404
    assert len(json.loads(body)["error"]) < 80


def test_the_ground_has_colours_and_its_line_is_whole(site: Site) -> None:
    chunk = ask(site, "run/0/chunk/0")
    ref = next(each[3] for each in chunk["changes"] if each[1:3] == ["run", "ground"])
    ground = ask(site, "run/0/ground", f"o={ref[0]}&l={ref[1]}")
    assert ground["colours"] == ["", "#b9d3a0", "#b5b5b5"]
    assert ground["heights"][9] == [10, 0, 10, 3, 10, 0]


def test_only_a_study_of_this_command_is_steered_and_only_by_post(tmp_path: Path) -> None:
    asked: list[str] = []

    def steer(what: str) -> str:
        asked.append(what)
        return "paused"

    catalog = RunCatalog([a_life(tmp_path, ["Ada"], ["hi"])])
    still, steered = Site(catalog, token="secret"), Site(catalog, token="secret", ask=steer)
    assert get(still, "/secret/api/control", "what=end", "POST")[0] == 409
    assert json.loads(get(still, "/secret/api/control")[2]) == {"state": None}
    assert json.loads(get(steered, "/secret/api/control", "what=end")[2]) == {"state": "paused"}
    assert asked == ["state"]
    assert get(steered, "/secret/api/control", "what=rm", "POST")[0] == 409
    assert get(steered, "/secret/api/control", "what=pause", "POST")[0] == 200
    assert asked == ["state", "pause"]
    catalog.close()


def test_a_search_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text("".join(f'{{"n": {number}, "text": "Needle"}}\n{{"text": "hay"}}\n' for number in range(7)))
    found: list[int] = []
    start: int | None = 0
    while start is not None:
        offsets, start = _find_calls(path, "needle", start, most=3)
        found += offsets
    lines = path.read_bytes()
    assert len(found) == 7
    assert all(lines[offset:].startswith(b'{"n": ') for offset in found)
    assert _find_calls(tmp_path / "none", "x", 0) == ([], None)


def test_a_taken_or_invalid_port_is_reported(tmp_path: Path) -> None:
    with bind(None) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"--port {port}: cannot listen there"):
            bind(port)
    with pytest.raises(UsageError, match="--port 99999"):
        bind(99999)


def test_the_page_is_small_and_needs_nothing_from_elsewhere() -> None:
    files = [path for path in PAGE.iterdir() if path.suffix in (".html", ".css", ".mjs", ".svg")]
    assert sum(path.stat().st_size for path in files) < 360_000
    for path in files:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert re.search("https?:|@import", text) is None, path.name
