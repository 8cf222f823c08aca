"""Worked examples from four texts, each checked against the formulas that its text prints."""
