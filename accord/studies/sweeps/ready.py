"""Checks of a machine before its first run of a sweep."""

from __future__ import annotations

from common.errors import PrerequisiteError

PAPER = "paper"


def check_machine(world: str, jobs: int = 1) -> None:
    """Check that this machine can run `jobs` worlds at once. Raises PrerequisiteError.

    Paper needs the accepted EULA, a running Docker engine, the image, and enough memory for all containers.
    """
    if world != PAPER:
        return
    # Imported here, since only Paper needs Docker's client.
    from contextlib import closing

    from bridge.servers.paper.engine import ENGINE_ERRORS, brief, find_image, open_engine
    from bridge.servers.paper.settings import EULA_REFUSED, PaperSettings

    wanted = PaperSettings()
    if not wanted.accept_eula:
        raise PrerequisiteError(EULA_REFUSED)
    with closing(open_engine()) as client:
        try:
            find_image(client, wanted.image)
            has_mb = int(client.info().get("MemTotal", 0)) // 2**20
        except ENGINE_ERRORS as error:
            raise PrerequisiteError(f"Docker engine: {brief(error)}: restart it") from None
    if 0 < has_mb < jobs * wanted.limit_mb:
        raise PrerequisiteError(
            f"{jobs} Paper servers may use {jobs * wanted.limit_mb} MB of memory, the Docker engine has {has_mb} MB: "
            f"take --jobs {max(1, has_mb // wanted.limit_mb)}"
        )
