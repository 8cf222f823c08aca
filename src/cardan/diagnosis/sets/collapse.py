"""The manifold behind coordinates and a metric: where circles shrink to points, and what that closes up.

A coordinate u runs over a line, a half-line or a circle; the others that are angles form a torus above each u. Where
the metric loses rank at u = u0, a closed curve of that torus has length zero there: it is one point of the manifold.
Rules, with the curves as whole numbers of turns n0, n1 (proofs in docs/theory/manifolds.md):

    circle, one end shrinks            E^2        circle, both ends shrink    S^2
    torus, both ends shrink, |det|=0   S^2 x S^1, 1: S^3, 2: RP^3
    a whole sphere S^2 shrinks at one end: E^3
    circle, over a circle of u with one end: S^2 with its poles at one place; RP^2 where opposite places are the same
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.algebra.trig_ring import TrigRing
from cardan.diagnosis.manifold.reach import Reach
from cardan.diagnosis.sets.conditions import Solver, TooLarge
from cardan.diagnosis.sets.minors import determinant, polynomial_rows
from cardan.diagnosis.sets.tracing import roots

Vector = NDArray[np.float64]

SAME = 1e-5  # roots closer than this are one
SMOOTH = 1e-3  # a full angle that differs from 2 pi by less than this part closes smoothly


Ranges = Mapping[sp.Symbol, tuple[float, float]]


def collapsed(
    metric: sp.Matrix,
    coordinates: Sequence[sp.Symbol],
    kinds: Mapping[sp.Symbol, str],
    ranges: Ranges | None = None,
    seen: Sequence[sp.Expr] = (),
) -> Reach:
    """The factors of the manifold with this metric; ``kinds`` says "S1" or "R" of each coordinate.

    ``seen`` is the map whose metric it is, where there is one: it tells which values of coordinates are one place.
    """
    names = tuple(str(q) for q in coordinates)
    ends = _ends(metric, coordinates, kinds, ranges or {})
    if isinstance(ends, str):
        return Reach(faithful=False, undecided=ends)
    if not ends:
        why = "the metric is regular everywhere, so each coordinate is a factor"
        return Reach(tuple(("S1" if kinds[q] == "S1" else "E", (str(q),)) for q in coordinates), why=why)
    return Closing(metric, list(coordinates), dict(kinds), ends, names, seen).closed()


def _ends(
    metric: sp.Matrix, coordinates: Sequence[sp.Symbol], kinds: Mapping[sp.Symbol, str], ranges: Ranges
) -> dict[sp.Symbol, list[float]] | str:
    """Values of single coordinates at which the metric loses rank, or why that is no such case."""
    box = np.array([*(np.pi if kinds[q] == "S1" else 3.0 for q in coordinates), 0.0])
    time = sp.Dummy("t")

    def zeros(expressions: Sequence[sp.Expr]) -> list[Vector]:
        f = sp.lambdify([*coordinates, time], sp.Matrix(list(expressions)), modules="numpy", dummify=True)
        return roots(lambda x: np.asarray(f(*x), dtype=float).ravel(), box, 12)

    ring = TrigRing(list(metric), coordinates)
    try:
        det = ring.reduced(determinant(ring, polynomial_rows(ring, metric)))
        if det == 0:
            return "the metric is singular everywhere: some motions move no mass"
        branches = Solver(ring, zeros).branches([det])
    except TooLarge:
        return "the determinant of the metric is too large to factor"
    found: dict[sp.Symbol, list[float]] = {}
    for branch in branches:
        if not branch:
            continue
        symbols = set().union(*(one.expression.free_symbols for one in branch)) & set(coordinates)
        if len(branch) > 1 or len(symbols) != 1:
            return f"the metric loses rank where {' and '.join(one.text for one in branch)}"
        q = symbols.pop()
        values = [float(x[list(coordinates).index(q)]) for x in zeros([branch[0].expression])]
        if kinds[q] == "S1":
            values = [x % (2 * np.pi) for x in values]
            values = [0.0 if abs(x - 2 * np.pi) < SAME else x for x in values]
        lower, upper = ranges.get(q, (-np.inf, np.inf))
        inside = [x for x in values if lower - SAME <= x <= upper + SAME]
        if inside:
            found[q] = _apart([*found.get(q, []), *inside])
    return found


def _apart(values: Sequence[float]) -> list[float]:
    """The values in order, each once: double roots are found to half the digits."""
    kept: list[float] = []
    for x in sorted(values):
        if not kept or x - kept[-1] > SAME:
            kept.append(x)
    return kept


class Closing:
    """Applies the rules of this page to a metric with known ends."""

    def __init__(
        self,
        metric: sp.Matrix,
        coordinates: list[sp.Symbol],
        kinds: dict[sp.Symbol, str],
        ends: dict[sp.Symbol, list[float]],
        names: tuple[str, ...],
        seen: Sequence[sp.Expr] = (),
    ) -> None:
        self.seen = seen
        self.metric, self.coordinates, self.kinds, self.ends, self.names = metric, coordinates, kinds, ends, names
        self._at = sp.lambdify(coordinates, metric, modules="numpy", dummify=True)

    def closed(self) -> Reach:
        """First what closes at ends where one curve shrinks, then ends where all that was closed shrinks."""
        if len(self.ends) == 1:
            return self._around(next(iter(self.ends)))
        if len(self.ends) == 2:
            return self._around_two()
        return Reach(faithful=False, undecided=f"the metric loses rank at values of {', '.join(map(str, self.ends))}")

    def _around(self, u: sp.Symbol, without: sp.Symbol | None = None) -> Reach:
        values = self.ends[u]
        curves = [self._curve(u, value) for value in values]
        if any(isinstance(one, str) for one in curves):
            return Reach(faithful=False, undecided=next(one for one in curves if isinstance(one, str)))
        turning = sorted({k for n in curves for k in np.flatnonzero(n)})
        torus = [self.coordinates[k] for k in turning]
        rest = [q for q in self.coordinates if q not in (u, *torus, without)]
        extra = tuple(("S1" if self.kinds[q] == "S1" else "E", (str(q),)) for q in rest)
        ends = len(values)
        if self.kinds[u] == "S1" and ends == 1 and len(torus) == 1 and self._is_antipodal(u, values[0], torus[0]):
            why = f"{u} and {torus[0]} sweep a sphere on which opposite places are one"
            return Reach((*extra, ("RP2", (str(u), str(torus[0])))), False, why=why)
        if self.kinds[u] == "S1" and not (ends == 2 and abs(abs(values[0] - values[1]) - np.pi) < 1e-6):
            return Reach(faithful=False, undecided=f"the metric loses rank at {ends} values of the angle {u}")
        if self.kinds[u] != "S1" and ends > 2:
            return Reach(faithful=False, undecided=f"the metric loses rank at {ends} values of {u}")
        kind = self._kind(ends, np.array([[n[k] for k in turning] for n in curves], dtype=float))
        if kind is None:
            return Reach(faithful=False, undecided=f"what closes at the ends of {u} has no name here")
        together = tuple(str(q) for q in (u, *torus))
        why = (
            f"{', '.join(str(q) for q in torus)} loses its meaning where {u} = {', '.join(f'{x:.6g}' for x in values)}"
        )
        factors = [(one, together) for one in kind]
        return Reach((*extra, *factors), False, why=why)

    def _is_antipodal(self, u: sp.Symbol, end: float, a: sp.Symbol) -> bool:
        """Whether half a turn of a, with u mirrored at its end, leads back to the same place."""
        if not self.seen:
            return False
        f = sp.lambdify(self.coordinates, sp.Matrix(list(self.seen)), modules="numpy", dummify=True)
        for k in range(4):
            here = {q: 0.4 + 0.7 * k + 0.3 * i for i, q in enumerate(self.coordinates)}
            there = {**here, a: here[a] + np.pi, u: 2 * end - here[u]}
            one, other = (np.asarray(f(*(x[q] for q in self.coordinates)), dtype=float) for x in (here, there))
            if np.max(np.abs(one - other)) > SAME * max(1.0, float(np.max(np.abs(one)))):
                return False
        return True

    def _kind(self, ends: int, curves: Vector) -> tuple[str, ...] | None:
        if curves.shape[1] == 1:
            return ("E2",) if ends == 1 else ("S2",)
        if curves.shape[1] == 2 and ends == 2:
            return {0: ("S2", "S1"), 1: ("S3",), 2: ("RP3",)}.get(round(abs(float(np.linalg.det(curves)))))
        return None

    def _around_two(self) -> Reach:
        """A radius at whose end everything shrinks, and an angle at whose ends one curve does: E^3 in polar form."""
        for r, u in (tuple(self.ends), tuple(self.ends)[::-1]):
            if self.kinds[r] == "S1" or len(self.ends[r]) != 1:
                continue
            sphere = Closing(self.metric, self.coordinates, self.kinds, {u: self.ends[u]}, self.names)._around(u, r)
            if sphere.undecided or not sphere.factors or sphere.factors[-1][0] != "S2":
                continue
            shrinking = [q for q in self.coordinates if str(q) in sphere.factors[-1][1]]
            if self._shrinks(r, self.ends[r][0], shrinking):
                together = (str(r), *sphere.factors[-1][1])
                why = f"{sphere.why}, and the whole sphere shrinks to a point where {r} = {self.ends[r][0]:.6g}"
                return Reach((*sphere.factors[:-1], ("E3", together)), False, why=why)
        return Reach(faithful=False, undecided=f"the metric loses rank at values of {', '.join(map(str, self.ends))}")

    def _shrinks(self, r: sp.Symbol, value: float, coordinates: Sequence[sp.Symbol]) -> bool:
        """Whether the metric along these coordinates is that of a unit sphere times the squared distance."""
        near = self._matrix({r: value + 1e-4})
        twice = self._matrix({r: value + 2e-4})
        k = [self.coordinates.index(q) for q in coordinates]
        i = self.coordinates.index(r)
        block = near[np.ix_(k, k)] / (near[i, i] * 1e-8)
        ratio = float(np.linalg.norm(twice[np.ix_(k, k)]) / np.linalg.norm(near[np.ix_(k, k)]))
        largest = float(np.max(np.linalg.eigvalsh(block)))
        return abs(ratio - 4) < 1e-2 and abs(largest - 1) < 1e-2

    def _matrix(self, values: Mapping[sp.Symbol, float]) -> Vector:
        point = [values.get(q, 0.7 + 0.1 * k) for k, q in enumerate(self.coordinates)]
        return np.asarray(self._at(*point), dtype=float)

    def _curve(self, u: sp.Symbol, value: float) -> Vector | str:
        """The closed curve, in whole turns of each angle, that has length zero at u = value."""
        w, U = np.linalg.eigh(self._matrix({u: value}))
        if np.sum(w < 1e-9 * w[-1]) != 1:
            return f"more than one curve shrinks where {u} = {value:.6g}"
        n = U[:, 0] / U[np.argmax(np.abs(U[:, 0])), 0]
        whole: Vector = np.asarray(np.round(n), dtype=float)
        if np.max(np.abs(n - whole)) > 1e-6:
            return f"the motion that shrinks where {u} = {value:.6g} never closes"
        angles = [self.kinds[self.coordinates[k]] for k in np.flatnonzero(whole)]
        if any(kind != "S1" for kind in angles):
            open_ones = ", ".join(str(self.coordinates[k]) for k in np.flatnonzero(whole))
            return f'{open_ones} loses its meaning where {u} = {value:.6g}; if it is an angle, declare it on="S1"'
        step = 1e-4
        near = self._matrix({u: value + step})
        full = float(whole @ near @ whole) / (near[self.coordinates.index(u), self.coordinates.index(u)] * step**2)
        if abs(np.sqrt(full) - 1) > SMOOTH:
            return f"a cone with the full angle {360 * np.sqrt(full):.6g} degrees closes where {u} = {value:.6g}"
        return whole
