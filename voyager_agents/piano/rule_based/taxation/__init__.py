"""Citizens without a model: trades, opinions and votes."""
