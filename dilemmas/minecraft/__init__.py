"""Minecraft as scenarios use it: vanilla commands, SNBT, the layout of a world, telemetry of its bots."""
