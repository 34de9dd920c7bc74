"""Building together: a plan of which every player sees a part, blocks that all share, and one score for all."""
