"""The representative particle in symbols and in numbers: r, a_J, the inner product, m, a^J, M_AB = m a_A . a_B.

    r = (x^1 .. x^p, xbar^1 .. xbar^R, Q^1 .. Q^R)                                    (15)
    [u, w] = (sum m_i u_i . w_i + sum M_I u_I . w_I + sum tr(U_I E_I W_I^T)) / m

with the Euler tensor E = tr(J) / 2 - J of each body about its centre of mass, so that m [rd, rd] / 2 = T*. The mass m
is the sum of all masses (1 where there is none, as in a suspension without masses).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.equations.particle.columns import Column, Means, graph_means, masses_of, symbolic_means
from cardan.equations.reduced import Dynamics
from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.tidy import tidy, tidy_matrix
from cardan.errors import SingularityError, unknown
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar
from cardan.model.given import Amount
from cardan.model.model import Model
from cardan.native.once import once
from cardan.native.showing import Shown

Array = NDArray[np.float64]

DEPENDENT = 1e-10  # singular values below this part of the largest: basis vectors that do not span


def component_names(model: Model) -> tuple[str, ...]:
    """Names of the components of a vector of C^(3p + 12R)."""
    things = masses_of(model)
    places = [f"{one.name}.{axis}" for one in things for axis in "xyz"]
    return (*places, *(f"{one.name}.Q{i}{j}" for one in model.bodies for i in "123" for j in "123"))


def spread(means: Means, column: Column) -> list[Scalar]:
    """a_J in C^(3p + 12R): velocities, and skwt(w) Q for each body."""
    found: list[Scalar] = [x for v in column.particles for x in v]
    found += [x for v, _ in column.bodies for x in v]
    for (_, w), Q in zip(column.bodies, means.rotations(), strict=True):
        found += [x for row in m3.matmul(m3.skew(w), Q) for x in row]
    return found


@dataclass(frozen=True)
class RepresentativeParticle(Shown):
    """One particle that stands for a whole system: ``mass``, ``position`` r and ``basis`` a_J in symbols; ``at(q)``."""

    _showing: ClassVar[tuple[str, ...]] = ("mass", "components", "position", "basis")

    dynamics: Dynamics
    symbolic: SymbolicEquations

    @property
    def model(self) -> Model:
        return self.dynamics.model

    @property
    def components(self) -> tuple[str, ...]:
        """What each component of its vectors is, as in "platform.Q12"."""
        return component_names(self.model)

    @once
    def mass(self) -> sp.Expr:
        """m, the sum of all masses; 1 where there is none."""
        total = sp.Add(*(one.mass for one in masses_of(self.model)))
        return total if total != 0 else sp.Integer(1)

    @once
    def position(self) -> sp.Matrix:
        """r, (15)."""
        means = symbolic_means(self.symbolic)
        parts = [x for place in means.places() for x in place]
        parts += [x for Q in means.rotations() for row in Q for x in row]
        return tidy_matrix(sp.Matrix([self.symbolic.impose(x) for x in parts]))

    @once
    def _columns(self) -> list[tuple[Column, sp.Matrix]]:
        s, means = self.symbolic, symbolic_means(self.symbolic)
        return [(one, tidy_matrix(sp.Matrix([s.impose(x) for x in spread(means, one)]))) for one in means.columns()]

    @once
    def basis(self) -> dict[str, sp.Matrix]:
        """a_J for every J, (16): free coordinates first, then prescribed and held directions."""
        return {one.name: vector for one, vector in self._columns}

    @once
    def kinds(self) -> dict[str, str]:
        """Whether each J is "free", "prescribed" or "held"."""
        return {one.name: one.kind for one, _ in self._columns}

    @once
    def free(self) -> tuple[str, ...]:
        """The A of a_A, which span the tangent space."""
        return tuple(one.name for one, _ in self._columns if one.kind == "free")

    @once
    def weights(self) -> sp.Matrix:
        """The matrix of the inner product: [u, w] = u^T weights w."""
        blocks = [one.mass * sp.eye(3) for one in masses_of(self.model)]
        blocks += [sp.diag(*[_euler_tensor(sp.Matrix(one.inertia))] * 3) for one in self.model.bodies]
        return sp.diag(*blocks) / self.mass if blocks else sp.zeros(0, 0)

    def inner(self, u: sp.Matrix, w: sp.Matrix) -> sp.Expr:
        """[u, w] of two vectors of C^(3p + 12R)."""
        return tidy((sp.Matrix(u).T * self.weights * sp.Matrix(w))[0, 0])

    def partial_velocity(self, of: str, name: str) -> tuple[sp.Matrix, sp.Matrix]:
        """(dv/dqd^J, dw/dqd^J) of a particle or of the centre of a body, as in (42): world components."""
        columns = {one.name: one for one, _ in self._columns}
        if name not in columns:
            raise unknown(name, columns, f"coordinate or held direction of {self.model.name!r}")
        things = [one.name for one in masses_of(self.model)]
        if of not in things:
            raise unknown(of, things, f"particle or body of {self.model.name!r}")
        k, column = things.index(of), columns[name]
        pairs = [*((v, (0, 0, 0)) for v in column.particles), *column.bodies]
        v, w = (sp.Matrix([tidy(self.symbolic.impose(x)) for x in part]) for part in pairs[k])
        return v, w

    def at(self, q: Sequence[float] | Array, t: float = 0.0) -> ParticleAt:
        """Everything in numbers at a configuration."""
        return particle_at(self.dynamics, q, t)

    def __repr__(self) -> str:
        return (
            f"RepresentativeParticle({self.model.name!r}: in C^{len(self.components)}, "
            f"{len(self.free)} of {len(self.basis)} directions free)"
        )


def _euler_tensor(J: sp.Matrix) -> sp.Matrix:
    return J.trace() * sp.eye(3) / 2 - J


@dataclass(frozen=True)
class ParticleAt:
    """The representative particle at one configuration, in numbers; vectors are arrays of 3p + 12R components."""

    components: tuple[str, ...]
    mass: float
    position: Array
    basis: Mapping[str, Array]  # a_J
    kinds: Mapping[str, str]
    weights: Array  # [u, w] = u @ weights @ w

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(name for name, kind in self.kinds.items() if kind == "free")

    def inner(self, u: Array, w: Array) -> float:
        """[u, w]."""
        return float(u @ self.weights @ w)

    def metric(self, names: Sequence[str] | None = None) -> Array:
        """[a_J, a_K] of all, or of those named; m times it is M* of (5), and M of (9) for the free ones."""
        B = np.array([self.basis[name] for name in (self.basis if names is None else names)])
        return np.asarray(B @ self.weights @ B.T)

    @property
    def mass_matrix(self) -> Array:
        """M_AB = m [a_A, a_B] of the free coordinates."""
        return self.mass * self.metric(self.free)

    @property
    def rank(self) -> int:
        """How many of the a_A are independent; fewer than there are at a singularity of the coordinates."""
        s = np.linalg.svd(self.metric(self.free), compute_uv=False) if self.free else np.zeros(0)
        return int(np.sum(s > DEPENDENT * np.max(s, initial=0.0)))

    def dual(self, names: Sequence[str] | None = None) -> dict[str, Array]:
        """a^J = grad q^J: [a^J, a_K] = 1 where J is K and 0 else, in the space of all a_J, or of those named.

        With ``names=particle.free`` gradients along the configuration manifold itself. SingularityError where the
        a_J are dependent, and a coordinate has no gradient.
        """
        chosen = list(self.basis if names is None else names)
        G = self.metric(chosen)
        if len(G) and np.linalg.cond(G) > 1 / DEPENDENT:
            raise SingularityError(
                f"The vectors a_J of {', '.join(chosen)} are dependent here, so these coordinates have no gradients: "
                "a singularity of the coordinates, or bodies without mass or inertia. Ask elsewhere, or for others."
            )
        B = np.array([self.basis[name] for name in chosen])
        return dict(zip(chosen, np.linalg.solve(G, B) if len(G) else B, strict=True))


def particle_at(d: Dynamics, q: Sequence[float] | Array, t: float = 0.0) -> ParticleAt:
    """The representative particle in numbers, from the equations for machines."""
    means, model = graph_means(d), d.model
    columns = means.columns()
    numbers = [x for place in means.places() for x in place]
    numbers += [x for Q in means.rotations() for row in Q for x in row]
    for one in columns:
        numbers += spread(means, one)
    table = _values(d, numbers, q, t).reshape(1 + len(columns), -1)
    masses = [number_of(model, one.mass) for one in masses_of(model)]
    m = sum(masses) or 1.0
    weights = np.zeros((table.shape[1],) * 2)
    weights[: 3 * len(masses), : 3 * len(masses)] = np.diag(np.repeat(masses, 3))
    at = 3 * len(masses)
    for body in model.bodies:
        J = np.array([[number_of(model, x) for x in row] for row in body.inertia])
        for _ in range(3):
            weights[at : at + 3, at : at + 3] = np.trace(J) / 2 * np.eye(3) - J
            at += 3
    basis = {one.name: row for one, row in zip(columns, table[1:], strict=True)}
    return ParticleAt(
        component_names(model), m, table[0], basis, {one.name: one.kind for one in columns}, weights / m
    )  # fmt: skip


def _values(d: Dynamics, numbers: Sequence[Scalar], q: Sequence[float] | Array, t: float) -> Array:
    y = [*(float(x) for x in q), *(0.0 for _ in d.v)]
    values = [*(d.model.values[one] for one in d.model.parameters), *(0.0 for _ in d.model.signals)]
    return np.array(d.at(numbers, y, t, values))


def number_of(model: Model, expression: Amount) -> float:
    """An expression of parameters, at their values."""
    return float(sp.sympify(expression).xreplace(dict(model.values)))
