"""Sweeps: a study as data, expanded to tasks, each of which is one run, played on one machine or many.

`spec` reads the file, `tasks` expands it, `folder` is where a sweep lives, `task` plays one task, `engine` names the
ways to play many, and `table` puts the results into one table. The entry is `sweep`.
"""
