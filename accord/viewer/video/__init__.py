"""Videos of records: frames of the engine's renderer in the land of a run, written by an encoder."""
