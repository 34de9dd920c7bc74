"""Agents that write programs, made of parts: action, critic, curriculum, negotiator."""
