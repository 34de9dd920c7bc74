"""Rules of the grid over arrays: map, items, moves, views and the social graph."""
