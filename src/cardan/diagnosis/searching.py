"""The search for singular sets of one system: symbols first, numbers where they grow too large, and to verify both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.diagnosis.conditions import Branch, Solver, TooLarge, relation_of, text_of
from cardan.diagnosis.matrices import Function, Matrices
from cardan.diagnosis.minors import determinant, minors, polynomial_rows
from cardan.diagnosis.observers import every_joint_moves_its_own_mass
from cardan.diagnosis.sets import SingularSet, everywhere
from cardan.diagnosis.tracing import Ranked, cloud, dimension_at, distinct, newton, ranked, roots, traced
from cardan.diagnosis.trig_ring import Poly, TrigRing
from cardan.equations.equations import Equations

Vector = NDArray[np.float64]
Polynomials = Callable[[TrigRing], list[Poly]]

SYMBOLIC = 6  # coordinates coupled in one block of M, or the smaller side of a matrix, up to which symbols are tried
SQUARE = 12  # coordinates up to which a square Jacobian of the masses is tried
ENTRIES = 60  # of a matrix whose minors are formed
BASIS, TYPED = 1e-8, 1e-7  # singular values that count as zero; the root of a typed mass matrix knows half the digits
LOST = 1e-3  # a load that does less than this part near a point of a singular chart does nothing there
FEW, MANY = 12, 24  # starts to ask whether something vanishes, and to sample where


class Search:
    """Finds the singular sets of one system."""

    def __init__(self, equations: Equations) -> None:
        self.matrices = Matrices(equations)
        self.model = equations.model
        self.box = self.matrices.box

    # --- what may be singular ----------------------------------------------------------------------

    def coordinates(self) -> list[SingularSet]:
        """Where the basis of the masses loses rank."""
        if not self.matrices.v or every_joint_moves_its_own_mass(self.model, self.matrices.s.tree):
            return []
        kind, which = "coordinate-singularity", self.basis
        always = [everywhere(kind)] if which.rank < len(self.matrices.v) else []
        if which.rank == 0:
            return always
        return always + self._rank_drop(kind, which, self._where_singular())

    def constraints(self) -> list[SingularSet]:
        """Where rows of A depend on each other that are independent elsewhere: dim D increases (Briggs, Cor. 5.5)."""
        return self._of_matrix("constraint-degeneracy", self.matrices.constraints)

    def task(self, J: Any) -> list[SingularSet]:
        """Where a Jacobian, on the velocities that constraints allow, has a smaller rank than elsewhere."""
        return self._of_matrix("kinematic-singularity", self._on_allowed(J))

    def load(self, name: str, Q: Any) -> list[SingularSet]:
        """Where a load that works elsewhere does nothing; or that it never does."""
        entries = list(self._on_allowed(Q)) if self.matrices.v else []
        ring = TrigRing(entries, self.matrices.moving)
        polys = [ring.poly(e) for e in entries]
        if all(p == 0 for p in polys):
            return [everywhere("carried-by-constraints", name)]
        push = self._push(Q)
        branches = self._symbolic(lambda _: polys, entries, ring)
        if branches is None:
            lost = self._lost(push, distinct(roots(push, self.box), self.box, self.angles))
            return [self._numeric("gimbal-lock", lost, None, name)] if lost else []
        found = []
        for branch in branches:
            points = self._points(branch)
            lost = self._lost(push, points)
            if lost:
                found.append(self._made("gimbal-lock", branch, lost, len(lost) == len(points), name))
        return found

    # --- numbers -----------------------------------------------------------------------------------

    @cached_property
    def residuals(self) -> Function | None:
        phi = self.matrices.residuals
        return self.matrices.scalars(phi) if phi else None

    @cached_property
    def feasible(self) -> list[Vector]:
        """Configurations of the box that satisfy the constraints."""
        return self._projected(list(cloud(self.box, MANY, seed=7)))

    def _projected(self, points: Sequence[Vector]) -> list[Vector]:
        phi = self.residuals
        if phi is None:
            return list(points)
        found = [newton(phi, x, self.box, np.ones(len(phi(x)))) for x in points]
        return [x for x in found if x is not None]

    @cached_property
    def basis(self) -> Ranked:
        return ranked(self.matrices.basis(), self.feasible, TYPED if self.model.is_typed else BASIS)

    @cached_property
    def angles(self) -> list[int]:
        """Places in q of what closes after a turn."""
        return [k for k, q in enumerate(self.model.q) if k in self.model.angle_indices or self.matrices.turns(q)]

    def _push(self, Q: Any) -> Function:
        """x -> the part of the load along the manifold, in the metric of the masses; free of coordinates."""
        q, A = self.matrices.function(Q), self.matrices.constraints
        a = self.matrices.function(A) if A.rows else None

        def part(x: Vector) -> Vector:
            B, row = self.basis.matrix(x), q(x).ravel()
            if a is not None:
                _, s, vt = np.linalg.svd(a(x))
                free = vt[int(np.sum(s > 1e-10 * s[0])) :].T
                B, row = B @ free, row @ free
            return np.asarray(np.linalg.lstsq(B.T, row, rcond=1e-13)[0], dtype=float)

        return part

    def _lost(self, push: Function, points: Sequence[Vector]) -> list[Vector]:
        """The points where the load does nothing; where the chart is singular, its neighbours are asked."""
        sizes = [float(np.linalg.norm(push(x))) for x in self.feasible]
        largest = max(sizes, default=0.0)
        found = []
        for x in points:
            if self.basis.is_singular(x):
                rng = np.random.default_rng(11)
                around = x + 1e-4 * self.box * rng.uniform(-1, 1, (6, len(x)))
                size = max((float(np.linalg.norm(push(y))) for y in self._projected(list(around))), default=0.0)
                is_lost = size < LOST * largest
            else:
                is_lost = float(np.linalg.norm(push(x))) < BASIS * largest
            if is_lost:
                found.append(x)
        return found

    # --- symbols -----------------------------------------------------------------------------------

    def _on_allowed(self, rows: Any) -> Any:
        """Rows times a basis of ker A."""
        A = self.matrices.constraints
        if not A.rows:
            return rows
        null = A.nullspace(simplify=True)
        return rows * sp.Matrix.hstack(*null) if null else sp.zeros(rows.rows, 0)

    def _of_matrix(self, kind: str, matrix: Any) -> list[SingularSet]:
        if not matrix.rows or not matrix.cols:
            return []
        which = ranked(self.matrices.function(matrix), self.feasible)
        if which.rank == 0:
            return []
        small = min(matrix.shape) <= SYMBOLIC and matrix.rows * matrix.cols <= ENTRIES
        entries = list(matrix)
        branches = self._symbolic(lambda ring: minors(ring, matrix, which.rank), entries) if small else None
        return self._rank_drop(kind, which, branches)

    def _symbolic(
        self, polys: Polynomials, entries: Sequence[Any], ring: TrigRing | None = None
    ) -> list[Branch] | None:
        """Branches on which the polynomials vanish, or None where symbols grow too large."""
        ring = ring or TrigRing(entries, self.matrices.moving)
        try:
            solver = Solver(ring, lambda expressions: self._zeros(expressions, FEW), self.model.values)
            return [branch for branch in solver.branches(polys(ring)) if branch]
        except TooLarge:
            return None

    def _zeros(self, expressions: Sequence[Any], starts: int) -> list[Vector]:
        return roots(self.matrices.scalars([*expressions, *self.matrices.residuals]), self.box, starts)

    def _points(self, branch: Branch) -> list[Vector]:
        return distinct(self._zeros([one.expression for one in branch], MANY), self.box, self.angles)

    def _rank_drop(self, kind: str, which: Ranked, branches: list[Branch] | None) -> list[SingularSet]:
        """The branches that singular values confirm; traced sets where there are none, or more than they explain."""
        found = []
        for branch in branches or []:
            points = self._points(branch)
            singular = [x for x in points if which.is_singular(x)]
            if singular:
                found.append(self._made(kind, branch, singular, len(singular) == len(points), None))
        points = traced(which, self.residuals, self.box, FEW if branches is not None else 2 * MANY)
        known = [self.matrices.scalars([one.expression for one in branch]) for branch in branches or []]
        missed = [x for x in points if not any(np.max(np.abs(f(x))) < 1e-4 for f in known)]
        return found + self._traced(kind, which, missed)

    def _made(self, kind: str, branch: Branch, points: list[Vector], verified: bool, load: str | None) -> SingularSet:
        equations = sp.Matrix([*(one.expression for one in branch), *self.matrices.residuals])
        slopes = self.matrices.function(equations.jacobian(list(self.model.q)))(points[0])
        flat = np.linalg.norm(slopes, axis=1, keepdims=True)
        slopes = np.nan_to_num(slopes / np.where(flat > 0, flat, 1.0))
        dimension = len(self.model.q) - int(np.linalg.matrix_rank(slopes, tol=1e-6))
        table = np.array(points)[:, :-1]
        return SingularSet(kind, relation_of(branch), text_of(branch), verified, "symbolic", table, dimension, load)

    def _traced(self, kind: str, which: Ranked, points: Sequence[Vector]) -> list[SingularSet]:
        by_dimension: dict[int, list[Vector]] = {}
        for x in distinct(points, self.box, self.angles, most=2 * MANY):
            by_dimension.setdefault(dimension_at(which, self.residuals, x, self.box), []).append(x)
        return [self._numeric(kind, group, dimension, None) for dimension, group in sorted(by_dimension.items())]

    def _numeric(self, kind: str, points: Sequence[Vector], dimension: int | None, load: str | None) -> SingularSet:
        shapes = {None: "a set", 0: "points", 1: "curves", 2: "surfaces"}
        shape = shapes.get(dimension, f"sets of dimension {dimension}")
        text = f"{shape} traced through {len(points)} configurations"
        return SingularSet(kind, None, text, True, "numeric", np.array(points)[:, :-1], dimension, load)

    # --- the determinant of M ----------------------------------------------------------------------

    def _where_singular(self) -> list[Branch] | None:
        """Where det M = 0; with as many seen velocities as coordinates, where their Jacobian has no inverse."""
        seen = self.matrices.seen
        if seen is not None and seen.rows == seen.cols <= SQUARE and self.basis.rank == seen.cols:
            return self._symbolic(lambda ring: [determinant(ring, polynomial_rows(ring, seen))], list(seen))
        if max(len(block) for block in self._blocks) > SYMBOLIC:
            return None
        return self._symbolic(self._determinant, list(self.matrices.mass_matrix))

    @cached_property
    def _blocks(self) -> list[list[int]]:
        """Coordinates coupled by M, which is block diagonal between them."""
        M, n = self.matrices.mass_matrix, len(self.matrices.v)
        groups: list[set[int]] = [{i} for i in range(n)]
        for i, j in combinations(range(n), 2):
            if M[i, j] != 0:
                joined = [g for g in groups if i in g or j in g]
                groups = [g for g in groups if g not in joined] + [set().union(*joined)]
        return [sorted(g) for g in groups]

    def _determinant(self, ring: TrigRing) -> list[Poly]:
        """det M, block by block; where M is singular everywhere, the sum of its largest principal minors."""
        table = polynomial_rows(ring, self.matrices.mass_matrix)
        rank, n = self.basis.rank, len(table)
        if rank < n:
            total = ring.ring.zero
            for chosen in combinations(range(n), rank):
                total = total + determinant(ring, [[table[i][j] for j in chosen] for i in chosen])
            return [ring.reduced(total)]
        total = ring.ring.one
        for block in self._blocks:
            total = total * determinant(ring, [[table[i][j] for j in block] for i in block])
        return [ring.reduced(total)]
