"""The equations as numbers at one state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from cardan.equations.joint_directions import joint_nodes
from cardan.equations.reduced import Dynamics
from cardan.equations.unplaced import included_in_reactions
from cardan.errors import DerivationError, SingularMassMatrix
from cardan.geometry import matrix as m3
from cardan.graph import Node, evaluate, jacobian, jvp
from cardan.kinematics.space import Number
from cardan.native.once import once
from cardan.native.showing import Shown
from cardan.singular.constrained import RANK_CUT, Terms

Array = npt.NDArray[np.float64]

PIVOT_TOLERANCE = 64 * float(np.finfo(float).eps)  # a pivot below this times its diagonal entry is rounding


@dataclass(frozen=True)
class Reaction(Shown):
    """What the constraints do to a body: force and moment about ``point``, its centre of mass; world components.

    ``includes`` names what was typed without a place and acts along coordinates that move the body: a balance of forces
    cannot tell it from a reaction.
    """

    name: str
    force: Array
    moment: Array
    point: Array
    includes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Numbers(Shown):
    """M vd + f + g = Q + A^T lam at one state, every term a NumPy array, formed when asked for."""

    _showing: ClassVar[tuple[str, ...]] = ("M", "f", "g", "Q")

    dynamics: Dynamics
    inputs: Mapping[Node, float]

    def _evaluate(self, nodes: Sequence[Node]) -> Array:
        return np.array([float(x) for x in evaluate(list(nodes), dict(self.inputs))])

    @once
    def M(self) -> Array:
        self.dynamics.require_quadratic()
        n = len(self.dynamics.v)
        return self._evaluate([x for row in self.dynamics.mass_matrix for x in row]).reshape(n, n)

    @once
    def f(self) -> Array:
        return self._evaluate(self.dynamics.velocity_terms)

    @once
    def g(self) -> Array:
        return self._evaluate(self.dynamics.potential_terms)

    @once
    def Q(self) -> Array:
        return self._evaluate(self.dynamics.forces)

    @once
    def C(self) -> Array:
        """C_ij = sum_k Gamma^i_jk qd_k, Choset (10.8)-(10.9); Mdot - 2 C is skew."""
        d = self.dynamics
        if d.model.has_quaternions:
            raise DerivationError(
                "The Coriolis matrix needs coordinates; this model has a quaternion. Use Euler angles."
            )
        n = len(d.v)
        entries = [x for row in d.mass_matrix for x in row]
        Md = jvp(entries, d.q, d.v)
        Mv = [sum((x * v for x, v in zip(row, d.v, strict=True)), d.space.graph.zero) for row in d.mass_matrix]
        held = jacobian(Mv, d.q)
        slopes = self._evaluate([x for row in held for x in row]).reshape(n, n)
        return (self._evaluate(Md).reshape(n, n) + slopes - slopes.T) / 2

    # --- constraints -------------------------------------------------------------------------------

    @once
    def A(self) -> Array:
        """Constraint matrix, m by n: A v + b0 = 0."""
        c = self.dynamics.constraints
        return self._evaluate([x for row in c.matrix for x in row]).reshape(len(c.rows), len(c.v))

    @once
    def Ad(self) -> Array:
        """Time derivative of A along the motion."""
        return self._evaluate([x for row in self.dynamics.constraints.matrix_rate for x in row]).reshape(self.A.shape)

    @once
    def b0(self) -> Array:
        return self._evaluate(self.dynamics.constraints.offsets)

    @once
    def b(self) -> Array:
        """A vd = b."""
        return self._evaluate(self.dynamics.constraints.targets)

    @once
    def phi(self) -> dict[str, float]:
        """Residuals of the holonomic constraints by name."""
        c = self.dynamics.constraints
        return dict(zip([c.names[i] for i in c.holonomic], self._evaluate(c.phi).tolist(), strict=True))

    @once
    def P(self) -> Array:
        """P = 1 - M^-1 A^T (A M^-1 A^T)^+ A, Choset (10.19): projects motions to those the constraints allow."""
        W = self._terms.half
        rows = self._terms.A @ W
        forbidden = np.linalg.pinv(rows, rcond=RANK_CUT) @ rows
        P: Array = np.eye(len(self.M)) - W @ forbidden @ np.linalg.inv(W)
        return P

    @once
    def _terms(self) -> Terms:
        h = self._evaluate(self.dynamics.bias)
        return Terms(np.zeros(0), self.M, h, self.A, self.b)

    @once
    def _constrained(self) -> tuple[Array, Array]:
        """(vd, lam) of M vd + h = A^T lam, A vd = b; where multipliers are not unique, the shortest ones."""
        return self._terms.accelerations()

    # --- motion ------------------------------------------------------------------------------------

    @once
    def acceleration(self) -> Array:
        """vd; a mass matrix without an inverse is refused by name."""
        if self.dynamics.model.constraints:
            return self._constrained[0]
        vd, pivots = self.dynamics.acceleration
        found = self._evaluate([x for pair in pivots for x in pair]).reshape(-1, 2)
        for (pivot, scale), name in zip(found, self._pivot_names(len(found)), strict=True):
            if not pivot > PIVOT_TOLERANCE * scale:
                raise SingularMassMatrix(
                    f"The mass matrix has no inverse here: pivot {pivot:.3g} for {name} against {scale:.3g} on the "
                    "diagonal. The coordinates are singular or a freedom carries no inertia: give it inertia, or use "
                    "other coordinates.",
                    pivot=float(pivot),
                    scale=float(scale),
                    name=name,
                )
        return self._evaluate(vd)

    def _pivot_names(self, count: int) -> list[str]:
        names = [str(symbol) for symbol in self.dynamics.model.v]
        return names if len(names) == count else [f"freedom {k + 1}" for k in range(count)]

    @once
    def multipliers(self) -> dict[str, float]:
        """mu by name of prescribed coordinate, lam by name of constraint: M vd + f + g = Q + A^T lam."""
        d = self.dynamics
        everything = [symbol for one in d.model.variables for symbol in one.configuration]
        names = [str(symbol) for symbol in everything if symbol in d.model.prescribed]
        lam = self._constrained[1].tolist() if d.model.constraints else []
        mu = self._with_accelerations(d.multipliers(d.vd), lam)
        found = dict(zip(names, mu.tolist(), strict=True))
        if d.model.constraints:
            found |= dict(zip(d.constraints.names, lam, strict=True))
        directions = joint_nodes(d)
        numbers = self._with_accelerations(d.impose(list(directions.values())), lam)
        return found | dict(zip(directions, numbers.tolist(), strict=True))

    def _with_accelerations(self, nodes: Sequence[Node], lam: Sequence[float] = ()) -> Array:
        values = dict(self.inputs) | dict(zip(self.dynamics.vd, self.acceleration.tolist(), strict=True))
        values |= dict(zip(self.dynamics.lam, lam, strict=False))
        return np.array([float(x) for x in evaluate(list(nodes), values)])

    @once
    def reactions(self) -> dict[str, Reaction]:
        """Reaction force and moment on each body and particle, by balance; world components."""
        found, included = {}, included_in_reactions(self.dynamics.model)
        for name, parts in self.dynamics.reaction_parts():
            table = self._with_accelerations(self.dynamics.impose(parts))
            found[name] = Reaction(name, table[:3], table[3:6], table[6:], included[name])
        return found

    @once
    def energy(self) -> dict[str, float]:
        """Kinetic energy T, potential energy V and the Jacobi integral."""
        T, V, jacobi = self._evaluate(self.dynamics.energies)
        return {"T": float(T), "V": float(V), "jacobi": float(jacobi)}

    @once
    def basis(self) -> Array:
        """Covariant basis a_J of the representative particle: 3p + 12R rows, one column per coordinate."""
        d = self.dynamics
        rows = jacobian(d.impose(representative_particle(d)), d.q)
        return self._evaluate([x for row in rows for x in row]).reshape(len(rows), len(d.q))

    def __repr__(self) -> str:
        return f"Numbers(M={self.M.tolist()}, f={self.f.tolist()}, g={self.g.tolist()}, Q={self.Q.tolist()})"


def representative_particle(d: Dynamics) -> list[Number]:
    """r = (x^1, ..., x^p, xbar^1, Q^1, ...), Hemingway & O'Reilly (15), as graph nodes."""
    tree, found = d.full.lifted, []
    for particle in d.model.particles:
        found += list(tree.point(particle.frame, (0, 0, 0)))
    for body in d.model.bodies:
        R, _ = tree.pose(body.frame)
        found += [*tree.point(body.frame, body.com), *(x for row in m3.transpose(R) for x in row)]
    return found
