"""Players of Conquest: types of a turn, reference commanders, and commanders that ask a language model."""
