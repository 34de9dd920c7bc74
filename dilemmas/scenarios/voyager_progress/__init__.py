"""Voyager's benchmark: how many programs an agent writes until it has tools of wood, stone, iron and diamond."""
