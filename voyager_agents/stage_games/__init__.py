"""Repeated games given by their payoffs: stage games, their repetition, and strategies for them.

A round of a stage game has one or two stages. In each stage all players choose one of their options simultaneously; a
player may have no choice in a stage. Only `choosing` uses a language model; no module here depends on a world.
"""
