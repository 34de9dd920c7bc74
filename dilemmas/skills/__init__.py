"""The skills that agents have learned: checks of a library, and what models read about primitives."""
