"""Encoders of videos: GIF by Pillow, MP4 and WebM by ffmpeg."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from common.errors import PrerequisiteError
from dilemmas.errors import RecordError, UsageError

if TYPE_CHECKING:
    from PIL import Image

SUFFIXES = (".mp4", ".webm", ".gif")
MAX_GIF_FRAMES = 1500
"""Maximum number of frames of a GIF, which Pillow holds in memory."""
_CODECS = {
    ".mp4": ("mp4", "libx264", "-crf", "20", "-preset", "medium", "-movflags", "+faststart"),
    ".webm": ("webm", "libvpx-vp9", "-crf", "32", "-b:v", "0"),
}
"""Suffix -> container, codec and its options."""


class Encoder(Protocol):
    """Sink of frames."""

    def add(self, png: bytes) -> None:
        """Add a frame, a PNG file."""

    def finish(self) -> None:
        """Write the file. Raises RecordError."""

    def abort(self) -> None:
        """Stop, and leave no file."""


def open_encoder(path: Path, fps: float) -> Encoder:
    """Return the encoder for a file.

    Args:
        path: The video; its suffix is one of `SUFFIXES`.
        fps: Frames per second.

    Raises:
        UsageError: The suffix is unknown.
        PrerequisiteError: There is no ffmpeg.
    """
    suffix = path.suffix.lower()
    if suffix == ".gif":
        return _Gif(path, fps)
    if suffix in _CODECS:
        return _Ffmpeg(path, fps, find_ffmpeg())
    raise UsageError(f"video: {path.name!r}: unknown kind: choose a name that ends in {', '.join(SUFFIXES)}")


def find_ffmpeg() -> str:
    """Return ffmpeg of this machine, or that of the wheel imageio-ffmpeg. Raises PrerequisiteError."""
    if found := shutil.which("ffmpeg"):
        return found
    with suppress(ImportError, RuntimeError):
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    raise PrerequisiteError(
        "MP4 and WebM need ffmpeg: `apt install ffmpeg` or `pip install imageio-ffmpeg`, or choose a name with .gif"
    )


def _part(path: Path) -> Path:
    """Return the name of the file while it is being written."""
    return path.with_name(f"{path.name}.part")


class _Gif:
    """Animated GIF with 256 colours a frame."""

    def __init__(self, path: Path, fps: float) -> None:
        self._path = path
        self._ms = round(1000 / fps)
        self._frames: list[bytes] = []

    def add(self, png: bytes) -> None:
        if len(self._frames) >= MAX_GIF_FRAMES:
            raise UsageError(
                f"video: a GIF has at most {MAX_GIF_FRAMES} frames: use --from and --to, lower --fps, or write .mp4"
            )
        self._frames.append(png)

    def finish(self) -> None:
        frames = self._images()
        try:
            next(frames).save(
                _part(self._path), "GIF", save_all=True, append_images=frames, duration=self._ms, loop=0, optimize=False
            )
            _part(self._path).replace(self._path)
        except OSError as error:
            self.abort()
            raise RecordError(f"cannot write {self._path}: {error.strerror or error}") from None

    def abort(self) -> None:
        _part(self._path).unlink(missing_ok=True)

    def _images(self) -> Iterator[Image.Image]:
        from PIL import Image

        for png in self._frames:
            with Image.open(io.BytesIO(png)) as image:
                yield image.convert("P", palette=Image.Palette.ADAPTIVE, colors=256)


class _Ffmpeg:
    """Video by ffmpeg, which reads PNG files from a pipe. Equal frames give equal bytes with one version of ffmpeg."""

    def __init__(self, path: Path, fps: float, ffmpeg: str) -> None:
        self._path = path
        container, codec, *options = _CODECS[path.suffix.lower()]
        command = [
            ffmpeg, "-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate", f"{fps:g}", "-i", "-",
            "-c:v", codec, *options, "-pix_fmt", "yuv420p", "-threads", "1", "-fflags", "+bitexact",
            "-flags:v", "+bitexact", "-f", container, str(_part(path).absolute()),
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def add(self, png: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(png)
        except BrokenPipeError:
            raise RecordError(f"cannot write {self._path}: {self._failure()}") from None

    def finish(self) -> None:
        error = self._failure()
        if self._process.returncode:
            self.abort()
            raise RecordError(f"cannot write {self._path}: {error}")
        _part(self._path).replace(self._path)

    def abort(self) -> None:
        self._process.kill()
        self._process.communicate()
        _part(self._path).unlink(missing_ok=True)

    def _failure(self) -> str:
        """Wait for the end, and return the last line of errors."""
        _, told = self._process.communicate()
        lines = told.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"ffmpeg ended with {self._process.returncode}"
