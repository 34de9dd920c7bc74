"""Rule-based citizens: trades, opinions and votes."""
