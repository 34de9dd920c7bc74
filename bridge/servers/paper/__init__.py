"""Paper in Docker: the server that studies of record run on (docs/paper.md)."""

from bridge.servers.paper.settings import PaperSettings

__all__ = ["PaperSettings"]
