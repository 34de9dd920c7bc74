"""Agents that write programs, built from parts: action, critic, curriculum and negotiator."""
