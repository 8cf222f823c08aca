"""Stops: impacts, resting and sliding contact, Zeno sequences, time stepping."""
