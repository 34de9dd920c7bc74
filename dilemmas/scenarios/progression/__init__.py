"""Individual progression: agents far from each other, who gather as many different items as they can."""
