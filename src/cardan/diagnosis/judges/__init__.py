"""What is singular at a configuration: one judge for each kind."""
