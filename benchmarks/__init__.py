"""Cardan beside other tools: what it costs to derive, evaluate, simulate and start. ``make bench`` runs everything."""
