"""Report section on a society: roles over time, actions by role, work of minds, and a page for each agent."""
