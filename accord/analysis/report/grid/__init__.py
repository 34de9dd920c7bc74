"""The part of a report that grid games have: the paper's measures beside what the paper printed."""
