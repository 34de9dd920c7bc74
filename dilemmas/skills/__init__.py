"""Learned skills: checks of a library, and the primitives' documentation for models."""
