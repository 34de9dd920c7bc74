"""Human players, who play with a Minecraft client."""
