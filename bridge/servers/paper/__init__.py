"""Paper in Docker, the server for studies of record (docs/paper.md)."""

from bridge.servers.paper.settings import PaperSettings

__all__ = ["PaperSettings"]
