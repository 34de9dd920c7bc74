"""PIANO (Project Sid): concurrent modules over one shared state, coordinated by a controller behind a bottleneck.

slots.py        slots of the state and the types of their values
state.py        slot store: typed, versioned, one writer per slot
module.py       module interface: slots read and written, conditions to run, rule and model question
modules/        the ten standard modules, one file each; users load their own modules from files
wiring.py       selection and consistency check of an agent's modules
bottleneck.py   slots that the controller sees, each with a token budget
schedule.py     scheduler of the modules: periods, slot changes, events
agent.py        real-time agent that runs the modules
"""
