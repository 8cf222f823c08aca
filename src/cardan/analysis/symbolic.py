"""Linear equations in symbols: the state matrix of a small system with its parameters as letters.

The balance M vd + h - A^T lam = 0 and A vd = b are differentiated by SymPy with accelerations and multipliers held, as
in `varied.py`, and solved for what constraints leave free. It is a route of its own: the equations are those that a
person reads, not the graph's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.linalg import qr

from cardan.equations.equations import Equations
from cardan.equations.tidy import tidy, tidy_matrix
from cardan.errors import ModelError, unknown
from cardan.native.once import once
from cardan.native.showing import Shown

Vector = NDArray[np.float64]
Place = Mapping[sp.Symbol | str, object]

RANK = 1e-9  # of the largest pivot
SEED = 20170130  # of numbers that stand for symbols where only a rank is asked for


@dataclass(frozen=True)
class SymbolicLinearization(Shown):
    """x' = A x + B u of motions next to a place, as SymPy matrices; ``accelerations`` of all coordinates at the place
    itself are zero where it is a rest."""

    _showing: ClassVar[tuple[str, ...]] = ("states", "inputs", "A", "B")

    states: list[str]
    inputs: list[str]
    A: sp.Matrix
    B: sp.Matrix
    accelerations: sp.Matrix
    parameters: Mapping[sp.Symbol, float]

    @once
    def polynomial(self) -> sp.Expr:
        """det(lambda - A) in the symbol ``lambda``, whose roots are the eigenvalues."""
        letter = sp.Symbol("lambda")
        return sp.collect(sp.expand(self.A.charpoly(letter).as_expr()), letter, tidy)

    def numbers(self, **values: float) -> tuple[Vector, Vector]:
        """(A, B) with the parameters' own values, or others; further symbols need theirs."""
        put = {str(symbol): value for symbol, value in self.parameters.items()} | values
        named = {one: put[str(one)] for one in self.A.free_symbols | self.B.free_symbols if str(one) in put}
        left = sorted(str(one) for one in (self.A.free_symbols | self.B.free_symbols) - set(named))
        if left:
            raise ModelError(f"Numbers need a value for {', '.join(left)}: lin.numbers({left[0]}=...).", names=left)
        return tuple(np.array(one.subs(named).evalf(), dtype=float) for one in (self.A, self.B))  # type: ignore[return-value]


@dataclass(frozen=True)
class Terms:
    """The equations of a model in symbols: balance h, constraint rows and their rates, and what signals there are."""

    q: list[sp.Symbol]
    v: list[sp.Symbol]
    u: list[sp.Symbol]
    M: sp.Matrix
    h: sp.Matrix
    phi: list[sp.Expr]  # of the holonomic rows
    holonomic: list[int]
    rates: sp.Matrix
    A: sp.Matrix
    b: sp.Matrix

    @classmethod
    def of(cls, equations: Equations) -> Terms:
        model, s = equations.model, equations.symbolic
        if model.has_quaternions:
            raise ModelError(
                f"{model.name!r} has a quaternion, whose displacements have no names. Ask for numbers, s.linearize(q), "
                "or describe the rotation by angles."
            )
        forces = sp.Matrix([s.impose(s.forces[i]) for i in s.free])
        rows, c = s.rows, equations.constraints
        n, m = len(model.v), len(rows)
        h = equations.velocity_terms + equations.potential_terms - forces
        A, b = (c.matrix, c.targets) if m else (sp.zeros(0, n), sp.zeros(0, 1))
        holonomic = [i for i, row in enumerate(rows) if row.is_holonomic]
        phi = [sp.sympify(s.impose(rows[i].phi)) for i in holonomic]
        rates = sp.Matrix(m, 1, c.rates) if m else sp.zeros(0, 1)
        signals = [one for one in model.signals if one in h.free_symbols]
        return cls(list(model.q), list(model.v), signals, equations.mass_matrix, h, phi, holonomic, rates, A, b)


def symbolic_linearization(
    equations: Equations, q: Place | None, v: Place | None, signals: Place | None
) -> SymbolicLinearization:
    """The linear equations at q, where what is left out stays a symbol; velocities and signals left out are zero."""
    terms, model = Terms.of(equations), equations.model
    put = _named(terms.q, q, "coordinate", model.name)
    put |= dict.fromkeys(terms.v, sp.Integer(0)) | _named(terms.v, v, "velocity", model.name)
    loads = dict.fromkeys(terms.u, sp.Integer(0)) | _named(list(model.signals), signals, "load or input", model.name)
    values = {symbol: float(value) for symbol, value in model.values.items()}
    return _solved(terms, put | loads, values, model.name)


def _named(symbols: list[sp.Symbol], given: Place | None, what: str, name: str) -> dict[sp.Symbol, sp.Expr]:
    own = {str(symbol): symbol for symbol in symbols}
    for one in given or {}:
        if str(one) not in own:
            raise unknown(str(one), list(own), f"{what} of {name!r}")
    return {own[str(one)]: sp.sympify(value) for one, value in (given or {}).items()}


def _solved(
    t: Terms, put: dict[sp.Symbol, sp.Expr], values: dict[sp.Symbol, float], name: str
) -> SymbolicLinearization:
    def here(matrix: sp.Matrix) -> sp.Matrix:
        return tidy_matrix(matrix.subs(put))

    _refuse_open(t, put, name)
    n, A_here = len(t.v), here(t.A)
    kept, dependent, first = _pivots(t, A_here, values)
    A, b, rates = t.A.extract(kept, list(range(n))), t.b.extract(kept, [0]), t.rates.extract(kept, [0])
    a = sp.Matrix([sp.Dummy(f"a{i}") for i in range(n)])
    lam = sp.Matrix(len(kept), 1, [sp.Dummy(f"lam{i}") for i in range(len(kept))])
    A0 = A_here.extract(kept, list(range(n)))
    K = sp.Matrix(sp.BlockMatrix([[here(t.M), -A0.T], [A0, sp.zeros(len(kept), len(kept))]])) if kept else here(t.M)
    rest = K.LUsolve(sp.Matrix.vstack(-here(t.h), here(b))) if n else sp.zeros(0, 1)
    rest = rest.applyfunc(tidy)
    held = dict(zip([*a, *lam], rest, strict=True))
    balance = sp.Matrix.vstack(t.M * a + t.h - A.T * lam, A * a - b)

    def changed(symbols: list[sp.Symbol]) -> sp.Matrix:
        if not symbols:
            return sp.zeros(n, 0)
        slope = here(balance.jacobian(sp.Matrix(symbols))).subs(held)
        return -K.LUsolve(slope.applyfunc(tidy))[:n, :]

    J = sp.Matrix(sp.BlockMatrix([[sp.zeros(n), sp.eye(n)], [changed(t.q), changed(t.v)]])) if n else sp.zeros(0, 0)
    Zq, Zv = _allowed(A0, dependent[:first], n), _allowed(A0, dependent, n)
    follow = sp.zeros(n, n)
    if kept:
        solved = A0.extract(list(range(len(kept))), dependent).LUsolve(here(rates.jacobian(sp.Matrix(t.q))))
        for k, j in enumerate(dependent):
            follow[j, :] = -solved[k, :]
    T = sp.Matrix.vstack(Zq.row_join(sp.zeros(n, Zv.cols)), (follow * Zq).row_join(Zv))
    free_q = [j for j in range(n) if j not in dependent[:first]]
    free_v = [j for j in range(n) if j not in dependent]
    rows = [*free_q, *(n + j for j in free_v)]
    B = sp.Matrix.vstack(sp.zeros(n, len(t.u)), changed(t.u)).extract(rows, list(range(len(t.u))))
    states = [str(t.q[j]) for j in free_q] + [str(t.v[j]) for j in free_v]
    matrix = (J * T).extract(rows, list(range(T.cols)))
    names = [str(one) for one in t.u]
    return SymbolicLinearization(states, names, tidy_matrix(matrix), tidy_matrix(B), rest[:n, :], values)


def _refuse_open(t: Terms, put: dict[sp.Symbol, sp.Expr], name: str) -> None:
    """Refuse a place or velocities that break a constraint, whatever is still free."""
    for what, value in [*(("place", one) for one in t.phi), *(("velocity", one) for one in t.rates)]:
        left = sp.simplify(value.subs(put))
        if left != 0 and not left.free_symbols & {*t.q, *t.v}:
            raise ModelError(
                f"A constraint of {name!r} is not met by this {what}: {left} is left of it. Give one that meets it, in "
                "symbols: q={x: 0, y: -l}, v={y: -r*w}.",
                left=str(left),
            )


def _pivots(t: Terms, A: sp.Matrix, values: dict[sp.Symbol, float]) -> tuple[list[int], list[int], int]:
    """Independent rows, holonomic ones first, the dependent coordinate of each, and how many are holonomic.

    Ranks are those at the parameters' values, with numbers drawn for symbols that have none.
    """
    rng = np.random.default_rng(SEED)
    numbers = {one: values.get(one, float(rng.uniform(0.3, 0.9))) for one in sorted(A.free_symbols, key=str)}
    whole = np.array(A.subs(numbers).evalf(), dtype=float).reshape(A.shape)
    rows: list[int] = []
    columns: list[int] = []
    first = 0
    for part in (t.holonomic, [i for i in range(A.rows) if i not in set(t.holonomic)]):
        left = whole[part]
        if rows:  # what earlier rows leave of these
            known = whole[rows]
            left = left - left[:, columns] @ np.linalg.solve(known[:, columns], known)
        free = [j for j in range(A.cols) if j not in set(columns)]
        chosen = _chosen(left[:, free], float(np.max(np.abs(whole), initial=0.0)))
        rows += [part[i] for i, _ in chosen]
        columns += [free[j] for _, j in chosen]
        first = first or (len(rows) if part == t.holonomic else 0)
    return rows, columns, first


def _chosen(rows: Vector, size: float) -> list[tuple[int, int]]:
    """Pairs of an independent row and a coordinate that it determines."""
    if not rows.size:
        return []
    _, R, order = qr(rows.T, mode="economic", pivoting=True)
    rank = int(np.sum(np.abs(np.diag(R)) > RANK * size))
    picked = sorted(int(i) for i in order[:rank])
    if not picked:
        return []
    columns = qr(rows[picked], mode="economic", pivoting=True)[2]
    return list(zip(picked, (int(j) for j in columns[:rank]), strict=True))


def _allowed(A: sp.Matrix, dependent: list[int], n: int) -> sp.Matrix:
    """Z with A Z = 0 in the first rows: the identity in independent rows, and what follows in the dependent ones."""
    independent = [j for j in range(n) if j not in dependent]
    Z = sp.zeros(n, len(independent))
    for k, j in enumerate(independent):
        Z[j, k] = 1
    if dependent:
        rows = list(range(len(dependent)))
        solved = A.extract(rows, dependent).LUsolve(A.extract(rows, independent))
        for k, j in enumerate(dependent):
            Z[j, :] = -solved[k, :]
    return Z
