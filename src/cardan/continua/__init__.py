"""Strings, rods, shafts and beams: continua of one dimension, exact and made discrete."""
