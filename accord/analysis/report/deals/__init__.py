"""Report section on talks and deals: conversations by channel, deals over time, deposits."""
