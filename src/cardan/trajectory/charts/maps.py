"""Declared charts as numbers: q = F(x), qd = F_x xd, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.errors import ModelError
from cardan.graph import Graph, evaluate, from_sympy
from cardan.model.charts import DeclaredChart
from cardan.native.once import once
from cardan.singular.reference import SEED
from cardan.trajectory.charts.readings import Sheet, near

if TYPE_CHECKING:
    from cardan.codegen.compiled import Kernel
    from cardan.trajectory.charts.view import View

Vector = NDArray[np.float64]

STEPS = 60
CLOSE = 1e-12
SAME = 1e-8  # relative difference of energies in two charts that are one


class Map:
    """Expressions of some symbols and their derivatives, for rows of values."""

    def __init__(
        self, expressions: Sequence[sp.Expr], symbols: Sequence[sp.Symbol], values: Mapping[sp.Symbol, float]
    ) -> None:
        graph = Graph()
        self.nodes = [graph.input(str(symbol)) for symbol in symbols]
        known = dict(zip(symbols, self.nodes, strict=True)) | {p: float(value) for p, value in values.items()}
        slopes = [sp.diff(one, symbol) for one in expressions for symbol in symbols]
        self.outputs = from_sympy([*expressions, *slopes], known, graph)
        self.shape = len(expressions), len(symbols)

    def __call__(self, rows: Vector) -> tuple[Vector, Vector]:
        """(values, derivatives), one row and one matrix per row."""
        with np.errstate(all="ignore"):
            found = evaluate(self.outputs, {node: rows[:, k] for k, node in enumerate(self.nodes)})
        columns = [np.broadcast_to(np.asarray(one, dtype=float), (len(rows),)) for one in found]
        table = np.stack(columns, axis=1)
        return table[:, : self.shape[0]], table[:, self.shape[0] :].reshape(-1, *self.shape)


class DeclaredReading:
    """The user's coordinates read off those of a declared chart: its maps."""

    sheets: tuple[Sheet, ...] = (lambda q: q,)
    has_own_size = False

    def __init__(self, chart: DeclaredChart, values: Mapping[sp.Symbol, float]) -> None:
        self.chart, self.values = chart, values
        self.angles = chart.angles
        self.size = self.freedoms = len(chart.coordinates)
        self.F = Map(list(chart.maps.values()), chart.coordinates, values)
        inverse = chart.inverse
        self.G = None if inverse is None else Map([inverse[x] for x in chart.coordinates], list(chart.maps), values)

    def enter(self, q: Vector, qd: Vector) -> tuple[Vector, Vector]:
        """By the inverse maps: x = G(q), xd = G_q qd, regular where F is not; else by solving F(x) = q.

        Not numbers where there is no such place, or where it cannot be found without the inverse.
        """
        if self.G is not None:
            x, slopes = self.G(q[None])
            return x[0], slopes[0] @ qd
        found = self._solved(q)
        if found is None:
            return np.full(self.size, np.nan), np.full(self.size, np.nan)
        return found, np.linalg.solve(self.F(found[None])[1][0], qd)

    def principal(self, x: Vector) -> tuple[Vector, Vector]:
        """Where the maps have infinite derivatives, the old chart is singular."""
        q, slopes = self.F(x)
        finite = np.asarray(np.isfinite(slopes).all(axis=(1, 2)) & np.isfinite(q).all(axis=1))
        determinant = np.abs(np.linalg.det(np.where(finite.reshape(-1, 1, 1), slopes, np.eye(self.size))))
        distance = np.where(finite & (determinant > 0), 1 / np.where(determinant > 0, determinant, 1.0), 0.0)
        return np.where(np.isfinite(q), q, 0.0), distance

    def settled(self, x: Vector, before: Vector, sheet: int, tiny: float) -> Vector:
        q = near(self.principal(x[None])[0][0], before, self.angles)
        return np.where(np.isin(np.arange(self.size), self.angles), before, q)

    def rates(self, q: Vector, x: Vector, v: Vector) -> Vector:
        found = np.einsum("tij,tj->ti", self.F(x)[1], v)
        return np.where(np.isfinite(found), found, 0.0)

    @once
    def _rates(self) -> Map:
        """F_x xd as expressions of x and xd."""
        x = self.chart.coordinates
        rates = [sp.Add(*(sp.diff(F, one) * one.dot for one in x)) for F in self.chart.maps.values()]
        return Map(rates, [*x, *(one.dot for one in x)], self.values)

    def accelerations(self, q: Vector, qd: Vector, x: Vector, v: Vector, vd: Vector) -> Vector:
        slopes = self._rates(np.concatenate([x, v], axis=1))[1]
        found = np.einsum("tij,tj->ti", slopes, np.concatenate([v, vd], axis=1))
        return np.where(np.isfinite(found), found, 0.0)

    def change(self, x: Vector, v: Vector) -> Vector:
        return v

    def jump(self, change: Vector) -> float:
        return float(np.max(np.abs(change)))

    def _solved(self, q: Vector) -> Vector | None:
        """x with F(x) = q up to whole turns: Newton's method from several places."""
        rng = np.random.default_rng(SEED)
        size = max(1.0, float(np.max(np.abs(q))))
        for k in range(40):
            x = rng.uniform(-1.0, 1.0, self.size) * (size if k % 2 else 1.0)
            for _ in range(STEPS):
                value, slopes = self.F(x[None])
                if not (np.isfinite(value).all() and np.isfinite(slopes).all()):
                    break
                residual = value[0] - near(q, value[0], self.angles)
                try:
                    step = np.linalg.solve(slopes[0], residual)
                except np.linalg.LinAlgError:
                    break
                x = x - step * min(1.0, size / max(float(np.max(np.abs(step))), 1e-300))
                if np.max(np.abs(step)) < CLOSE * max(1.0, float(np.max(np.abs(x)))):
                    value = self.F(x[None])[0][0]
                    if np.max(np.abs(value - near(q, value, self.angles))) < 1e-11 * size:
                        return x
                    break
        return None

    def check(self, kernel: Kernel, view: View) -> None:
        """Energies in both charts at a few states; a difference means wrong maps or a wrong typed energy."""
        rng = np.random.default_rng(SEED)
        n, nq = view.kernel.nv, view.kernel.nq
        part = view.parts[0]
        for _ in range(8):
            y = rng.uniform(0.2, 1.0, nq + n)
            q, _distance = self.principal(part.split(y[None])[0])
            user = view.with_parts(y[None], [q])[0]
            T, V, _ = kernel.function("energy")(0.0, user, kernel.p())
            own_T, own_V, _ = view.kernel.function("energy")(0.0, y, view.kernel.p())
            size = abs(T) + abs(V)
            if not abs(T - own_T) + abs(V - own_V) <= SAME * max(size, 1e-300):
                x = dict(zip(map(str, self.chart.coordinates), y[part.own_q : part.own_q + self.size], strict=True))
                raise ModelError(
                    f"Chart {self.chart.name!r} does not describe the same system: at {x} the energies are "
                    f"T = {T:.6g}, V = {V:.6g} in the old coordinates and T = {own_T:.6g}, V = {own_V:.6g} in the new. "
                    "Check the maps, and the kinetic energy if one was typed.",
                    name=self.chart.name,
                )
        if self.G is not None:
            self._check_inverse(rng)

    def _check_inverse(self, rng: np.random.Generator) -> None:
        assert self.G is not None
        x = rng.uniform(0.2, 1.0, (8, self.size))
        q, _ = self.principal(x)
        again, _ = self.principal(self.G(q)[0])
        error = np.max(np.abs(again - near(q, again, self.angles)))
        if not error < 1e-7:
            raise ModelError(
                f"Chart {self.chart.name!r}: the maps and the inverse do not undo each other (off by {error:.3g}).",
                name=self.chart.name,
            )
