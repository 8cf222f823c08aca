"""Motions through configurations where constraints lose rank: window, passage, decision, record."""
