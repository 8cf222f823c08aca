"""The description of a system: validated, never differentiated."""
