"""Conquest: territories, garrisons, secret objectives and alliances."""
