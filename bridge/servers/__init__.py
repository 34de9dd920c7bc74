"""Minecraft servers that Accord starts and stops: embedded (the default) and Paper in Docker."""
