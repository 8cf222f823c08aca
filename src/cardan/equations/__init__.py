"""Equations of motion: one route for people (SymPy), one for machines (graph)."""
