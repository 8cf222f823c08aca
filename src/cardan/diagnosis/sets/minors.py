"""Determinants and minors of matrices over a ring of sines and cosines, reduced at every step."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from cardan.algebra.trig_ring import Poly, TrigRing
from cardan.diagnosis.sets.conditions import LARGEST, TooLarge
from cardan.native.deadline import check

if TYPE_CHECKING:
    import sympy as sp

MOST = 80  # minors; beyond this the determinant of A A^T is formed instead


def determinant(ring: TrigRing, table: list[list[Poly]]) -> Poly:
    """By expansion along rows; minors of the lower rows are formed once."""
    n = len(table)
    known: dict[tuple[int, ...], Poly] = {(): ring.ring.one}
    for size in range(1, n + 1):
        row = table[n - size]
        below, known = known, {}
        for columns in combinations(range(n), size):
            check()
            total, sign = ring.ring.zero, 1
            for k, j in enumerate(columns):
                if row[j] != 0:
                    total = total + sign * row[j] * below[columns[:k] + columns[k + 1 :]]
                sign = -sign
            known[columns] = ring.reduced(total)
            if len(known[columns]) > 8 * LARGEST:
                raise TooLarge
    return known[tuple(range(n))]


def minors(ring: TrigRing, matrix: sp.Matrix, rank: int) -> list[Poly]:
    """Polynomials that vanish together exactly where the rank is below ``rank``."""
    table = polynomial_rows(ring, matrix)
    rows, columns = len(table), len(table[0])
    count = comb(rows, rank) * comb(columns, rank)
    if count <= MOST:
        found = []
        for i in combinations(range(rows), rank):
            for j in combinations(range(columns), rank):
                found.append(determinant(ring, [[table[a][b] for b in j] for a in i]))
        return [p for p in found if p != 0]
    if rank == rows:
        return [determinant(ring, [[ring.reduced(_dot(ring, a, b)) for b in table] for a in table])]
    raise TooLarge


def polynomial_rows(ring: TrigRing, matrix: sp.Matrix) -> list[list[Poly]]:
    """Rows multiplied by their denominators, which do not change the rank where they are finite."""
    found = []
    for row in matrix.tolist():
        ratios = [ring.ratio(x) for x in row]
        bottoms = {d for _, d in ratios if not d.is_ground}
        if not bottoms:
            found.append([ring.reduced(n) / d.LC for n, d in ratios])
            continue
        entries = []
        for n, d in ratios:
            for other in bottoms - {d}:
                n = ring.reduced(n * other)
            entries.append(n if d in bottoms else n / d.LC)
        found.append(entries)
    return found


def _dot(ring: TrigRing, a: list[Poly], b: list[Poly]) -> Poly:
    return sum((x * y for x, y in zip(a, b, strict=True)), ring.ring.zero)
