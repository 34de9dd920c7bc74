"""Who plays: agents made of parts, their prompts, the models behind them, and reference players without a model."""
