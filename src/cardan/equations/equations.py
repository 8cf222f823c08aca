"""The equations of motion as a person reads them: M vd + f + g = Q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.equations.checking import Judgement, check_row
from cardan.equations.constrained_symbolic import SymbolicConstraints
from cardan.equations.feasible import Feasible, feasible
from cardan.equations.joint_directions import JointDirection, joint_directions, multiplier
from cardan.equations.numbers import Numbers
from cardan.equations.reduced import Dynamics, derive
from cardan.equations.speeds import speeds_in, velocities_of
from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.symbolic_reactions import SymbolicReactions, symbolic_reactions
from cardan.equations.tidy import tidy, tidy_matrix, tidy_symmetric
from cardan.equations.unplaced import can_be_balanced
from cardan.equations.writing.forms import BUDGET, Forms
from cardan.equations.writing.written import Written
from cardan.errors import DerivationError, WrongShape
from cardan.geometry import matrix as m3
from cardan.graph import Node
from cardan.model.by_name import Named, in_order
from cardan.model.model import Model
from cardan.model.signals import signal_values
from cardan.model.variables import Variable
from cardan.native.once import once
from cardan.native.suggesting import Suggesting

READABLE = 6  # velocities; the equations of more fill pages


@dataclass(frozen=True)
class Equations(Suggesting):
    """Readable equations on demand (SymPy), and numbers at any state (``at``)."""

    model: Model
    form: str = "auto"  # how ``rows`` are written: "multiplier", or "projected" by P_u, Choset (10.18)
    derived: Dynamics | None = field(default=None, repr=False, compare=False)  # for machines, where it is known already

    @once
    def symbolic(self) -> SymbolicEquations:
        return SymbolicEquations(self.model)

    @once
    def dynamics(self) -> Dynamics:
        """The same equations for machines, derived independently."""
        return derive(self.model) if self.derived is None else self.derived

    @once
    def places(self) -> Feasible:
        """Configurations on the constraints, at the values of the parameters, and what can move there."""
        return feasible(self.dynamics)

    @once
    def independent_rows(self) -> list[int]:
        """Holonomic rows that do not follow from those before them; all where no configuration satisfies them."""
        rows = [k for k, row in enumerate(self.symbolic.rows) if row.phi is not None]
        return self.places.independent(rows) if len(self.places.q) else rows

    # --- terms -------------------------------------------------------------------------------------

    @once
    def mass_matrix(self) -> sp.Matrix:
        """M(q), n by n."""
        self.dynamics_free_check()
        s = self.symbolic
        return tidy_symmetric(sp.Matrix([[s.impose(s.mass_matrix[i, j]) for j in s.free] for i in s.free]))

    def dynamics_free_check(self) -> None:
        """Raise NotQuadratic where a mass matrix does not exist."""
        from cardan.errors import NotQuadratic

        moving = set(self.symbolic.v)
        for entry in self.symbolic.mass_matrix:
            found = sp.simplify(entry).free_symbols & moving if entry.free_symbols & moving else set()
            if found:
                names = ", ".join(sorted(str(symbol) for symbol in found))
                raise NotQuadratic(
                    f"The energy of {self.model.name!r} is not quadratic in the velocities ({names} remain in its "
                    "second derivatives), so it has no mass matrix M(q). Its motion can still be simulated.",
                    names=names,
                )

    @once
    def velocity_terms(self) -> sp.Matrix:
        """f: terms from kinetic energy that are left where accelerations of free coordinates vanish."""
        s = self.symbolic
        return tidy_matrix(sp.Matrix([s.impose(s.velocity_terms[i] + s.driven(i)) for i in s.free]))

    @once
    def potential_terms(self) -> sp.Matrix:
        """g: terms from potentials."""
        s = self.symbolic
        return tidy_matrix(sp.Matrix([s.impose(s.potential_terms[i]) for i in s.free]))

    @once
    def christoffel(self) -> sp.ImmutableDenseNDimArray:
        """Christoffel symbols of the first kind, christoffel[i, j, k] = Gamma^i_jk of Choset (10.9)."""
        q, M = self._coordinates(), self.mass_matrix
        n = len(q)
        symbols = [
            tidy((sp.diff(M[i, j], q[k]) + sp.diff(M[i, k], q[j]) - sp.diff(M[k, j], q[i])) / 2)
            for i in range(n)
            for j in range(n)
            for k in range(n)
        ]
        return sp.ImmutableDenseNDimArray(symbols, (n, n, n))

    @once
    def coriolis_matrix(self) -> sp.Matrix:
        """C_ij = sum_k Gamma^i_jk qd_k."""
        n, v = len(self.model.v), self.model.v
        gamma = self.christoffel
        return tidy_matrix(
            sp.Matrix(n, n, lambda i, j: sp.Add(*(gamma[i, j, k] * v[k] for k in range(n)))) if n else sp.zeros(0, 0)
        )

    def _coordinates(self) -> tuple[sp.Symbol, ...]:
        if self.model.has_quaternions:
            raise DerivationError(
                "Christoffel symbols and covariant bases belong to coordinates; this model has a quaternion. Use Euler "
                "angles for them."
            )
        return self.model.q

    # --- energies ----------------------------------------------------------------------------------

    @once
    def kinetic_energy(self) -> sp.Expr:
        """T with prescribed motions put in."""
        return tidy(self.symbolic.impose(self.symbolic.kinetic))

    @once
    def potential_energy(self) -> sp.Expr:
        """V; for a typed Lagrangian, minus its value at rest (T0 - V is not split)."""
        return tidy(self.symbolic.impose(self.symbolic.potential))

    @once
    def kinetic_energy_split(self) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
        """(T2, T1, T0): quadratic, linear and free of velocities, Hemingway & O'Reilly (8).

        With only a Lagrangian given, T0 - V is not split: T0 is returned as 0 and the rest stays in potential_energy.
        """
        T = self.symbolic.impose(self.symbolic.kinetic)
        v = self.model.v
        zero = dict.fromkeys(v, 0)
        T0 = T.subs(zero)
        T1 = sp.Add(*(sp.diff(T, one).subs(zero) * one for one in v))
        return tidy(sp.expand(T - T1 - T0)), tidy(T1), tidy(T0)

    # --- constraints and forces --------------------------------------------------------------------

    @once
    def constraints(self) -> SymbolicConstraints:
        """The constraint rows: ``names``, ``matrix`` A, ``matrix_rate``, ``offsets`` b0, ``targets`` b."""
        return SymbolicConstraints(self.symbolic)

    @property
    def constraint_matrix(self) -> sp.Matrix:
        """A, with A v + b0 = 0."""
        return self.constraints.matrix

    @once
    def projection(self) -> sp.Matrix:
        """P = 1 - M^-1 A^T (A M^-1 A^T)^-1 A; its transpose P_u projects forces, Choset (10.18)-(10.20)."""
        return self.constraints.projection(self.mass_matrix)

    @once
    def generalized_forces(self) -> dict[str, sp.Expr]:
        """Q_J for every J: free coordinates, then prescribed ones, constrained directions of joints, and constraints.

        Those that are held carry their multiplier: mu_... in the row of a coordinate or direction, lam_... in A^T lam.
        """
        s = self.symbolic
        names = self._row_names
        found = {names[i]: force for i, force in zip(s.free, self.forces_and_pushes, strict=True)}
        for i in s.held:
            found[names[i]] = tidy(s.impose(s.forces[i])) + multiplier(names[i]) + self._push_on(i)
        for direction in self._joint_directions:
            push = tidy(s.impose(direction.pushed))
            found[direction.name] = tidy(s.impose(direction.applied)) + multiplier(direction.name) + push
        return found

    @once
    def forces_and_pushes(self) -> list[sp.Expr]:
        """Q + A^T lam of the free coordinates."""
        s = self.symbolic
        applied = [tidy(s.impose(s.forces[i])) for i in s.free]
        if not self.model.constraints:
            return applied
        pushes = self.constraint_matrix.T * sp.Matrix([multiplier(name, "lam") for name in self.constraints.names])
        return [force + push for force, push in zip(applied, pushes, strict=True)]

    @once
    def multipliers(self) -> dict[str, sp.Expr]:
        """mu of prescribed coordinates and joint directions, in terms of accelerations, and lam of constraints solved.

        A mu is the row of (10) minus applied forces and minus what constraints push along it, (A^T lam); a lam is
        Choset's (A M^-1 A^T)^-1 (b + A M^-1 (f + g - Q)). Directions of joints are left out where a weight may have
        been typed without a place.
        """
        s, found = self.symbolic, {}
        for i in s.held:
            row = s.velocity_terms[i] + s.driven(i) + s.potential_terms[i] - s.forces[i]
            row += sp.Add(*(s.mass_matrix[i, j] * s.v[j].dot for j in s.free))
            found[self._row_names[i]] = tidy(s.impose(row)) - self._push_on(i)
        if can_be_balanced(self.model):
            for direction in self._joint_directions:
                found[direction.name] = tidy(s.impose(direction.transmitted - direction.pushed))
        if self.model.constraints:
            applied = sp.Matrix([tidy(s.impose(s.forces[i])) for i in s.free])
            load = self.velocity_terms + self.potential_terms - applied
            lam = self.constraints.multipliers(self.mass_matrix, load)
            found |= dict(zip(self.constraints.names, lam, strict=True))
        return found

    def _push_on(self, i: int) -> sp.Expr:
        """(A^T lam) along a prescribed coordinate, lam as symbols."""
        s = self.symbolic
        parts = [s.impose(sp.diff(row.rate, s.v[i])) * multiplier(row.name, "lam") for row in s.rows]
        return tidy(sp.Add(*parts))

    @once
    def _row_names(self) -> list[str]:
        return [str(symbol) for one in self.model.variables for symbol in _labels(one)]

    @once
    def _joint_directions(self) -> list[JointDirection]:
        return joint_directions(self.symbolic)

    @once
    def reactions(self) -> SymbolicReactions:
        """Reaction force and moment (about the centre of mass) on each body and particle, along its own axes.

        By balance: mass times acceleration minus named loads, weight, springs and dampers. After 10 s the rest is left
        as long as it is; ``eq.reactions(budget=60)`` takes more.
        """
        return symbolic_reactions(self.symbolic)

    @once
    def covariant_basis(self) -> sp.Matrix:
        """Columns a_J = dr/dq^J of the representative particle r = (x, ..., xbar, Q, ...), ibid. (16)."""
        s, rows = self.symbolic, []
        for particle in self.model.particles:
            rows += list(s.tree.point(particle.frame, (0, 0, 0)))
        for body in self.model.bodies:
            R, _ = s.tree.pose(body.frame)
            rows += [*s.tree.point(body.frame, body.com), *(x for row in m3.transpose(R) for x in row)]
        r = sp.Matrix([s.impose(row) for row in rows])
        return tidy_matrix(r.jacobian(sp.Matrix(self._coordinates()))) if rows else sp.zeros(0, len(self.model.q))

    # --- numbers and display -----------------------------------------------------------------------

    def at(
        self,
        q: Sequence[float] | NDArray[np.float64] | Named,
        v: Sequence[float] | NDArray[np.float64] | Named | None = None,
        t: float = 0.0,
        loads: Mapping[str, float | Sequence[float] | NDArray[np.float64]] | None = None,
        inputs: Mapping[str, float] | None = None,
    ) -> Numbers:
        """All terms as NumPy arrays at a state, given in order or by name: ``eq.at({"a": 0.3}, {"a": 1.0})``."""
        d = self.dynamics
        q = in_order(self.model, q, "q") if isinstance(q, Mapping) else q
        if (speeds := speeds_in(self.model, v)) is not None:
            v = velocities_of(d, np.asarray(q, dtype=float), speeds, t)
        v = [0.0] * len(d.v) if v is None else in_order(self.model, v, "v") if isinstance(v, Mapping) else v
        for what, given, expected in (("q", q, d.q), ("v", v, d.v)):
            if len(given) != len(expected):
                raise WrongShape(
                    f"{what} has {len(given)} numbers, expected {len(expected)}: "
                    f"{', '.join(str(node.name) for node in expected)}."
                )
        values: dict[Node, float] = {d.t: float(t)}
        values |= {node: float(x) for node, x in zip(d.q, q, strict=True)}
        values |= {node: float(x) for node, x in zip(d.v, v, strict=True)}
        values |= {d.space.nodes[symbol]: value for symbol, value in self.model.values.items()}
        values |= {d.space.nodes[symbol]: 0.0 for symbol in self.model.signals}
        values |= {d.space.nodes[s]: float(x) for s, x in signal_values(self.model, loads, inputs).items()}
        return Numbers(d, values)

    @once
    def forms(self) -> Forms:
        """The forms in which these equations can be written."""
        return Forms(self)

    def write(self, form: str = "rows", budget: float = BUDGET) -> Written:
        """The equations as "rows", "matrix", "explicit", "projected", "state", "hamiltonian" or "kane".

        Every form lists the rows of constraints and the conditions of contacts, so that there are as many equations as
        unknowns; ``str(...)``, ``.latex()`` and ``.mathml()`` of the answer print it.
        """
        return self.forms.write(form, budget)

    def check(self, row: sp.Basic | str) -> Judgement:
        """Whether a row that somebody derived is right, and if not, in which term it is wrong.

        ``row`` is an equation, an expression that should be zero, or text such as ``"m*x_ddot + k*x = 0"``. The answer
        is true where the row is right; its ``kind`` is "equal", "factor", "implied", "signs", "wrong" or "unrelated".
        """
        return check_row(self, row)

    @property
    def rows(self) -> list[sp.Eq]:
        """One SymPy equation per velocity: M vd + f + g = Q + A^T lam, or P_u (M vd + f + g) = P_u Q."""
        left = self.forms.left
        if self.form == "projected" and self.model.constraints:
            s, P_u = self.symbolic, self.projection.T
            applied = sp.Matrix([s.impose(s.forces[i]) for i in s.free])
            return [sp.Eq(tidy(a), tidy(b)) for a, b in zip(P_u * sp.Matrix(left), P_u * applied, strict=True)]
        return [sp.Eq(a, b) for a, b in zip(left, self.forces_and_pushes, strict=True)]

    @property
    def _displayed(self) -> Written:
        return self.write("projected" if self.form == "projected" and self.model.constraints else "rows")

    def latex(self) -> str:
        """The equations typeset, one line each, with the rows of constraints and the conditions of contacts."""
        return self._displayed.latex()

    def _repr_latex_(self) -> str | None:
        """For notebooks; nothing for a system whose equations would fill pages and take minutes to write."""
        return self._displayed._repr_latex_() if len(self.model.v) <= READABLE else None

    def __repr__(self) -> str:
        many = f"{len(self.model.v)} velocities, {len(self.model.constraints)} constraints"
        return f"Equations({self.model.name!r}: M vd + f + g = Q + A^T lam, {many})"

    def __str__(self) -> str:
        return "\n".join(self._displayed.lines)


def _labels(variable: Variable) -> tuple[sp.Symbol, ...]:
    """Names of the rows of a variable: the coordinate, or the three angular velocities of a quaternion."""
    return tuple(variable.configuration if len(variable.configuration) == 1 else variable.velocities)
