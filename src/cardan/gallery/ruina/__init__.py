"""Ruina, MAE 6700: advanced dynamics."""
