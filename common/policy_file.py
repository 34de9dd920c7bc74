"""Small neural network over numpy, and its file: a trained policy without the training library.

The file is a numpy archive of plain arrays and one line of JSON. It contains no executable code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from common.archives import UNREADABLE, read_arrays
from common.errors import PolicyFileError

Numbers = npt.NDArray[np.float32]
"""Array of the numbers that a network gets and returns."""
FORMAT = 1
MAX_BYTES = 1 << 28
"""Maximum bytes of all layers of a policy together."""
MANNERS = ("alone", "together", "learned")
"""Social behaviour of a learned policy: stay alone, unite with all, or follow its network."""
_KEYS = {"format", "game", "parts", "seats", "manner", "notes"}


@dataclass(frozen=True)
class Network:
    """Dense layers with tanh, an optional recurrent layer (GRU), and a linear layer that scores the actions.

    With `atoms` the last layer has a row for each atom of each action, and a score is the mean of the atoms by softmax.
    """

    dense: tuple[tuple[Numbers, Numbers], ...]
    """(out, in) weights and (out,) biases of each hidden layer."""
    last: tuple[Numbers, Numbers]
    """Weights and biases of the layer that returns an unscaled score per action."""
    gru: tuple[Numbers, Numbers, Numbers, Numbers] | None = None
    """GRU weights (3H, in) and (3H, H), biases (3H,) and (3H,), of inputs and state; rows: reset, update, new value."""
    atoms: Numbers | None = None
    """Values of the atoms (Z,), for a policy that learned distributions of returns."""

    @property
    def inputs(self) -> int:
        """Number of inputs."""
        first = self.dense[0][0] if self.dense else self.gru[0] if self.gru else self.last[0]
        return int(first.shape[1])

    @property
    def actions(self) -> int:
        """Number of actions."""
        return int(self.last[0].shape[0]) // (1 if self.atoms is None else len(self.atoms))

    @property
    def memory(self) -> int:
        """Size of the recurrent state; 0 without one."""
        return int(self.gru[1].shape[1]) if self.gru else 0

    def score(self, rows: Numbers, state: Numbers) -> tuple[Numbers, Numbers]:
        """Return scores of shape (n, A) and the next state (n, H), from inputs (n, F) and the state."""
        for weight, bias in self.dense:
            rows = np.tanh(rows @ weight.T + bias)
        if self.gru:
            rows = state = _recur(self.gru, rows, state)
        scores = rows @ self.last[0].T + self.last[1]
        return (scores if self.atoms is None else _mean_of_atoms(scores, self.atoms)), state

    def check(self, where: str) -> None:
        """Raise PolicyFileError if the layers do not fit together."""
        flat = [(bias, 1) for _, bias in (*self.dense, self.last)] + [(bias, 1) for bias in (self.gru or ())[2:]]
        square = [(weight, 2) for weight, _ in (*self.dense, self.last)] + [(each, 2) for each in (self.gru or ())[:2]]
        for array, dimensions in (*flat, *square):
            if array.ndim != dimensions or not array.size:
                raise PolicyFileError(f"{where}: a layer of shape {array.shape} is none; save it anew")
        width = self.inputs
        layers = [*self.dense, *([self.gru[::2]] if self.gru else []), self.last]
        for number, (weight, bias) in enumerate(layers):
            if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
                raise PolicyFileError(
                    f"{where}: layer {number} is {weight.shape} with {bias.shape} for {width} inputs; save it anew"
                )
            width = self.memory if self.gru and number == len(self.dense) else int(weight.shape[0])
        if self.gru and [each.shape[0] for each in self.gru] != [3 * self.memory] * 4:
            raise PolicyFileError(f"{where}: the recurrent layer has rows for no state of {self.memory}; save it anew")
        if self.atoms is not None and (
            self.atoms.ndim != 1 or len(self.atoms) < 2 or len(self.last[0]) % len(self.atoms)
        ):
            raise PolicyFileError(
                f"{where}: {self.atoms.shape} atoms do not fit a last layer of {len(self.last[0])} rows; save it anew"
            )


@dataclass(frozen=True)
class Saved:
    """A learned policy as stored in its file."""

    game: str
    """Name of the game it was trained on, for information."""
    parts: tuple[str, ...]
    """Names of its inputs."""
    seats: tuple[int, ...]
    """Index of the network that plays each agent."""
    networks: tuple[Network, ...]
    manner: str = "learned"
    """One of `MANNERS`."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Notes on the training."""

    def write(self, path: str | Path) -> None:
        """Write the policy to a file."""
        arrays: dict[str, Any] = {}
        for number, network in enumerate(self.networks):
            if network.atoms is not None:
                arrays[f"{number}/atoms/0"] = network.atoms
            layers = {f"dense{each}": pair for each, pair in enumerate(network.dense)}
            for name, layer in {**layers, "gru": network.gru or (), "last": network.last}.items():
                arrays.update({f"{number}/{name}/{each}": array for each, array in enumerate(layer)})
        told = {**asdict(self), "format": FORMAT}
        arrays["told"] = np.array(json.dumps({key: told[key] for key in sorted(_KEYS)}))
        with Path(path).open("wb") as file:
            np.savez_compressed(file, **arrays)

    @classmethod
    def read(cls, path: str | Path) -> Saved:
        """Read a policy's file. Raises PolicyFileError with a one-line message."""
        where = f"policy file {str(path)!r}"
        try:
            arrays = read_arrays(Path(path), MAX_BYTES)
        except FileNotFoundError:
            raise PolicyFileError(f"{where} is not there; give a policy that was saved") from None
        except UNREADABLE as error:
            raise PolicyFileError(
                f"{where} is no saved policy ({type(error).__name__}); save one with --save"
            ) from None
        return _read(where, arrays)


def _recur(gru: tuple[Numbers, ...], rows: Numbers, state: Numbers) -> Numbers:
    """Return the next state of a gated recurrent unit (Cho et al., 2014), computed as in torch."""
    fed, kept = rows @ gru[0].T + gru[2], state @ gru[1].T + gru[3]
    size = state.shape[1]
    reset, update = (1 / (1 + np.exp(-(fed[:, part] + kept[:, part]))) for part in (slice(size), slice(size, 2 * size)))
    new = np.tanh(fed[:, 2 * size :] + reset * kept[:, 2 * size :])
    return np.asarray(new + update * (state - new))


def _mean_of_atoms(scores: Numbers, atoms: Numbers) -> Numbers:
    """Return the mean of each action's atoms, shape (n, A), from their logits, shape (n, A * Z)."""
    logits = scores.reshape(len(scores), -1, len(atoms))
    chances = np.exp(logits - logits.max(axis=2, keepdims=True))
    return np.asarray(chances @ atoms / chances.sum(axis=2), np.float32)


def _read(where: str, arrays: Mapping[str, Any]) -> Saved:
    told = _read_metadata(where, arrays)
    networks: list[Network] = []
    while f"{len(networks)}/last/0" in arrays:
        networks.append(_network(where, arrays, f"{len(networks)}/"))
    seats = tuple(told["seats"])
    if not seats or not all(isinstance(seat, int) and 0 <= seat < len(networks) for seat in seats):
        raise PolicyFileError(f"{where}: seats are {list(seats)}, its networks are numbered 0 to {len(networks) - 1}")
    if told["manner"] not in MANNERS:
        raise PolicyFileError(f"{where}: its manner is {told['manner']!r}; manners are {', '.join(MANNERS)}")
    return Saved(told["game"], tuple(told["parts"]), seats, tuple(networks), told["manner"], told["notes"])


def _read_metadata(where: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the file's JSON metadata, checked for completeness."""
    try:
        told = json.loads(str(arrays["told"]))
    except (KeyError, ValueError, RecursionError):
        raise PolicyFileError(f"{where} does not say what it is; save one with --save") from None
    if not isinstance(told, dict) or set(told) != _KEYS or told["format"] != FORMAT:
        raise PolicyFileError(f"{where} is no policy of format {FORMAT}; train it anew")
    if not all(isinstance(told[key], list) for key in ("parts", "seats")) or not isinstance(told["notes"], dict):
        raise PolicyFileError(f"{where}: parts and seats are lists and notes a mapping; train it anew")
    if not all(isinstance(each, str) for each in (told["game"], *told["parts"])):
        raise PolicyFileError(f"{where}: game and parts are texts; train it anew")
    if len(set(told["parts"])) != len(told["parts"]):
        raise PolicyFileError(f"{where}: a part is fed twice; train it anew")
    return told


def _network(where: str, arrays: Mapping[str, Any], prefix: str) -> Network:
    """Return one network of the file."""

    def layer(name: str, count: int) -> tuple[Numbers, ...]:
        found = [arrays.get(f"{prefix}{name}/{each}") for each in range(count)]
        if any(each is None or each.dtype.kind != "f" or not np.isfinite(each).all() for each in found):
            raise PolicyFileError(f"{where}: layer {prefix}{name} is missing, or is not made of numbers; save it anew")
        with np.errstate(over="ignore"):
            made = tuple(np.asarray(each, np.float32) for each in found)
        if not all(np.isfinite(each).all() for each in made):
            raise PolicyFileError(f"{where}: layer {prefix}{name} has numbers that are too large; save it anew")
        return made

    dense: list[tuple[Numbers, Numbers]] = []
    while f"{prefix}dense{len(dense)}/0" in arrays:
        weight, bias = layer(f"dense{len(dense)}", 2)
        dense.append((weight, bias))
    gru = layer("gru", 4) if f"{prefix}gru/0" in arrays else None
    weight, bias = layer("last", 2)
    atoms = layer("atoms", 1)[0] if f"{prefix}atoms/0" in arrays else None
    made = Network(tuple(dense), (weight, bias), (gru[0], gru[1], gru[2], gru[3]) if gru else None, atoms)
    made.check(where)
    return made
