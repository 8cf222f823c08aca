"""Faults on purpose, done to studies and counted."""
