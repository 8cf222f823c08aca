"""The search for singular sets of one system: symbols first, numbers where they grow too large, and to verify both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.algebra.trig_ring import MOST_REDUCED, Poly, TooMuch, TrigRing
from cardan.diagnosis.manifold.observers import every_joint_moves_its_own_mass
from cardan.diagnosis.sets.chains import Chain
from cardan.diagnosis.sets.conditions import Branch, Solver, TooLarge, relation_of, text_of
from cardan.diagnosis.sets.fields import newton
from cardan.diagnosis.sets.landscape import FEW, MANY, Landscape
from cardan.diagnosis.sets.minors import determinant, minors, polynomial_rows
from cardan.diagnosis.sets.sets import SingularSet, everywhere
from cardan.diagnosis.sets.tracing import (
    APART,
    Ranked,
    dimension_along,
    dimension_at,
    distinct,
    one_by_one,
    ranked,
    roots,
    to_singular,
    typical_sizes,
)
from cardan.native.deadline import OutOfTime, share
from cardan.native.once import once

Vector = NDArray[np.float64]
Polynomials = Callable[[TrigRing], list[Poly]]

SYMBOLIC = 6  # coordinates coupled in one block of M, or the smaller side of a matrix, up to which symbols are tried
SQUARE = 12  # coordinates up to which a square Jacobian of the masses is tried
ENTRIES = 60  # of a matrix whose minors are formed
OPERATIONS = 8000  # of these entries together; readable sets come from a tenth of that
SHARE = 0.5  # of the time that is left: what symbols may take before numbers have their turn
ASKED = 2  # points of a set around which its dimension is looked for


class Search(Landscape):
    """Finds the singular sets of one system; ``told`` are those that were found so far."""

    @once
    def told(self) -> list[SingularSet]:
        return []

    # --- what may be singular ----------------------------------------------------------------------

    def coordinates(self) -> list[SingularSet]:
        """Where the basis of the masses, with the constraints as further rows that may restrain it, loses rank."""
        if not self.matrices.v or every_joint_moves_its_own_mass(self.model, self.matrices.s.tree):
            return []
        if not self.feasible:  # nothing can be assembled, so nothing is singular
            return []
        kind, which = "coordinate-singularity", self.basis
        always = [everywhere(kind)] if which.rank < len(self.matrices.v) else []
        if which.rank == 0:
            return always
        return always + self._rank_drop(kind, which, self._where_singular())

    def constraints(self) -> list[SingularSet]:
        """Where rows of A depend on each other that are independent elsewhere: dim D increases (Briggs, Cor. 5.5)."""
        return self._degeneracies

    @once
    def _degeneracies(self) -> list[SingularSet]:
        return self._of_matrix("constraint-degeneracy", self.matrices.constraints, self.is_degenerate)

    def task(self, J: sp.Matrix) -> list[SingularSet]:
        """Where a Jacobian, on the velocities that constraints allow, has a smaller rank than elsewhere."""
        return self._of_matrix("kinematic-singularity", self._with_constraints(J))

    def load(self, name: str, Q: sp.Matrix) -> list[SingularSet]:
        """Where a load that works elsewhere does nothing; or that it never does: Q is a combination of rows of A."""
        if not self.feasible:
            return []
        A, rows = self.matrices.constraints, self._with_constraints(Q)
        rank = self.generic_rank(A) if A.rows else 0
        if not self.matrices.v or self.generic_rank(rows) == rank:
            return [self._carried(name, Q)]
        push = self.push(Q)
        small = rows.rows <= SYMBOLIC and rows.rows * rows.cols <= ENTRIES
        branches = self._symbolic(lambda ring: minors(ring, rows, rank + 1), list(rows)) if small else None
        if branches is None:
            lost = self.lost(push, distinct(roots(push, self.box), self.box, self.angles))
            return [self._numeric("gimbal-lock", lost, None, name)] if lost else []
        found = []
        for branch in branches:
            points = self.points(branch)
            lost = self.lost(push, points)
            if lost:
                found.append(self._made("gimbal-lock", branch, lost, len(lost) == len(points), name))
        return found

    def _carried(self, name: str, Q: sp.Matrix) -> SingularSet:
        """A load that constraints carry wherever they keep their rank; where they lose it, it may act."""
        kind = "carried-by-constraints"
        if not self.matrices.v or not self.matrices.constraints.rows:
            return everywhere(kind, name)
        freed = [one for one in self._degeneracies if any(self.acts(Q, x) for x in self.with_times(one))]
        if not freed:
            return everywhere(kind, name)
        told = (
            None if any(one.condition is None for one in freed) else sp.And(*(sp.Not(one.condition) for one in freed))
        )
        text = f"everywhere but where {' or '.join(one.text for one in freed)}"
        return SingularSet(kind, told, text, True, freed[0].how, np.zeros((0, 0)), None, name)

    # --- symbols -----------------------------------------------------------------------------------

    def _with_constraints(self, rows: sp.Matrix) -> sp.Matrix:
        """Rows of A, then the given ones: on ker A these have the rank of both together less the rank of A."""
        A = self.matrices.constraints
        return sp.Matrix.vstack(A, rows) if A.rows else rows

    def _of_matrix(
        self, kind: str, matrix: sp.Matrix, confirmed: Callable[[Vector], bool] = lambda x: True
    ) -> list[SingularSet]:
        if not matrix.rows or not matrix.cols:
            return []
        which = ranked(self.matrices.function(matrix), self.feasible)
        if which.rank == 0:  # nothing can be assembled, or nothing moves
            return []
        small = min(matrix.shape) <= SYMBOLIC and matrix.rows * matrix.cols <= ENTRIES
        entries = list(matrix)
        small = small and sum(e.count_ops() for e in entries) <= OPERATIONS
        branches = self._symbolic(lambda ring: minors(ring, matrix, which.rank), entries) if small else None
        return self._rank_drop(kind, which, branches, confirmed)

    def _symbolic(self, polys: Polynomials, entries: Sequence[sp.Expr]) -> list[Branch] | None:
        """Branches on which the polynomials vanish, or None where symbols grow too large."""
        try:
            with share(SHARE):  # so that numbers have their turn
                ring = TrigRing(entries, self.matrices.moving)
                ring.most = MOST_REDUCED
                solver = Solver(ring, lambda expressions: self.zeros(expressions, FEW), self.model.values)
                return [branch for branch in solver.branches(polys(ring)) if branch]
        except (TooLarge, TooMuch, OutOfTime):
            return None

    def _rank_drop(
        self,
        kind: str,
        which: Ranked,
        branches: list[Branch] | None,
        confirmed: Callable[[Vector], bool] = lambda x: True,
    ) -> list[SingularSet]:
        """The branches that singular values confirm; traced sets where there are none, or more than they explain."""
        found, known = [], []
        for branch in branches or []:
            points = self.points(branch)
            singular = [x for x in points if which.is_singular(x) and confirmed(x)]
            if singular:
                found.append(self._made(kind, branch, singular, len(singular) == len(points), None))
                known.append(self.matrices.scalars([one.expression for one in branch]))
        points = self._points_of(kind, which, FEW if branches is not None else 2 * MANY, confirmed)
        sizes = [typical_sizes(f, self.box) for f in known]
        missed = [
            x
            for x in points
            if not any(np.max(np.abs(f(x) / size)) < APART for f, size in zip(known, sizes, strict=True))
            and confirmed(x)
        ]
        return found + self._traced(kind, which, missed)

    def _points_of(self, kind: str, which: Ranked, starts: int, confirmed: Callable[[Vector], bool]) -> list[Vector]:
        """Points where the rank drops; those that were found are told where time does not suffice for all starts."""
        found: list[Vector] = []
        try:
            for x in one_by_one(which, self.residuals, self.box, starts):
                found.append(x)
        except OutOfTime:
            self._tell(kind, [x for x in self.facing(found) if confirmed(x)])
            raise
        return self.facing(found)

    def _made(self, kind: str, branch: Branch, points: list[Vector], verified: bool, load: str | None) -> SingularSet:
        f = self.matrices.scalars([*(one.expression for one in branch), *self.matrices.residuals])
        sizes = typical_sizes(f, self.box)
        found = [
            dimension_along(lambda xs: newton(f, xs, self.box, sizes), point, self.box) for point in points[:ASKED]
        ]
        dimension = max((one for one in found if one is not None), default=None)
        table = np.array(points)
        text, when = text_of(branch), table[:, -1] if self.box[-1] > 0 else None
        made = SingularSet(kind, relation_of(branch), text, verified, "symbolic", table[:, :-1], dimension, load, when)
        self.told.append(made)
        return made

    def _traced(self, kind: str, which: Ranked, points: Sequence[Vector]) -> list[SingularSet]:
        by_dimension: dict[int, list[Vector]] = {}
        try:
            for x in distinct(points, self.box, self.angles, most=2 * MANY):
                dimension = dimension_along(to_singular(which, self.residuals, self.box), x, self.box)
                if dimension is None:  # too few of its points are found around this one: to first order
                    dimension = dimension_at(which, self.residuals, x, self.box)
                by_dimension.setdefault(dimension, []).append(x)
        except OutOfTime:
            self._tell(kind, points)
            raise
        return [self._numeric(kind, group, dimension, None) for dimension, group in sorted(by_dimension.items())]

    def _tell(self, kind: str, points: Sequence[Vector]) -> None:
        """Points that were found before the time was up, where no set explains them yet."""
        if len(points) and not any(one.kind == kind for one in self.told):
            self._numeric(kind, points, None, None)

    def _numeric(self, kind: str, points: Sequence[Vector], dimension: int | None, load: str | None) -> SingularSet:
        shapes = {None: "a set", 0: "points", 1: "curves", 2: "surfaces"}
        shape = shapes.get(dimension, f"sets of dimension {dimension}")
        text = f"{shape} traced through {len(points)} configurations"
        table = np.array(points)
        when = table[:, -1] if self.box[-1] > 0 else None
        made = SingularSet(kind, None, text, True, "numeric", table[:, :-1], dimension, load, when)
        self.told.append(made)
        return made

    # --- the determinant of M ----------------------------------------------------------------------

    def _where_singular(self) -> list[Branch] | None:
        """Where det M = 0; with as many seen velocities as coordinates, where their Jacobian has no inverse."""
        chains = self.matrices.chains
        if chains is not None:
            return self._of_joints(chains)
        seen = self.matrices.seen
        if seen is not None and seen.rows == seen.cols <= SQUARE and self.basis.rank == seen.cols:
            return self._symbolic(lambda ring: [determinant(ring, polynomial_rows(ring, seen))], list(seen))
        if max(len(block) for block in self._blocks) > SYMBOLIC:
            return None
        return self._symbolic(self._determinant, list(self._restrained_mass_matrix))

    def _of_joints(self, chains: Sequence[Chain]) -> list[Branch] | None:
        """Where one of the joints maps some of its velocities to no motion."""
        found: list[Branch] = []
        for chain in chains:
            polys = partial(minors, matrix=chain.twists, rank=len(chain.velocities))
            branches = self._symbolic(polys, list(chain.twists))
            if branches is None:
                return None
            found += branches
        return found

    @once
    def _restrained_mass_matrix(self) -> sp.Matrix:
        """M, or where that is singular everywhere M + A^T A: singular where an allowed motion moves no mass."""
        M, A = self.matrices.mass_matrix, self.matrices.constraints
        massive = ranked(self.masses, self.feasible, self.basis.tolerance).rank
        return M + A.T * A if A.rows and massive < self.basis.rank else M

    @once
    def _blocks(self) -> list[list[int]]:
        """Coordinates coupled by M, which is block diagonal between them."""
        M, n = self._restrained_mass_matrix, len(self.matrices.v)
        groups: list[set[int]] = [{i} for i in range(n)]
        for i, j in combinations(range(n), 2):
            if M[i, j] != 0:
                joined = [g for g in groups if i in g or j in g]
                groups = [g for g in groups if g not in joined] + [set().union(*joined)]
        return [sorted(g) for g in groups]

    def _determinant(self, ring: TrigRing) -> list[Poly]:
        """det M, block by block; where M is singular everywhere, the sum of its largest principal minors."""
        table = polynomial_rows(ring, self._restrained_mass_matrix)
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
