"""Checks of this machine for `accord doctor`."""
