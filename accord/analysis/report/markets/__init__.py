"""Report section on markets: prices, trades and wealth."""
