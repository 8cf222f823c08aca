"""Exact algebra: polynomials in sines, cosines and symbols, and short ways to write them."""
