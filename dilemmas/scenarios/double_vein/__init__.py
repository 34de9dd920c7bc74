"""Double-Vein: two ores, two pickaxes, two players who value the ores differently."""
