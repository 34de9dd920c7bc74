"""Removal of containers and volumes that a killed Accord left in Docker."""

from __future__ import annotations

from typing import Any

import docker
import docker.errors

from bridge.servers.paper.marks import LABEL, is_stale


def sweep_stale(client: docker.DockerClient, state: str = "", known: frozenset[str] = frozenset()) -> list[str]:
    """Remove stale containers and volumes (`marks.is_stale`) and return their names; concurrent removal is no error."""
    removed = []
    for container in _containers(client):
        if is_stale(container.labels, state, known) and _gone(lambda each: each.remove(v=True, force=True), container):
            removed.append(str(container.name))
    in_use = {each.labels.get(LABEL) for each in _containers(client)}
    for volume in client.volumes.list(filters={"label": LABEL}):
        marks = volume.attrs.get("Labels") or {}
        stale = is_stale(marks, state, known) and marks.get(LABEL) not in in_use
        if stale and _gone(lambda each: each.remove(), volume):
            removed.append(str(volume.name))
    return removed


def _containers(client: docker.DockerClient) -> list[Any]:
    found: list[Any] = client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
    return found


def _gone(remove: Any, thing: Any) -> bool:  # noqa: ANN401 - the SDK has no types
    try:
        remove(thing)
    except docker.errors.APIError:
        return False
    return True
