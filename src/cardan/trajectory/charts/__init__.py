"""Coordinates in which a motion is followed, and the way back to those its user chose."""
