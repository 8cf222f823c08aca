"""Lagrange's equations in SymPy: the route for people, independent of the recursive one.

    d/dt (dT*/dqd^J) - dT*/dq^J = Q_J,   Hemingway & O'Reilly (10)

T* is formed before motions are prescribed, so every coordinate has its row; prescribed ones are imposed afterwards.
For the angular velocity w of a quaternion e the row is Hamel's: d/dt (dT/dw) + w x dT/dw - N^T dT/de = Q.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from cardan.algebra.expanding import expanded, on_spheres
from cardan.algebra.shorten import length
from cardan.equations.energies import kinetic_energy
from cardan.equations.reactions import Balance, Balancing, Pull, element_forces
from cardan.equations.recursive import ZERO, Pair, Rate, external_wrenches, velocities
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.kinematics.lifted import LiftedTree
from cardan.kinematics.motion import Motion
from cardan.kinematics.rows import Row, rows_of
from cardan.kinematics.tree import WORLD, Link, build_tree
from cardan.model.frames import Frame, Vector
from cardan.model.loads import Damper, Spring
from cardan.model.model import Model
from cardan.model.motions import Triple
from cardan.model.variables import CoordinateVariable, QuaternionVariable, Variable
from cardan.native.once import once


class SymbolicEquations:
    """Energies and Lagrange's equations of a model as SymPy expressions, before and after prescribed motions."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.t = model.time
        self.q = [symbol for one in model.variables for symbol in one.configuration]
        self.v = [symbol for one in model.variables for symbol in one.velocities]
        self.qd = [rate for one in model.variables for rate in _rates(one)]
        self.tree = LiftedTree(build_tree(model), sp.sympify)
        self.joint_rates = [self._rate(link) for link in self.tree.tree.links]

    def _rate(self, link: Link) -> Rate:
        if link.kind == "spin":
            return QuaternionVariable(link.variable).velocities
        return self.time_derivative(link.variable)

    def time_derivative(self, expression: sp.Expr) -> sp.Expr:
        """d/dt of an expression of (q, t)."""
        expression = sp.sympify(expression)
        if expression in self.q:
            return sp.sympify(self.qd[self.q.index(expression)])
        present = expression.free_symbols
        moving = [(q, rate) for q, rate in zip(self.q, self.qd, strict=True) if q in present]
        return sp.diff(expression, self.t) + sp.Add(*(sp.diff(expression, q) * rate for q, rate in moving))

    # --- energies ----------------------------------------------------------------------------------

    @once
    def kinetic(self) -> sp.Expr:
        """T*, or what a typed Lagrangian has beyond its value at rest."""
        total = sp.sympify(kinetic_energy(self.tree, self.joint_rates)) + sum(self.model.kinetic_energies)
        lagrangian = sp.Add(*self.model.lagrangians)
        return expanded(total + lagrangian - self._at_rest(lagrangian))

    @once
    def potential(self) -> sp.Expr:
        """V, or minus the value at rest of a typed Lagrangian."""
        total = sp.Add(*self.model.potentials) - self._at_rest(sp.Add(*self.model.lagrangians))
        if self.model.gravity is not None:
            g = self.model.gravity.express(self.model.world)
            for mass in self.tree.tree.masses:
                total -= mass.mass * m3.dot(g, self.tree.point(mass.frame, mass.com))
        for spring in self.model.springs:
            total += spring.stiffness * (self._length(spring) - spring.length) ** 2 / 2
        return total

    def _at_rest(self, expression: sp.Expr) -> sp.Expr:
        return expression.subs(dict.fromkeys(self.v, 0))

    def _length(self, element: Spring | Damper) -> sp.Expr:
        if not element.acts_between_points:
            return element.first
        first, second = (self.tree.point(end.frame, end.position) for end in element.points)
        return sp.sqrt(m3.squared_norm(m3.subtract(first, second)))

    # --- rows --------------------------------------------------------------------------------------

    @once
    def mass_matrix(self) -> sp.Matrix:
        momenta = [sp.diff(self.kinetic, v) for v in self.v]
        return sp.Matrix([[sp.diff(p, v) for v in self.v] for p in momenta])

    @once
    def velocity_terms(self) -> list[sp.Expr]:
        momenta = [sp.diff(self.kinetic, v) for v in self.v]
        found: list[sp.Expr] = []
        for variable in self.model.variables:
            own = momenta[len(found) : len(found) + len(variable.velocities)]
            slopes = self._along(variable, self.kinetic)
            rates = [self.time_derivative(p) for p in own]
            if isinstance(variable, QuaternionVariable):
                rates = list(m3.add(rates, m3.cross(variable.velocities, own)))
            found += [rate - slope for rate, slope in zip(rates, slopes, strict=True)]
        return found

    @once
    def potential_terms(self) -> list[sp.Expr]:
        return [slope for one in self.model.variables for slope in self._along(one, self.potential)]

    def _along(self, variable: Variable, expression: sp.Expr) -> list[sp.Expr]:
        """Derivatives along the velocities of a variable."""
        partials = [sp.diff(expression, q) for q in variable.configuration]
        if isinstance(variable, CoordinateVariable):
            return partials
        return list(m3.matvec(m3.transpose(quaternion.rate_matrix(variable.configuration)), partials))

    @once
    def forces(self) -> list[sp.Expr]:
        """Q_J of loads by (11), typed forces and dampers."""
        found = [sp.Integer(0)] * len(self.v)
        for load in self.model.loads:
            for end, sign in load.ends:
                pulled = self._pull(load.kind, end.frame, end.position, load.vector)
                found = [total + sign * part for total, part in zip(found, pulled, strict=True)]
        index = {symbol: j for j, symbol in enumerate(self.v)}
        for force in self.model.generalized_forces:
            found[index[force.coordinate]] += force.expression
        for damper in self.model.dampers:
            length = self._length(damper)
            pull = damper.tension(length, self.time_derivative(length))
            slopes = [slope for one in self.model.variables for slope in self._along(one, length)]
            found = [total - pull * slope for total, slope in zip(found, slopes, strict=True)]
        return found

    def _pull(self, kind: str, frame: Frame, position: Triple, vector: Vector) -> list[sp.Expr]:
        """F . dv/dqd^J or M . dw/dqd^J for every J."""
        w, v = self.motion(frame, position)
        k = self.tree.link_of(frame)
        if k == WORLD:
            return [sp.Integer(0)] * len(self.v)
        parts = self.tree.components(vector, k)
        moved = v if kind == "force" else w
        return [m3.dot(parts, tuple(sp.diff(x, rate) for x in moved)) for rate in self.v]

    def motion(self, frame: Frame, position: Triple = ZERO) -> tuple[Triple, Triple]:
        """Angular velocity of a frame and velocity of a point fixed in it, along the axes of the frame's link."""
        k = self.tree.link_of(frame)
        if k == WORLD:
            return ZERO, ZERO
        R, p = self.tree.offset(frame)
        arm = m3.add(p, m3.matvec(R, position))
        w, v = self._velocities[k]
        return w, m3.add(v, m3.cross(w, arm))

    @once
    def _velocities(self) -> list[Pair]:
        return velocities(self.tree, self.joint_rates)

    # --- constraints and reactions -----------------------------------------------------------------

    @once
    def motion_in_world(self) -> Motion:
        """Positions and velocities in world components."""
        return Motion(self.tree, self._velocities, self.time_derivative)

    @once
    def rows(self) -> list[Row]:
        """All scalar constraint rows, in the order they were stated."""
        return [row for constraint in self.model.constraints for row in rows_of(constraint, self.motion_in_world)]

    def rate_with_accelerations(self, values: Triple) -> Triple:
        """d/dt of expressions of (q, v, t), accelerations as symbols."""
        return tuple(
            self.time_derivative(x) + sp.Add(*(sp.diff(x, v) * v.dot for v in self.v)) for x in map(sp.sympify, values)
        )

    @once
    def balances(self) -> list[Balance]:
        """Reaction force and moment on each body and particle, in terms of (q, v, vd, t)."""
        means = Balancing(
            self.model, self.tree, self._velocities, self.rate_with_accelerations, self.gravity, self.elements
        )
        return means.balances()

    @once
    def elements(self) -> list[Pull]:
        """What springs and dampers between points do at their ends."""
        return element_forces(self.model, self.tree, self.time_derivative, sp.sqrt, Damper.tension)

    @property
    def gravity(self) -> Triple:
        """Acceleration of gravity, world components."""
        return ZERO if self.model.gravity is None else self.model.gravity.express(self.model.world)

    @once
    def external(self) -> dict[int, Pair]:
        """Applied wrench (moment, force) of named loads at the origin of each loaded link, along its axes."""
        return external_wrenches(self.model, self.tree)

    # --- imposing ----------------------------------------------------------------------------------

    @once
    def free(self) -> list[int]:
        return [j for j, symbol in enumerate(self.v) if symbol in set(self.model.v)]

    @once
    def held(self) -> list[int]:
        return [j for j in range(len(self.v)) if j not in set(self.free)]

    def impose(self, expression: sp.Expr) -> sp.Expr:
        """The expression with prescribed motions put in."""
        expression = sp.sympify(expression)
        values: dict[sp.Symbol, sp.Expr] = {}
        for q, f in self.model.prescribed.items():
            values |= {q.ddot: sp.diff(f, self.t, 2), q.dot: sp.diff(f, self.t), q: f}
        return self._on_unit_quaternions(expression.subs(values) if values else expression)

    def _on_unit_quaternions(self, expression: sp.Expr) -> sp.Expr:
        """The shorter of the expression and its remainder by w^2 + x^2 + y^2 + z^2 = 1 for every quaternion."""
        spheres = [one.configuration for one in self.model.variables if isinstance(one, QuaternionVariable)]
        return min(expression, on_spheres(expression, spheres), key=length) if spheres else expression

    def driven(self, i: int) -> sp.Expr:
        """sum over prescribed coordinates of M_ik fdd_k."""
        return sp.Add(*(self.mass_matrix[i, k] * self.v[k].dot for k in self.held))


def _rates(variable: Variable) -> Sequence[sp.Expr]:
    if isinstance(variable, CoordinateVariable):
        return variable.velocities
    return m3.matvec(quaternion.rate_matrix(variable.configuration), variable.velocities)
