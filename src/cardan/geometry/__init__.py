"""Rotations, rigid placements and inertia, written once for numbers, SymPy expressions and graph nodes.

Conventions, everywhere in Cardan:

- Rotations are active: ``R`` takes a vector from its reference to its current position.
- ``R_NB`` is the orientation of B in N. Its columns are the axes of B in N's basis, so ``v_N = R_NB v_B``.
- Angles are in radians and right-handed; quaternions are (w, x, y, z) with the scalar first.
- ``w_NB_N`` belongs to ``Rd_NB = skew(w_NB_N) R_NB`` and ``w_NB_B`` to ``Rd_NB = R_NB skew(w_NB_B)``.

Vectors are tuples of three scalars, matrices tuples of rows. A scalar is a number, a SymPy expression or a graph
node; an exact 0 or 1 stays a plain number, so that products leave no trace of it.
"""
