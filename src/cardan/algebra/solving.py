"""Linear equations solved in symbols: simple pivots first, then minors, all in the ring of sines and cosines.

A pivot is simple where it is one product of parameters, which never vanishes for what a mechanism is made of. What is
left is solved by Cramer's rule without a division, so that relations between sines and cosines hold all the way.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from cardan.algebra.decimals import has_decimals, with_decimals
from cardan.algebra.shorten import LARGEST_CANCELLED, Leads, Writer, length, nothing_leads, shorten
from cardan.algebra.trig_ring import Poly, Ratio, TooMuch, TrigRing
from cardan.native.deadline import check

MOST_REDUCED = 60_000  # terms of polynomials on the way
LARGEST_SOLUTION = 250  # terms of a numerator or denominator that is written
LARGEST_CORE = 6  # unknowns that are left for minors


class NotSolved(Exception):
    """The formula would be too long, or there is none: the matrix is singular everywhere."""


def solve(matrix: sp.Matrix, right: Sequence[sp.Expr], leads: Leads = nothing_leads) -> list[sp.Expr]:
    """x with ``matrix`` x = ``right``, each shortened; NotSolved where formulas would fill pages."""
    everything = [*matrix, *right]
    decimal = any(has_decimals(sp.sympify(one)) for one in everything)
    ring = TrigRing(everything)
    ring.most = MOST_REDUCED
    try:
        solved = _Elimination(ring, matrix, right).solution()
        found = [_written(ring, leads, one) for one in solved]
    except TooMuch as problem:
        raise NotSolved("more terms than anybody reads") from problem
    return [with_decimals(one) if decimal else one for one in found]


def _written(ring: TrigRing, leads: Leads, ratio: Ratio) -> sp.Expr:
    top, bottom = ratio
    if top == 0:
        return sp.S.Zero
    top, bottom = _cancelled(top, bottom)
    if max(len(top), len(bottom)) > LARGEST_SOLUTION:
        raise NotSolved(f"formulas of {max(len(top), len(bottom))} terms")
    writer = Writer(ring, leads)
    form = writer.shortest(top) / writer.shortest(bottom)
    return min(form, shorten(form, leads), key=length) if length(form)[1] < 2000 else form


def _cancelled(top: Poly, bottom: Poly) -> Ratio:
    """Without common factors, where these are found quickly."""
    check()
    return top.cancel(bottom) if len(top) * len(bottom) <= LARGEST_CANCELLED else (top, bottom)


class _Elimination:
    """Rows of polynomials, the last column the right-hand side."""

    def __init__(self, ring: TrigRing, matrix: sp.Matrix, right: Sequence[sp.Expr]) -> None:
        self.ring, self.n = ring, matrix.cols
        self.rows = [
            self._without_fractions([*matrix.row(i), right[i]]) for i in range(matrix.rows)
        ]  # one list of n + 1 polynomials each
        self.solved: list[tuple[int, list[Poly]]] = []  # (unknown, its row), in the order of elimination

    def _without_fractions(self, entries: Sequence[sp.Expr]) -> list[Poly]:
        ratios = [self.ring.ratio(one) for one in entries]
        common = self.ring.ring.one
        for _, bottom in ratios:
            if not bottom.is_ground:
                common = common.lcm(bottom)
        return [self._over(top, bottom, common) for top, bottom in ratios]

    def _over(self, top: Poly, bottom: Poly, common: Poly) -> Poly:
        return self.ring.reduced(top * common.exquo(bottom) if not bottom.is_ground else top * common / bottom.LC)

    def solution(self) -> list[Ratio]:
        while (found := self._simple()) is not None:
            self._eliminate(*found)
        known = self._core()
        for column, row in reversed(self.solved):
            known[column] = self._back(column, row, known)
        return [known[j] for j in range(self.n)]

    def _columns(self) -> list[int]:
        gone = {column for column, _ in self.solved}
        return [j for j in range(self.n) if j not in gone]

    def _simple(self) -> tuple[int, int] | None:
        """(row, column) of the simple pivot whose row and column are emptiest."""
        best: tuple[int, int, int] | None = None
        trig = {k for angle in self.ring.angles for k in (angle.sine, angle.cosine)}
        for i, row in enumerate(self.rows):
            for j in self._columns():
                p = row[j]
                if len(p) != 1 or any(p.leading_expv()[k] for k in trig):
                    continue
                fill = (sum(1 for x in row if x) - 1) * (sum(1 for other in self.rows if other[j]) - 1)
                weight = fill * 100 + sum(p.leading_expv())
                if best is None or weight < best[0]:
                    best = weight, i, j
        return None if best is None else best[1:]

    def _eliminate(self, i: int, j: int) -> None:
        pivot = self.rows.pop(i)
        self.solved.append((j, pivot))
        for k, row in enumerate(self.rows):
            if row[j]:
                check()
                own = row[j]
                self.rows[k] = self._stripped(
                    [self.ring.reduced(pivot[j] * x - own * y) for x, y in zip(row, pivot, strict=True)]
                )

    def _stripped(self, row: list[Poly]) -> list[Poly]:
        """The row without the monomial that all its entries share."""
        monomials = [monomial for p in row for monomial in p]
        if not monomials:
            return row
        common = tuple(min(one[k] for one in monomials) for k in range(len(monomials[0])))
        if not any(common):
            return row
        return [
            self.ring.ring.from_dict(
                {tuple(a - b for a, b in zip(one, common, strict=True)): c for one, c in p.items()}
            )
            for p in row
        ]

    def _core(self) -> dict[int, Ratio]:
        columns = self._columns()
        if len(columns) > LARGEST_CORE:
            raise NotSolved(f"{len(columns)} equations that are coupled")
        if not columns:
            return {}
        minors: dict[tuple[tuple[int, ...], tuple[int, ...]], Poly] = {}
        rows = tuple(range(len(columns)))
        whole = self._minor(rows, tuple(columns), minors)
        if whole == 0:
            raise NotSolved("the matrix is singular everywhere")
        found: dict[int, Ratio] = {}
        for k, column in enumerate(columns):
            others = tuple(one for one in columns if one != column)
            top = self.ring.ring.zero
            for i in rows:
                if self.rows[i][self.n]:
                    part = self._minor(tuple(r for r in rows if r != i), others, minors)
                    top += (-1) ** (i + k) * self.ring.reduced(part * self.rows[i][self.n])
            found[column] = self.ring.reduced(top), whole
        return found

    def _minor(
        self,
        rows: tuple[int, ...],
        columns: tuple[int, ...],
        known: dict[tuple[tuple[int, ...], tuple[int, ...]], Poly],
    ) -> Poly:
        if not rows:
            return self.ring.ring.one
        if (rows, columns) not in known:
            check()
            total = self.ring.ring.zero
            for k, column in enumerate(columns):
                entry = self.rows[rows[0]][column]
                if entry:
                    rest = self._minor(rows[1:], (*columns[:k], *columns[k + 1 :]), known)
                    total += (-1) ** k * self.ring.reduced(entry * rest)
            known[rows, columns] = self.ring.reduced(total)
        return known[rows, columns]

    def _back(self, column: int, row: list[Poly], known: dict[int, Ratio]) -> Ratio:
        top, bottom = row[self.n], self.ring.ring.one
        for j, (n, d) in known.items():
            if row[j] and n:
                top, bottom = self.ring.reduced(top * d - row[j] * n * bottom), self.ring.reduced(bottom * d)
                top, bottom = _cancelled(top, bottom) if top else (top, self.ring.ring.one)
        return top, self.ring.reduced(bottom * row[column])
