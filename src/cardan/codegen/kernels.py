"""The kernels of a model, one entry each: what it is for, and how it is made from the equations.

Compiling, exporting to C, the error that lists the known kernels and the page docs/kernels.md all read this table, so
a new kernel is one entry. Every kernel takes y = [q, v] and p = [parameters, signals]; a few take more behind y.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cardan.equations.derivatives import inverse_derivatives
from cardan.equations.friction import pressing, pushes, sliding
from cardan.equations.reduced import Dynamics, Pivots
from cardan.equations.representative import (
    inertias_of_masses,
    jacobian_of_masses,
    loads_on_masses,
    screening_terms,
    signals_to_forces,
)
from cardan.equations.variation import (
    directions,
    parameter_slopes,
    second_derivatives,
    second_directions,
    variation,
)
from cardan.errors import CompileError, UnknownName, suggestion
from cardan.geometry.scalar import Scalar
from cardan.graph import Node, jacobian, with_one_constant


def _no_pivots(d: Dynamics) -> Pivots:
    return []


def _nothing(d: Dynamics) -> list[Node]:
    return []


@dataclass(frozen=True)
class Lack:
    """Models that have no such kernel: which they are, in words and as a question, and why."""

    where: str
    applies: Callable[[Dynamics], bool]
    why: str


@dataclass(frozen=True)
class Content:
    """What a kernel computes, as graph nodes: outputs, pivots that must not vanish, and its y."""

    outputs: list[Node]
    pivots: Pivots
    y: list[Node]


@dataclass(frozen=True)
class Recipe:
    """How a kernel is made of the equations: its outputs, its pivots, and the inputs it takes behind [q, v].

    ``after`` names those inputs in words; ``lack`` says which models have no such kernel.
    """

    name: str
    what: str
    outputs: Callable[[Dynamics], list[Node]]
    pivots: Callable[[Dynamics], Pivots] = _no_pivots
    further: Callable[[Dynamics], list[Node]] = _nothing
    after: str = ""
    lack: Lack | None = None

    def content(self, d: Dynamics) -> Content:
        """The kernel of one model as graph nodes; refused by name where the model has none."""
        if self.lack is not None and self.lack.applies(d):
            raise CompileError(f"The kernel {self.name!r} of {d.model.name!r} {self.lack.why}", name=self.name)
        outputs = d.space.all_nodes(self.outputs(d))
        return Content(outputs, self.pivots(d), [*d.q, *d.v, *self.further(d)])

    @property
    def row(self) -> str:
        """The line of this kernel in docs/kernels.md."""
        y = f"q, v, {self.after}" if self.after else "q, v"
        return f"| `{self.name}` | {self.what} | {y} | {self.lack.where if self.lack else ''} |"


# --- which models have no such kernel ----------------------------------------------------------------

_CONSTRAINED = Lack(
    "with constraints",
    lambda d: bool(d.full.rows),
    "needs the multipliers of its constraints, which are no straight-line code. Take 'terms' (rates, M, h, A, b) and "
    "solve M vd + h = A^T lam, A vd = b with it.",
)
_QUATERNIONS = Lack(
    "with quaternions",
    lambda d: len(d.q) != len(d.v),
    "takes derivatives by coordinates whose rates are the velocities, and a quaternion has four numbers for three "
    "velocities. Take 'momentum', and its rate from 'velocity_terms', 'potential_terms' and 'forces'.",
)
_SMOOTH = Lack(
    "without friction",
    lambda d: not d.model.rubbing,
    "tells of friction whose pressing force is solved for, and there is none. Add one with s.friction.",
)


# --- outputs -----------------------------------------------------------------------------------------


def _flat(rows: list[list[Node]]) -> list[Node]:
    return [x for row in rows for x in row]


def _terms(d: Dynamics) -> list[Node]:
    c = d.constraints
    M = _flat(d.mass_matrix)
    A = _flat(c.matrix)
    return [*d.configuration_rates, *M, *d.bias, *A, *c.targets]


def _structure(d: Dynamics) -> list[Node]:
    return _flat([*d.mass_matrix, *d.constraints.matrix] if d.full.rows else d.mass_matrix)


def _residual(d: Dynamics) -> list[Node]:
    phi = (with_one_constant(one) for one in d.constraints.phi)
    rows = [next(phi) if row.is_holonomic else d.space.graph.zero for row in d.constraints.rows]
    return [*rows, *d.constraints.rates]


def _poses(d: Dynamics) -> list[Node]:
    found: list[Scalar] = []
    for thing in (*d.model.bodies, *d.model.particles):
        R, p = d.full.lifted.pose(thing.frame)
        found += [*(x for row in R for x in row), *p]
    return d.impose(found)


def _places(d: Dynamics) -> list[Node]:
    found: list[Scalar] = []
    for mass in d.full.tree.masses:
        found += [*d.full.lifted.point(mass.frame, (0, 0, 0)), *d.full.lifted.point(mass.frame, mass.com)]
    return d.impose(found)


def _rhs(d: Dynamics) -> list[Node]:
    vd, _ = d.acceleration
    return [*d.configuration_rates, *vd]


def _rhs_jacobian(d: Dynamics) -> list[Node]:
    return _flat(jacobian(_rhs(d), [*d.q, *d.v]))


# --- the table ---------------------------------------------------------------------------------------

_RECIPES = (
    Recipe(
        "acceleration", "vd of a model without constraints", lambda d: d.acceleration[0],
        pivots=lambda d: d.acceleration[1], lack=_CONSTRAINED,
    ),
    Recipe(
        "rhs", "[qd, vd]: the right-hand side of a model without constraints", _rhs, pivots=lambda d: d.acceleration[1],
        lack=_CONSTRAINED,
    ),
    Recipe(
        "forward_dynamics", "vd where generalized forces tau act beside the applied ones", lambda d: d.forward[0],
        pivots=lambda d: d.forward[1], further=lambda d: d.tau, after="tau", lack=_CONSTRAINED,
    ),
    Recipe("jacobian", "d(rhs)/d[q, v], row by row", _rhs_jacobian, lack=_CONSTRAINED),
    Recipe(
        "inverse_dynamics_derivatives", "d(M a + f + g - Q) by q (along velocities: dq = N(q) delta), then by v",
        inverse_derivatives, further=lambda d: d.vd, after="a",
    ),
    Recipe(
        "forward_dynamics_derivatives", "d(vd) by q (along velocities), by v and by tau", lambda d: d.forward_slopes[0],
        pivots=lambda d: d.forward_slopes[1], further=lambda d: d.tau, after="tau", lack=_CONSTRAINED,
    ),
    Recipe(
        "second_derivatives", "change of forward_dynamics_derivatives along a direction", second_derivatives,
        further=lambda d: [*d.tau, *second_directions(d)], after="tau, dq, dv, dtau", lack=_CONSTRAINED,
    ),
    Recipe(
        "parameter_slopes", "d[M vd + h - A^T lam, A vd - b]/d(parameter), row by row", parameter_slopes,
        further=lambda d: [*d.vd, *d.lam], after="vd, lam",
    ),
    Recipe("terms", "[qd, M, h, A, b] of M vd + h = A^T lam, A vd = b; h = f + g - Q", _terms),
    Recipe("structure", "M, and A below it, row by row", _structure),
    Recipe("residual", "phi of each constraint row (0 where it has none), then A v + b0", _residual),
    Recipe("rates", "qd = N(q) v", lambda d: d.configuration_rates),
    Recipe("mass_matrix", "M, row by row", lambda d: _flat(d.mass_matrix)),
    Recipe("velocity_terms", "f: what kinetic energy adds beside M vd", lambda d: d.velocity_terms),
    Recipe("potential_terms", "g: what potentials add", lambda d: d.potential_terms),
    Recipe("forces", "Q: generalized forces", lambda d: d.forces),
    Recipe("actuation", "dQ/d(signal) of every load and input, velocity by velocity", signals_to_forces),
    Recipe(
        "inverse_dynamics", "M a + f + g - Q: forces beyond the applied ones for accelerations a", lambda d: d.balance,
        further=lambda d: d.vd, after="a",
    ),
    Recipe(
        "variation",
        "change of [qd, M vd + h - A^T lam, phi, A v + b0, A vd - b] with q, v and signals, vd and lam held", variation,
        further=lambda d: [*d.vd, *d.lam, *directions(d)], after="vd, lam, dq, dv, dsignals",
    ),
    Recipe("energy", "[T, V, Jacobi integral]", lambda d: d.energies),
    Recipe("momentum", "dL/dv", lambda d: d.momenta),
    Recipe("momentum_rate", "dL/dq + Q", lambda d: d.momentum_rates, lack=_QUATERNIONS),
    Recipe("poses", "R (row by row) and position of each body's and particle's frame", _poses),
    Recipe("places", "world positions of each mass: the origin of its frame, then its centre of mass", _places),
    Recipe("mass_velocities", "d(velocity rows of all masses)/dv, row by row", jacobian_of_masses),
    Recipe("mass_loads", "load rows of all masses per magnitude of each named load, row by row", loads_on_masses),
    Recipe("inertias", "mass and nine entries of the inertia of each mass", inertias_of_masses),
    Recipe("screening", "[M, Q and size of each unit load]: indicators along a motion", screening_terms),
    Recipe("sliding", "sliding velocity and both coefficients of each friction", sliding, lack=_SMOOTH),
    Recipe("pushes", "generalized forces of a unit pressing force, for each friction", pushes, lack=_SMOOTH),
    Recipe(
        "pressing", "three numbers whose length is the pressing force, for each friction", pressing,
        further=lambda d: [*d.vd, *d.lam], after="vd, lam", lack=_SMOOTH,
    ),
)  # fmt: skip

KERNELS: Mapping[str, Recipe] = MappingProxyType({one.name: one for one in _RECIPES})


def recipe(name: str) -> Recipe:
    """The kernel of this name; an unknown one is refused with the names of all."""
    if name not in KERNELS:
        question = suggestion(name, KERNELS)
        raise UnknownName(f"There is no kernel {name!r}.{question} Known: {', '.join(sorted(KERNELS))}.", name=name)
    return KERNELS[name]
