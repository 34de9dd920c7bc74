"""The embedded Minecraft 1.20.4 server: a Node child process on a loopback port, no Java, no Docker."""

from bridge.servers.embedded.server import EmbeddedServer

__all__ = ["EmbeddedServer"]
