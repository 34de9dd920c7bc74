"""Minecraft as scenarios use it: vanilla commands, SNBT, layout of a world, telemetry of its bots."""
