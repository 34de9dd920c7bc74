"""PIANO: many small modules think at the same time over one shared state, joined by a bottleneck (Project Sid).

slots.py        what the state holds, each slot with its type
state.py        the store: typed, versioned, one writer a slot
module.py       what a module is: a function of the state that says what it reads, writes and when it runs
modules/        ten of them, a file each; a user's own comes from a file as well
wiring.py       which modules an agent has, and whether they fit together
bottleneck.py   what the controller sees
mind.py         the state, the modules and the schedule of one agent
agent.py        the living agent
"""
