"""Common parts of AdaSociety's games as scenarios: spec, scenario class, measures."""
