"""Briggs (2016): degenerate constraints."""
