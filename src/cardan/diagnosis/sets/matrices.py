"""The matrices whose rank is asked for, in symbols and in numbers: the basis of masses, constraints, loads, a task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.algebra.trig_ring import canonical
from cardan.diagnosis.judges.clock import UNKNOWN, motion_times
from cardan.diagnosis.sets.chains import Chain, chains_of
from cardan.diagnosis.sets.fields import Field
from cardan.equations.equations import Equations
from cardan.errors import DerivationError
from cardan.geometry import matrix as m3
from cardan.kinematics.tree import WORLD, PointMass
from cardan.model.constraints import Distance
from cardan.model.frames import Point
from cardan.model.frames import Vector as Direction
from cardan.model.loads import Load
from cardan.model.motions import Triple
from cardan.model.variables import CoordinateVariable, QuaternionVariable
from cardan.native.deadline import check
from cardan.native.once import once

Vector = NDArray[np.float64]


class Matrices:
    """Velocity Jacobians of a model, its zero-valued parameters put in, and the variables they depend on."""

    def __init__(self, equations: Equations) -> None:
        self.equations, self.model = equations, equations.model
        self.s = equations.symbolic
        self.v = list(self.model.v)
        self.moving = [*self.model.q, self.model.time]
        self._zeros = {p: sp.S.Zero for p, value in self.model.values.items() if value == 0}

    def _entry(self, e: sp.Expr) -> sp.Expr:
        check()
        return sp.sympify(self.s.impose(e), strict=True).xreplace(self._zeros)

    def _columns(self, parts: Triple) -> sp.Matrix:
        """d parts / d v of the free velocities, prescribed motions put in."""
        return self._plain(3, [self._entry(sp.diff(x, v)) for x in map(sp.sympify, parts) for v in self.v])

    def _slopes(self, rate: sp.Expr) -> list[sp.Expr]:
        """d rate / d v of a rate that is affine in v: its values at unit velocities less that at rest."""
        rest = dict.fromkeys(self.v, sp.S.Zero)
        still = rate.xreplace(rest)
        return [rate.xreplace({**rest, v: sp.S.One}) - still if v in rate.free_symbols else sp.S.Zero for v in self.v]

    def _plain(self, rows: int, entries: Sequence[sp.Expr]) -> sp.Matrix:
        """A matrix of rows by n in which what cancels is zero."""
        return sp.Matrix(rows, len(self.v), canonical(entries, self.moving))

    # --- masses ------------------------------------------------------------------------------------

    @once
    def masses(self) -> list[tuple[PointMass, sp.Matrix, sp.Matrix | None]]:
        """(mass, Jacobian of its centre, angular Jacobian along its frame's axes or None) of all that moves."""
        found = []
        for mass in self.s.tree.tree.masses:
            if self.s.tree.link_of(mass.frame) == WORLD:
                continue
            w, v = self.s.motion(mass.frame, mass.com)
            R, _ = self.s.tree.offset(mass.frame)
            turning = None if mass.inertia is None else self._columns(m3.matvec(m3.transpose(R), w))
            found.append((mass, self._columns(v), turning))
        return found

    @once
    def chains(self) -> list[Chain] | None:
        """The joints between bodies that masses see in full, zeros put in; None where the tree is not made of these."""
        found = chains_of(self.model, self.s.tree)
        return None if found is None else [Chain(one.velocities, one.twists.xreplace(self._zeros)) for one in found]

    def twists(self) -> Field:
        """The twists of all joints, a block for each: it has the null directions of the velocities of the masses."""
        total = sp.zeros(6 * len(self.chains or ()), len(self.v))
        for k, chain in enumerate(self.chains or ()):
            for j, place in enumerate(chain.velocities):
                total[6 * k : 6 * k + 6, place] = chain.twists[:, j]
        return self.function(total)

    @once
    def mass_matrix(self) -> sp.Matrix:
        """M = sum of m J_v^T J_v + J_w^T J J_w, and of the energies typed by hand."""
        n = len(self.v)
        M = sp.zeros(n, n)
        for mass, J_v, J_w in self.masses:
            M += self._entry(mass.mass) * J_v.T * J_v
            if J_w is not None:
                M += J_w.T * sp.Matrix(3, 3, [self._entry(x) for row in mass.inertia or () for x in row]) * J_w
        return M + self._typed

    @once
    def _typed(self) -> sp.Matrix:
        n = len(self.v)
        T = sp.Add(*self.model.kinetic_energies, *self.model.lagrangians)
        return sp.Matrix(n, n, [self._entry(sp.diff(T, a, b)) for a in self.v for b in self.v])

    @once
    def seen(self) -> sp.Matrix | None:
        """Velocities that masses see, per unit velocity: M = seen^T (masses) seen; None for energies typed by hand.

        Centres of all masses, and angular velocities of bodies that have inertia about every axis.
        """
        if self.model.is_typed:
            return None
        rows: list[sp.Matrix] = []
        for mass, J_v, J_w in self.masses:
            if self._number(mass.mass) > 0:
                rows.append(J_v)
            if J_w is not None and mass.inertia is not None:
                moments = np.linalg.eigvalsh([[self._number(x) for x in row] for row in mass.inertia])
                if moments[0] > 1e-12 * moments[-1]:
                    rows.append(J_w)
                elif moments[-1] > 0:
                    return None  # a rod: not all of J_w counts
        return sp.Matrix.vstack(*rows) if rows else sp.zeros(0, len(self.v))

    def basis(self) -> Field:
        """B(x) with M = B^T B: velocities of the masses scaled by sqrt(m) and J^(1/2)."""
        rows: list[sp.Matrix] = []
        for mass, J_v, J_w in self.masses:
            rows.append(np.sqrt(self._number(mass.mass)) * J_v)
            if J_w is not None and mass.inertia is not None:
                w, U = np.linalg.eigh([[self._number(x) for x in row] for row in mass.inertia])
                rows.append(sp.Matrix(np.sqrt(np.maximum(w, 0.0))[:, None] * U.T) * J_w)
        made = self.function(sp.Matrix.vstack(*rows)) if rows else None
        if not self.model.is_typed:
            return made or Field(lambda xs: np.zeros((len(xs), 0, len(self.v))))
        typed = self.function(self._typed)

        def with_typed(xs: Vector) -> Vector:
            w, U = np.linalg.eigh(typed.many(xs))
            root = np.sqrt(np.maximum(w, 0.0))[:, :, None] * np.swapaxes(U, 1, 2)
            return root if made is None else np.concatenate([made.many(xs), root], axis=1)

        return Field(with_typed)

    def _number(self, e: sp.Expr) -> float:
        return float(sp.sympify(e, strict=True).xreplace(self.model.values))

    # --- constraints, loads, task ------------------------------------------------------------------

    @once
    def constraints(self) -> sp.Matrix:
        """A, without the rows that are zero whatever the motion."""
        rates = [sp.sympify(row.rate, strict=True) for row in self.s.rows]
        A = self._plain(len(rates), [self._entry(x) for rate in rates for x in self._slopes(rate)])
        kept = [i for i in range(A.rows) if any(x != 0 for x in A[i, :])]
        return A.extract(kept, list(range(A.cols)))

    @once
    def residuals(self) -> list[sp.Expr]:
        """phi(q, t) of the holonomic rows."""
        found = canonical([self._entry(row.phi) for row in self.s.rows if row.phi is not None], self.moving)
        units = [
            sum(x**2 for x in one.configuration) - 1 for one in self.model.free if isinstance(one, QuaternionVariable)
        ]
        return [e for e in found if e != 0] + units

    def pulled(self, load: Load, direction: Direction) -> sp.Matrix:
        """Q of a unit load along one direction."""
        total = sp.zeros(1, len(self.v))
        for end, sign in load.ends:
            if self.s.tree.link_of(end.frame) != WORLD:
                w, v = self.s.motion(end.frame, end.position)
                along = self.s.tree.components(direction, self.s.tree.link_of(end.frame))
                moved = self._columns(v if load.kind == "force" else w)
                total += sign * sp.Matrix(1, 3, [self._entry(x) for x in along]) * moved
        return self._plain(1, list(total))

    def task(self, point: Point) -> sp.Matrix:
        """dx/dq of a point, along the axes of its link (a rotation of world axes, so of the same rank)."""
        _, v = self.s.motion(point.frame, point.position)
        return self._columns(v)

    # --- numbers -----------------------------------------------------------------------------------

    def function(self, matrix: sp.Matrix) -> Field:
        """The matrix as a function of x = (q, t); infinite or nan where a contact or a rod has no direction."""
        numbers = sp.Matrix(matrix).xreplace(self.model.values)
        others = sorted(str(symbol) for symbol in numbers.free_symbols - set(self.moving))
        if others:
            raise DerivationError(
                f"Whether {self.model.name!r} is singular depends on {', '.join(others)} and not on its configuration "
                "alone, so its singular sets cannot be told. s.diagnose judges one configuration.",
                names=others,
            )
        entries = [(k, x) for k, x in enumerate(numbers) if x.free_symbols]
        fixed = np.array([0.0 if x.free_symbols else float(x) for x in numbers])
        made = sp.lambdify(self.moving, [x for _, x in entries], modules="numpy", cse=True, dummify=True)

        def at(xs: Vector) -> Vector:
            found = np.tile(fixed, (len(xs), 1))
            with np.errstate(all="ignore"):
                for (k, _), values in zip(entries, made(*xs.T), strict=True):
                    found[:, k] = values
            return found.reshape(-1, *numbers.shape)

        return Field(at)

    def scalars(self, expressions: Sequence[sp.Expr]) -> Field:
        """Expressions as a function of x = (q, t)."""
        made = self.function(sp.Matrix(len(expressions), 1, list(expressions)))
        return Field(lambda xs: made.many(xs)[:, :, 0])

    @once
    def box(self) -> Vector:
        """Half-width of the region searched, along q and t: pi for angles, the scale or the range of lengths."""
        widths = []
        for one in self.model.free:
            if isinstance(one, CoordinateVariable):
                ends = [abs(x) for x in (one.domain.lower, one.domain.upper) if np.isfinite(x)]
                wide = np.pi if one.domain.is_angle or self.turns(one.symbol) else self._length
                widths.append(one.scale or max([*ends, 0.0]) or wide)
            else:
                widths += [1.0] * len(one.configuration)
        return np.array([*widths, self._clock(np.array(widths))])

    def _clock(self, widths: Vector) -> float:
        """How far time is searched: until what is driven has moved by its typical size; 0 where nothing is driven."""
        if not self._depends_on_time:
            return 0.0
        times = motion_times(self.model, self.turns, 0.0, self._length)
        phi = sp.Matrix([self._entry(row.phi) for row in self.s.rows if row.phi is not None])
        if phi.rows and self.model.time in phi.free_symbols:
            x = np.array([*(0.6 * widths), 0.0])
            sizes = np.abs(self.function(phi.jacobian(list(self.model.q)))(x)) @ widths
            for k in (1, 2, 3):
                rates = np.abs(self.function(sp.diff(phi, self.model.time, k))(x)).ravel()
                times += list((sizes[rates > 0] / rates[rates > 0]) ** (1 / k))
        return min((one for one in times if np.isfinite(one) and one > 0), default=UNKNOWN)

    @property
    def _depends_on_time(self) -> bool:
        """Whether masses, places or constraints change with time while coordinates rest."""
        rates = [sp.sympify(row.rate, strict=True) for row in self.s.rows]
        written = [*self.model.prescribed.values(), *self.model.kinetic_energies, *self.model.lagrangians, *rates]
        written += [sp.sympify(link.variable) for link in self.s.tree.tree.links if link.kind != "spin"]
        return any(self.model.time in one.free_symbols for one in written)

    @once
    def _length(self) -> float:
        """Twice a length of the model: its longest fixed offset, else a radius of gyration, else 1/2."""
        offsets = [x for link in self.s.tree.tree.links for x in link.position]
        offsets += [x for mass in self.s.tree.tree.masses for x in mass.com]
        for constraint in self.model.constraints:
            points = [part for part in vars(constraint).values() if isinstance(part, Point)]
            offsets += [x for point in points for x in point.position]
            offsets += [constraint.length] if isinstance(constraint, Distance) else []
        sizes = [
            abs(self._number(x)) for x in offsets if not sp.sympify(x, strict=True).free_symbols & set(self.moving)
        ]
        return 2.0 * (max([*sizes, 0.0]) or self._gyration or 0.5)

    @property
    def _gyration(self) -> float:
        """The radius at which the largest mass would have the largest moment of inertia; 0 where there is none."""
        masses = [self._number(mass.mass) for mass in self.s.tree.tree.masses]
        moments = [
            self._number(mass.inertia[k][k]) for mass in self.s.tree.tree.masses for k in range(3) if mass.inertia
        ]
        heaviest = max([*masses, 0.0])
        return float(np.sqrt(max([*moments, 0.0]) / heaviest)) if heaviest > 0 else 0.0

    def turns(self, symbol: sp.Symbol) -> bool:
        """Whether nothing changes when a coordinate grows by a full turn: an angle, whatever it is declared on."""
        links = [link for link in self.s.tree.tree.links if link.kind != "spin"]
        own = [link for link in links if symbol in sp.sympify(link.variable, strict=True).free_symbols]
        typed = [e for e in (*self.model.kinetic_energies, *self.model.lagrangians) if symbol in e.free_symbols]
        once = {symbol: symbol + 2 * sp.pi}
        slides = [sp.sympify(link.variable, strict=True) for link in own if link.kind == "slide"]
        rates = [sp.diff(sp.sympify(link.variable, strict=True), symbol) for link in own if link.kind == "turn"]
        return bool(own or typed) and (
            all(e.subs(once) == e for e in (*slides, *typed)) and all(rate.is_integer for rate in rates)
        )
