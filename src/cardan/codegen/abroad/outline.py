"""What is exported under a name: a kernel as it is or, with constraints, a right-hand side that has to be solved for.

With constraints, accelerations are not straight-line code. Every exporter then takes the kernel ``terms``, which gives
[qd, M, h, A, b], and solves

    [ M  -A^T ] [ vd  ]   [ -h ]
    [ A    0  ] [ lam ] = [  b ]

with the linear algebra of its own library. Rows of A have to be independent there.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardan.codegen.kernels import Content, recipe
from cardan.equations.reduced import Dynamics
from cardan.errors import CompileError
from cardan.graph import Node


@dataclass(frozen=True)
class Outline:
    """Outputs as nodes over t, y and p, and whether they are the ``terms`` to be solved, of n velocities and m rows."""

    name: str
    t: Node
    y: list[Node]
    p: list[Node]
    outputs: list[Node]
    nq: int
    n: int
    m: int
    is_solved: bool
    has_rates: bool  # of what is solved: [qd, vd], else vd alone


def outline(dynamics: Dynamics, name: str) -> Outline:
    """The kernel called ``name`` for an exporter; friction that has to be solved for is refused."""
    d = dynamics
    if d.model.rubbing:
        raise CompileError(
            f"{d.model.name!r} has friction whose pressing force is solved for, which is no function that other "
            'programs could differentiate. Use a smooth law, s.friction(..., law="tanh", width=...).',
            name=name,
        )
    is_solved = bool(d.full.rows) and name in ("rhs", "acceleration")
    content: Content = recipe("terms" if is_solved else name).content(d)
    p = list(d.p)
    return Outline(
        name, d.t, content.y, p, content.outputs, len(d.q), len(d.v), len(d.full.rows), is_solved, name == "rhs"
    )
