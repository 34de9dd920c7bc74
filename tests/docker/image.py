"""Builder of the stand-in image: Node, its shared libraries, and the files that the embedded server loads."""

from __future__ import annotations

import functools
import io
import re
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

import docker

from bridge.prerequisites import ROOT, node_binary

NAME = "accord-standin"
STANDIN = ROOT / "tests/docker/standin"
NODE_INSIDE = "/usr/bin/node"
CHANGES = [
    f'ENTRYPOINT ["{NODE_INSIDE}", "{STANDIN}/main.js"]',
    f'HEALTHCHECK --interval=1s --timeout=5s CMD ["{NODE_INSIDE}", "{STANDIN}/health.js"]',
    "VOLUME /data",
    "EXPOSE 25565 25575",
    "LABEL accord.standin=true",
]


def build(client: docker.DockerClient, mode: str = "normal", delay_ms: int = 0) -> str:
    """Import the image under a tag for that mode, and return its name."""
    tag = f"{mode}-{delay_ms}"
    changes = [*CHANGES, f"ENV STANDIN_MODE={mode} STANDIN_DELAY_MS={delay_ms} HOME=/tmp"]
    client.api.import_image_from_data(rootfs(), repository=NAME, tag=tag, changes=changes)
    return f"{NAME}:{tag}"


@functools.cache
def rootfs() -> bytes:
    """Return the root file system as a tar archive; files of the project keep their paths."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for folder in ("tmp", "data"):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777
            tar.addfile(entry)
        tar.add(node_binary().resolve(), arcname=NODE_INSIDE)
        for library in shared_libraries(node_binary()):
            tar.add(library.resolve(), arcname=str(library))
        for file in sorted(loaded_files()):
            tar.add(file, arcname=str(file))
    return stream.getvalue()


def shared_libraries(binary: Path) -> list[Path]:
    """Return the paths of the libraries that the dynamic linker loads for a binary, the linker included."""
    output = subprocess.run(["ldd", str(binary)], capture_output=True, text=True, check=True).stdout
    return [Path(match) for match in re.findall(r"(/\S+) \(0x", output)]


def loaded_files() -> set[Path]:
    """Return the files that the stand-in loads, with each package's manifest, which names its entry point."""
    trace = subprocess.run(
        [str(node_binary()), str(STANDIN / "trace.js")], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    files = {Path(line) for line in trace.splitlines()}
    return (
        files
        | set(manifests(files))
        | {STANDIN / "main.js", STANDIN / "health.js", *(ROOT / "bridge/servers/embedded").glob("*.js")}
    )


def manifests(files: Iterable[Path]) -> Iterable[Path]:
    """Yield every package.json above a loaded file, up to the project's root."""
    for folder in {parent for file in files for parent in file.parents if parent.is_relative_to(ROOT)}:
        if (folder / "package.json").is_file():
            yield folder / "package.json"
