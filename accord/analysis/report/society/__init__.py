"""The report of a society: roles over time, who did what, how minds worked, and a page per agent."""
