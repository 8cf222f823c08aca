"""What a ``LagrangesMethod`` of SymPy says."""

from __future__ import annotations

from sympy.physics.mechanics import LagrangesMethod

from cardan.errors import DerivationError
from cardan.formats.sympy_mechanics.said import Letters, Said, forces_of


def read_lagrange(method: LagrangesMethod) -> Said:
    """Its Lagrangian, the forces of its list, and its constraints: those of velocities are all that follow the
    differentiated holonomic ones in ``coneqs``."""
    letters = Letters.of(list(method.q))
    loads = list(method.forcelist or ())
    if loads and method.inertial is None:
        raise DerivationError(
            "The LagrangesMethod has forces but no inertial frame: give it one, LagrangesMethod(..., frame=N)."
        )
    holonomic = list(method._hol_coneqs)
    return Said(
        letters,
        lagrangian=letters.plain(method._L[0]),
        forces=forces_of(loads, method.inertial, letters),
        holonomic=tuple(letters.plain(one) for one in holonomic),
        velocity=tuple(letters.plain(one) for one in list(method.coneqs)[len(holonomic) :]),
    )
