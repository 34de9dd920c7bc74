"""Contract terms, negotiation, judges, and the ledger of emerald transfers."""
