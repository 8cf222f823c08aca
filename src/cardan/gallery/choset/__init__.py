"""Choset et al. (2005), chapter 10: robot dynamics."""
