"""What stands behind the mock world: its Node process, and when its time may go on."""
