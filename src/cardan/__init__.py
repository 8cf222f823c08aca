"""Analytical dynamics: from a Lagrangian, or bodies and joints, to equations, native code and motion."""

__version__ = "0.1.0"
