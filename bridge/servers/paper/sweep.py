"""Removes what a killed Accord left in Docker: containers and volumes of ours whose owner lives no more."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import docker
import docker.errors

from bridge.servers.paper.container import BOOT, KEEP, LABEL, OWNER, boot_id


def sweep_stale(client: docker.DockerClient) -> list[str]:
    """Remove what is stale; returns the names. What somebody else removes at the same time is no error."""
    removed = []
    for container in client.containers.list(all=True, filters={"label": LABEL}):
        if _is_stale(container.labels) and _gone(lambda each: each.remove(v=True, force=True), container):
            removed.append(str(container.name))
    in_use = {each.labels.get(LABEL) for each in client.containers.list(all=True, filters={"label": LABEL})}
    for volume in client.volumes.list(filters={"label": LABEL}):
        marks = volume.attrs.get("Labels") or {}
        if _is_stale(marks) and marks.get(LABEL) not in in_use and _gone(lambda each: each.remove(), volume):
            removed.append(str(volume.name))
    return removed


def _gone(remove: Any, thing: Any) -> bool:  # noqa: ANN401 - the SDK has no types
    try:
        remove(thing)
    except docker.errors.APIError:
        return False
    return True


def _is_stale(marks: Mapping[str, str]) -> bool:
    """Whether its owner's process has ended and nobody asked to keep it."""
    if marks.get(KEEP) == "true":
        return False
    if marks.get(BOOT) != boot_id():
        return True
    try:
        os.kill(int(marks.get(OWNER, "unknown")), 0)
    except (ProcessLookupError, ValueError):
        return True
    except PermissionError:
        return False
    return False
