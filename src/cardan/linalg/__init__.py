"""Linear algebra in the metric of the mass matrix: numbers only."""
