"""Questions about moments of a record, with answers known from its log."""
