"""Report sections that every scenario has: welfare, resources, rewards, own measures, places."""
