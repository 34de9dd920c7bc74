"""Games of hidden roles by words: Chameleon and Undercover."""
