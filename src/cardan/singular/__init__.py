"""Ranks, reference sizes and projections: numbers only, no computer algebra."""
