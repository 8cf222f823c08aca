"""Kernels for other programs: as functions of CasADi and JAX, which differentiate them, through the same graph."""
