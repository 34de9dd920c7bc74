"""Run records: events, model calls and results, written during play and read back later."""
