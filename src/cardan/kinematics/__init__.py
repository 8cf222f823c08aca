"""Positions and velocities of everything that moves, generic over the number type."""
