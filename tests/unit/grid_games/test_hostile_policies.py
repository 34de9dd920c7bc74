"""Policy files with false headers: refused in one line each, without allocating the claimed memory."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from common.archives import UNREADABLE, read_arrays
from common.policy_file import Network, Saved
from grid_games import Batch, load
from grid_games.errors import GridPolicyError
from grid_games.policies.learned import Learned

TOLD = {"format": 1, "game": "ada-contract", "parts": ["grid"], "seats": [0] * 4, "manner": "alone", "notes": {}}


def member(shape: tuple[int, ...], descr: str = "<f4", data: bytes = b"") -> bytes:
    """Return an array file with this header and these bytes."""
    file = io.BytesIO()
    head = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, head)  # type: ignore[no-untyped-call]
    return file.getvalue() + data


def archive(path: Path, members: Mapping[str, bytes]) -> Path:
    """Return an archive of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(f"{name}.npy", data)
    return path


def told(**changes: object) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.array(json.dumps({**TOLD, **changes})))  # type: ignore[no-untyped-call]
    return file.getvalue()


def floats(*shape: int, value: float = 0.5) -> bytes:
    return member(shape, "<f4", np.full(shape, value, np.float32).tobytes())


GOOD = {"0/last/0": floats(3, 5), "0/last/1": floats(3)}


@pytest.mark.parametrize(
    "members",
    [
        {"0/last/0": member((10**12, 10**6))},
        {"0/last/0": member((2**62, 2**62, 2**62))},
        {"0/last/0": member((-1, 4))},
        {"0/last/0": member((3,), "|O", b"x" * 24)},
        {"0/last/0": member((0,), "|V0")},
        {"0/last/0": b"\x93NUMPY\x09\x00"},
        {"0/last/0": b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 9000},
        {"0/last/0": floats(5), "0/last/1": floats(5)},
        {"0/last/0": floats(), "0/last/1": floats(3)},
        {"0/last/0": floats(3, 0), "0/last/1": floats(3)},
        {"0/last/0": floats(3, 5, 1), "0/last/1": floats(3)},
        {"0/last/0": floats(3, 5), "0/last/1": floats(3, 1)},
        {"0/dense0/0": floats(7), "0/dense0/1": floats(7)},
        {"0/gru/0": floats(6, 5), "0/gru/1": floats(6), "0/gru/2": floats(6), "0/gru/3": floats(6)},
        {"0/gru/0": floats(6, 5), "0/gru/1": floats(6, 2), "0/gru/2": floats(6), "0/gru/3": floats(6, 2)},
        {"0/last/0": member((3, 5), "<f8", np.full((3, 5), 1e300).tobytes())},
        {"told": told(seats=[0.5])},
        {"told": told(parts=[["grid"]])},
        {"told": told(parts=["grid"] * 1000)},
        {"told": told(manner=["alone"])},
        {"told": told(game=7)},
        {"told": floats(3)},
        {"told": member((10,), "<U1", b"[\0\0\0" * 10)},
    ],
)
def test_a_policy_that_claims_what_it_does_not_hold_is_one_line(members: Mapping[str, bytes], tmp_path: Path) -> None:
    file = archive(tmp_path / "policy", {"told": told(), **GOOD, **members})
    with pytest.raises(GridPolicyError) as refused:
        Learned(file).check(Batch(load("ada-contract"), [0]))
    assert "\n" not in str(refused.value)


def test_an_archive_that_unpacks_to_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    file = archive(tmp_path / "bomb", {"a": member((2 << 20,), "<f8", bytes(16 << 20))})
    assert file.stat().st_size < 100_000
    with pytest.raises(UNREADABLE, match="MB"):
        read_arrays(file, 1 << 20)
    assert read_arrays(file)["a"].shape == (2 << 20,)


def test_arrays_come_back_as_they_were_written(tmp_path: Path) -> None:
    arrays: dict[str, Any] = {
        "a": np.arange(12).reshape(3, 4), "b": np.asfortranarray(np.ones((2, 3))), "c": np.array("text"),
        "d": np.zeros((0, 4)), "e": np.array([True, False]),
    }  # fmt: skip
    with (tmp_path / "arrays").open("wb") as file:
        np.savez_compressed(file, **arrays)
    found = read_arrays(tmp_path / "arrays")
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_a_good_policy_is_read(tmp_path: Path) -> None:
    layers = (np.ones((3, 5), np.float32), np.ones(3, np.float32))
    Saved("g", ("grid",), (0,), (Network((), layers),)).write(tmp_path / "policy")
    assert Saved.read(tmp_path / "policy").networks[0].inputs == 5
