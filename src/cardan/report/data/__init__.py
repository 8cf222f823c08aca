"""A run as plain data for a page."""
