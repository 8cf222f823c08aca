"""Equations as a person reads them, in the form that is asked for: rows, matrices, accelerations, momenta."""
