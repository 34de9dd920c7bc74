"""Games that are told by their payoffs: the laws of a stage game, its repetition, and strategies for it.

A stage game is played in one stage or two. In each stage every player picks one of its options at the same time, or
has none. The same is played again, round after round. Nothing here knows a world or a model, but `words`.
"""
