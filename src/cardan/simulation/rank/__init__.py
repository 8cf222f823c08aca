"""Passages through losses of rank: a window around them, crossed in one piece."""
