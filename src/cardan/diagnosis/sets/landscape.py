"""A system in numbers, as the search for its singular sets needs it: configurations, bases, ranks, what a load does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.sets.conditions import Branch
from cardan.diagnosis.sets.fields import Field, Function, newton
from cardan.diagnosis.sets.matrices import Matrices
from cardan.diagnosis.sets.sets import SingularSet
from cardan.diagnosis.sets.tracing import Ranked, cloud, distinct, ranked, roots, typical_sizes
from cardan.equations.equations import Equations
from cardan.equations.facing import Facing
from cardan.native.once import once

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]

BASIS, TYPED = 1e-8, 1e-7  # singular values that count as zero; the root of a typed mass matrix knows half the digits
LOST = 1e-3  # what is smaller than this part close to a point of a singular chart is zero there
CLOSE = 1e-4  # of the box
FREED = 1e-6  # singular values of A below this part count as zero at a point where its rank is known to drop
FEW, MANY = 12, 24  # starts to ask whether something vanishes, and to sample where


class Landscape:
    """Configurations of a system and what is true at them."""

    def __init__(self, equations: Equations) -> None:
        self.matrices = Matrices(equations)
        self.model = equations.model
        self.box = self.matrices.box

    @once
    def residuals(self) -> Field | None:
        phi = self.matrices.residuals
        return self.matrices.scalars(phi) if phi else None

    @once
    def feasible(self) -> list[Vector]:
        """Configurations of the box that satisfy the constraints; a box of other size is tried where there are none."""
        found = self.projected(list(cloud(self.box, MANY, seed=7)))
        lengths = [k for k in range(len(self.model.q)) if k not in self.angles]
        for size in sorted({abs(value) for value in self.model.values.values() if value}):
            if found:
                break
            self.box[lengths] = 2 * size
            found = self.projected(list(cloud(self.box, MANY, seed=7)))
        return found

    def projected(self, points: Sequence[Vector]) -> list[Vector]:
        phi = self.residuals
        if phi is None:
            return list(points)
        found = newton(phi, points, self.box, typical_sizes(phi, self.box))
        return self.facing([x for x in found if x is not None])

    def facing(self, points: list[Vector]) -> list[Vector]:
        """The points at which no hinge is upside down."""
        senses = Facing(self.matrices.equations.dynamics)
        if not senses.names or not points:
            return points
        table = np.array(points)
        values = self.model.values
        numbers = [values.get(symbol, 0.0) for symbol in (*self.model.parameters, *self.model.signals)]
        turned = senses.any_turned(table[:, :-1], table[:, -1], numbers)
        return [x for x, is_turned in zip(points, turned, strict=True) if not is_turned]

    @once
    def masses(self) -> Field:
        """B with M = B^T B."""
        return self.matrices.basis()

    @once
    def basis(self) -> Ranked:
        """B, with the rows of A below it, both by the columns of B: rows of A have units of their own."""
        tolerance = TYPED if self.model.is_typed else BASIS
        B = self.masses if self.matrices.chains is None else self.matrices.twists()
        A = self.matrices.constraints
        if not A.rows or not self.feasible:
            return ranked(B, self.feasible, tolerance)
        columns = ranked(B, self.feasible, tolerance).columns
        a = self.rows_of_constraints
        sizes = np.sqrt(np.mean(np.sum((a.many(np.array(self.feasible)) / columns) ** 2, axis=2), axis=0))
        sizes = np.where(sizes > 0, sizes, 1.0)[:, None]
        both = Field(lambda xs: np.concatenate([B.many(xs) / columns, a.many(xs) / columns / sizes], axis=1))
        return ranked(both, self.feasible, tolerance)

    @once
    def rows_of_constraints(self) -> Field:
        """A; rows that have no direction somewhere (a disc that lies flat) are zero there."""
        f = self.matrices.function(self.matrices.constraints)

        def rows(xs: Vector) -> Vector:
            A = f.many(xs)
            A[~np.all(np.isfinite(A), axis=2)] = 0.0
            return A

        return Field(rows)

    def generic_rank(self, matrix: sp.Matrix) -> int:
        return ranked(self.matrices.function(matrix), self.feasible).rank

    @once
    def angles(self) -> list[int]:
        """Places in q of what closes after a turn."""
        return [k for k, q in enumerate(self.model.q) if k in self.model.angle_indices or self.matrices.turns(q)]

    def push(self, Q: sp.Matrix) -> Function:
        """x -> the part of the load along the manifold, in the metric of the masses; free of coordinates."""
        q, columns = self.matrices.function(Q), ranked(self.masses, self.feasible).columns
        a = self.rows_of_constraints if self.matrices.constraints.rows else None

        def part(x: Vector) -> Vector:
            B, row = self.masses(x) / columns, q(x).ravel() / columns
            if a is not None:
                _, s, vt = np.linalg.svd(a(x) / columns)
                free = vt[int(np.sum(s > 1e-10 * s[0])) :].T
                B, row = B @ free, row @ free
            return np.asarray(np.linalg.lstsq(B.T, row, rcond=1e-13)[0], dtype=float)

        return part

    def acts(self, Q: sp.Matrix, x: Vector) -> bool:
        """Whether a load has a part along the velocities that the constraints allow at x, whatever their rank there."""
        columns = ranked(self.masses, self.feasible).columns
        row, A = self.matrices.function(Q)(x).ravel() / columns, self.rows_of_constraints(x) / columns
        _, s, vt = np.linalg.svd(A)
        free = vt[int(np.sum(s > FREED * max(s[0], 1e-300))) :]
        return bool(np.linalg.norm(free @ row) > LOST * np.linalg.norm(row))

    def with_times(self, found: SingularSet) -> list[Vector]:
        """The points of a set as x = (q, t)."""
        times = np.zeros(len(found.points)) if found.times is None else found.times
        return [np.append(q, t) for q, t in zip(found.points, times, strict=True)]

    def lost(self, push: Function, points: Sequence[Vector]) -> list[Vector]:
        """The points where the load does nothing; where the chart is singular, its neighbours are asked."""
        sizes = [float(np.linalg.norm(push(x))) for x in self.feasible]
        largest = max(sizes, default=0.0)
        found = []
        for x in points:
            if self.basis.is_singular(x):
                size = max((float(np.linalg.norm(push(y))) for y in self.around(x)), default=0.0)
                is_lost = size < LOST * largest
            else:
                is_lost = float(np.linalg.norm(push(x))) < BASIS * largest
            if is_lost:
                found.append(x)
        return found

    def is_degenerate(self, x: Vector) -> bool:
        """Whether rows of A depend on each other as forces on the masses, not only in a singular chart."""
        massive = ranked(self.masses, self.feasible)
        if massive.rank < len(self.matrices.v) or not massive.is_singular(x):
            return True

        def weighed(y: Vector) -> Vector:
            return self.rows_of_constraints(y) @ np.linalg.pinv(self.masses(y))

        which = ranked(weighed, self.feasible)
        return all(which.smallest(y) < LOST for y in self.around(x))

    def around(self, x: Vector) -> list[Vector]:
        """Configurations close to x."""
        rng = np.random.default_rng(11)
        return self.projected(list(x + CLOSE * self.box * rng.uniform(-1, 1, (6, len(x)))))

    def zeros(self, expressions: Sequence[sp.Expr], starts: int) -> list[Vector]:
        found = roots(self.matrices.scalars([*expressions, *self.matrices.residuals]), self.box, starts)
        return self.facing(found)

    def points(self, branch: Branch) -> list[Vector]:
        return distinct(self.zeros([one.expression for one in branch], MANY), self.box, self.angles)
