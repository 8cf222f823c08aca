"""The integrators: each in a file of its own, all in one table."""
