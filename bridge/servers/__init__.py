"""Minecraft servers that Accord starts and stops: embedded (default) and, later, Paper in Docker."""
