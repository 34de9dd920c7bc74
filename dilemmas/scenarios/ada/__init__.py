"""What the scenarios of AdaSociety's games share: the spec, the scenario's code, and the measures."""
