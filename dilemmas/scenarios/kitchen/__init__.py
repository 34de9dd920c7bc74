"""Kitchen: soup by several hands, in rooms that no cook can do all in."""
