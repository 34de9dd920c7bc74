"""Repeated games as data: any table of payoffs, public goods, the donor game, ultimatum and trust."""
