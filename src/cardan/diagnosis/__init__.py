"""What is singular in a system, why, and what would lift it."""
