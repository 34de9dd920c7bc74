"""Sweeps: studies as data, expanded to tasks of one run each and played on one machine or many.

`spec` parses the file, `tasks` expands it, `folder` manages a sweep on disk, `task` plays one task, `engine` defines
the engines that play many, and `table` writes the results as one table. The entry point is `sweep`.
"""
