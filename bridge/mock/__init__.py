"""Parts of the mock world: its Node process and the control of its virtual clock."""
