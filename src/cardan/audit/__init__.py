"""How trustworthy a trajectory is: one small function for each line of the audit."""
