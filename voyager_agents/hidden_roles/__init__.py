"""Games of hidden roles by words: a secret word that one player does not know, clues in turn, and a vote."""
