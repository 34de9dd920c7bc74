"""Adversaries: players that work against the others, by deeds or by words, and a defence that keeps words away.

`kinds` has the table of adversaries, `speakers` wraps agents so that they speak, and `quarantine` agents and judges so
that they hear nothing.
"""
