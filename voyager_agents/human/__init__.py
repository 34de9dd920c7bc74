"""Human players with a Minecraft client."""
