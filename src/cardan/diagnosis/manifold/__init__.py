"""The type of the configuration manifold, composed from joints, charts, inertias and stops."""
