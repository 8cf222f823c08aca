"""Systems from objects of other libraries: ``cardan.from_sympy``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardan.api.system import System

if TYPE_CHECKING:
    import sympy as sp
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod


def from_sympy(
    method: LagrangesMethod | KanesMethod,
    *,
    values: Mapping[sp.Symbol | str, float] | None = None,
    name: str = "from SymPy",
) -> System:
    """The system that a ``LagrangesMethod`` or ``KanesMethod`` of ``sympy.physics.mechanics`` describes.

    Its coordinates keep their names; velocities are their rates, also where Kane's method had other speeds. Symbols
    become parameters, whose ``values`` must be given; other functions of time become inputs. The equations need not
    have been formed by SymPy: energies, forces and constraints are taken from the object, and Cardan derives its own.
    Bodies are gone, so there is nothing to draw; ``s.notes`` says what else was done.
    """
    from cardan.formats.sympy_mechanics.telling import read_method, tell

    system = System(name)
    system.renamed = tell(read_method(method), system, values or {})
    system.notes = [f"renamed: {old} is called {new}" for old, new in system.renamed.items()]
    return system
