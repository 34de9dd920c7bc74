"""Taxation: a society that makes its own law."""
