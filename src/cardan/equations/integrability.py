"""Which velocity constraints are holonomic in disguise: Frobenius' theorem on the constraint one-forms.

A row A v + b0 = 0 is the one-form a = sum a_j dq^j + a_t dt. A set of rows is integrable when, for all motions X, Y
that satisfy the set, da(X, Y) = 0 for every row. Decided by numbers at random configurations, and a potential is then
sought in symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import sympy as sp

from cardan.equations.accessibility import reachable_dimension
from cardan.equations.feasible import feasible
from cardan.equations.potentials import potential
from cardan.equations.reduced import derive
from cardan.equations.symbolic import SymbolicEquations
from cardan.errors import StartError, UnknownName
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.graph import Node, jacobian
from cardan.model.symbols import Coordinate
from cardan.model.variables import CoordinateVariable
from cardan.native.deadline import BUDGET, OutOfTime, check, within
from cardan.native.showing import Shown, listed, words

Array = npt.NDArray[np.float64]

LONGEST = 1000  # operations in what is simplified: a second or two of SymPy
TRIALS = 6  # random configurations; at a generic one a form that is not integrable shows
TOLERANCE = 1e-9  # of |da(X, Y)| against the derivatives of a, whatever their units


@dataclass(frozen=True)
class ConstraintReport(Shown):
    """One constraint row: whether it is integrable, by itself (None: not decided), and the holonomic form found for it.

    ``holonomic`` is phi with d(phi)/dt = 0 on the motion, so that phi = constant; ``solved`` is a pair (coordinate,
    expression) where phi = constant gives that coordinate; ``c`` in it is the constant.
    """

    name: str
    kind: str  # "holonomic" or "velocity"
    is_integrable: bool | None
    why: str
    holonomic: sp.Expr | None = None
    solved: tuple[Coordinate, sp.Expr] | None = None

    def __str__(self) -> str:
        verdict = _verdict(self.is_integrable)
        tail = "" if self.kind == "holonomic" or self.holonomic is None else f"; same as {self.holonomic} = constant"
        return f"{self.name}: {self.kind}, {verdict} ({self.why}){tail}"

    def _row(self) -> dict[str, object]:
        row: dict[str, object] = {"constraint": self.name, "kind": self.kind, "is": _verdict(self.is_integrable)}
        row |= {"because": self.why}
        found = None if self.kind == "holonomic" else self.holonomic
        return row | ({"holonomic form": sp.Eq(found, sp.Symbol("constant"))} if found is not None else {})


@dataclass(frozen=True)
class ConstraintsReport(Shown):
    """All constraint rows of a system, and whether they are integrable as a set.

    What was not decided in time is None, and ``undecided`` names it; called with ``budget=``, it looks once more.
    """

    rows: tuple[ConstraintReport, ...]
    is_integrable: bool | None
    freedoms: int | None  # of configuration
    velocity_freedoms: int | None
    undecided: tuple[str, ...] = ()
    search: Callable[[float | None], ConstraintsReport] | None = field(default=None, repr=False, compare=False)

    def __call__(self, *, budget: float | None = BUDGET) -> ConstraintsReport:
        """The same after a search of so many seconds (None: no limit), if anything was left open."""
        return self.search(budget) if self.undecided and self.search is not None else self

    def __getitem__(self, name: str) -> ConstraintReport:
        found = next((row for row in self.rows if row.name == name), None)
        if found is None:
            known = ", ".join(row.name for row in self.rows) or "none"
            raise UnknownName(f"{name!r} is no constraint row of this system. Known: {known}.", name=name)
        return found

    def __iter__(self) -> Iterator[ConstraintReport]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        counts = [
            f"{'an undecided number of' if n is None else n} {what} freedom{'s' * (n != 1)}"
            for n, what in ((self.freedoms, "configuration"), (self.velocity_freedoms, "velocity"))
        ]
        rows = f"{len(self.rows)} row{'s' * (len(self.rows) != 1)}"
        head = f"{rows}, as a set {_verdict(self.is_integrable)}: {', '.join(counts)}"
        return "\n".join([head, *(f"  {row}" for row in self.rows), *(f"  open: {one}" for one in self.undecided)])

    def _pieces(self) -> Iterator[str]:
        yield listed(self.rows, "no constraints")
        yield words(str(self).splitlines()[0])
        yield from (words(f"open: {one}") for one in self.undecided)


def _verdict(is_integrable: bool | None) -> str:
    return {True: "integrable", False: "not integrable", None: "not decided"}[is_integrable]


def report_constraints(s: SymbolicEquations, budget: float | None = BUDGET) -> ConstraintsReport:
    """The integrability of each row and of the whole set; what it has after ``budget`` seconds."""
    found = _Found()
    late: tuple[str, ...] = ()
    try:
        with within(budget, "constraints"):
            _search(s, found)
    except OutOfTime as out:
        late = tuple(f"{what}: {out}" for what in found.open())
    rows = tuple(found.rows)
    freedoms = (found.freedoms, found.velocity_freedoms)
    return ConstraintsReport(rows, found.together, *freedoms, late, lambda more: report_constraints(s, more))


@dataclass
class _Found:
    """What a search has so far; ``told`` of the rows have got their holonomic form, if they have one."""

    rows: list[ConstraintReport] = field(default_factory=list)
    told: int = 0
    together: bool | None = None
    freedoms: int | None = None
    velocity_freedoms: int | None = None

    def open(self) -> Iterator[str]:
        """What is left to decide."""
        if self.together is None:
            yield "whether the rows are integrable"
        if self.freedoms is None:
            yield "how many freedoms of configuration there are"
        for row in self.rows[self.told :]:
            if row.is_integrable and row.kind == "velocity":
                yield f"the holonomic form of {row.name}"


def _search(s: SymbolicEquations, found: _Found) -> None:
    """Verdicts by numbers first, then counts, and what is sought in symbols last."""
    found.rows = [_unjudged(row.name, row.is_holonomic) for row in s.rows]
    check()
    forms = _Forms(s)
    count = len(forms.names)
    for i in range(count):
        found.rows[i] = forms.verdict(i)
    found.together = forms.is_integrable(range(count))
    found.velocity_freedoms = len(s.model.v) - forms.places.rank()
    reached = found.velocity_freedoms if found.together else reachable_dimension(forms.d, forms.places.values(0))
    found.freedoms = reached
    for i in range(count):
        check()
        found.rows[i] = forms.report(i)
        found.told = i + 1


def _unjudged(name: str, is_holonomic: bool) -> ConstraintReport:
    """A row before anything is known of it but how it was stated."""
    if is_holonomic:
        return ConstraintReport(name, "holonomic", True, "stated as phi(q, t) = 0")
    return ConstraintReport(name, "velocity", None, "not looked at")


class _Forms:
    """The rows as one-forms on (q, t), with their exterior derivatives, at configurations with phi = 0."""

    def __init__(self, s: SymbolicEquations) -> None:
        self.s, self.d = s, derive(s.model)
        self.names = [row.name for row in s.rows]
        self.is_holonomic = [row.is_holonomic for row in s.rows]
        self.x = [*s.model.q, s.t]
        self.places = feasible(self.d)
        self._samples = self._sampled() if self.names else []

    def _sampled(self) -> list[tuple[Array, Array, Array]]:
        """(forms, their derivatives d a_ij / d x_l, unit rows) at a few configurations; all of them numbers."""
        d = self.d
        if not len(self.places.q):
            raise StartError(
                f"No configuration of {d.model.name!r} was found that satisfies its constraints, so that their ranks "
                "cannot be counted. Compare lengths and placements; s.assemble(q=...) looks from a guess."
            )
        x = [*d.q, d.t]
        m, n = len(self.names), len(x)
        entries = [entry for row in d.constraints.matrix for entry in self._by_rates(row)]
        forms = [*self._with_offsets(entries, m)]
        slopes = [slope for row in jacobian(forms, x) for slope in row]
        out = self.places.numbers([*forms, *slopes])
        found = []
        for k in np.flatnonzero(np.isfinite(out).all(axis=1))[:TRIALS]:
            a, da = out[k][: m * n].reshape(m, n), out[k][m * n :].reshape(m, n, n)
            found.append((a, da, self._unit_rows(self.places.q[k])))
        return found

    def _with_offsets(self, entries: list[Node], m: int) -> Iterator[Node]:
        n = len(self.d.q)
        for i, offset in enumerate(self.d.constraints.offsets):
            yield from entries[i * n : (i + 1) * n]
            yield offset

    def _by_rates(self, row: Sequence[Node]) -> list[Node]:
        """a with a . qd = row . v: the row itself for coordinates, row times 4 N^T for unit quaternions."""
        d, at = self.d, 0
        found: list[Node] = []
        for variable in d.model.free:
            own = row[at : at + len(variable.velocities)]
            at += len(own)
            if isinstance(variable, CoordinateVariable):
                found += own
            else:
                e = tuple(d.space.nodes[symbol] for symbol in variable.configuration)
                N = quaternion.rate_matrix(e)
                found += d.space.all_nodes([4 * sum(N[j][k] * own[k] for k in range(3)) for j in range(4)])
        return found

    def _unit_rows(self, q: Array) -> Array:
        """Rows e . de = 0 that keep quaternions unit."""
        rows, at = [], 0
        for variable in self.s.model.free:
            count = len(variable.configuration)
            if count == 4:
                row = np.zeros(len(self.x))
                row[at : at + 4] = q[at : at + 4]
                rows.append(row)
            at += count
        return np.reshape(rows, (len(rows), len(self.x)))

    def is_integrable(self, rows: Sequence[int]) -> bool:
        """Whether da(X, Y) = 0 on all X, Y that satisfy these rows (and keep quaternions unit)."""
        chosen = list(rows)
        if not chosen:
            return True
        for a, da, unit in self._samples:
            basis = _null_space(np.vstack([a[chosen], unit]))
            for i in chosen:
                curl = da[i].T - da[i]  # entry (l, j): d a_j / d x_l - d a_l / d x_j
                found = basis.T @ curl @ basis
                if np.max(np.abs(found), initial=0.0) > TOLERANCE * float(np.max(np.abs(da[i]), initial=0.0)):
                    return False
        return True

    def verdict(self, i: int) -> ConstraintReport:
        """Whether a row is integrable by itself, by numbers."""
        name = self.names[i]
        if self.is_holonomic[i]:
            return _unjudged(name, is_holonomic=True)
        if not self.is_integrable([i]):
            return ConstraintReport(name, "velocity", False, "a ^ da does not vanish: it forbids no configuration")
        return ConstraintReport(name, "velocity", True, "a ^ da = 0")

    def report(self, i: int) -> ConstraintReport:
        """That, and the holonomic form in symbols."""
        found = self.verdict(i)
        if self.is_holonomic[i]:
            phi = sp.sympify(self.s.rows[i].phi)
            return replace(found, holonomic=phi, solved=self._solved(phi, 0))
        if not found.is_integrable:
            return found
        phi = self._potential(i)
        if phi is None:
            return replace(found, why="a ^ da = 0, but no closed form was found")
        return replace(found, holonomic=phi, solved=self._solved(phi))

    def _potential(self, i: int) -> sp.Expr | None:
        """phi with d(phi) parallel to the form: with factors that its own entries suggest, else by a longer search."""
        entries = [_simplified(x) for x in self._symbolic(i)]
        factors = [sp.Integer(1), *(1 / x for x in entries if x != 0 and not x.is_number)]
        for factor in factors:
            phi = self._integrated([_simplified(x * factor) for x in entries])
            if phi is not None:
                return phi
        return None if self.s.model.has_quaternions else potential(entries, self.x)

    def _symbolic(self, i: int) -> list[sp.Expr]:
        """The form of one row in symbols."""
        rate = sp.sympify(self.s.impose(self.s.rows[i].rate))
        slopes = sp.Matrix([[sp.diff(rate, v) for v in self.s.model.v]])
        offset = rate.subs(dict.fromkeys(self.s.model.v, 0))
        return [*(slopes * self._velocities_from_rates()), offset]

    def _velocities_from_rates(self) -> sp.Matrix:
        """v in terms of qd: 1 for coordinates, 4 N^T for unit quaternions."""
        blocks = []
        for variable in self.s.model.free:
            if isinstance(variable, CoordinateVariable):
                blocks.append(sp.eye(1))
            else:
                blocks.append(4 * sp.Matrix(m3.transpose(quaternion.rate_matrix(variable.configuration))))
        return sp.diag(*blocks) if blocks else sp.zeros(0, 0)

    def _integrated(self, entries: list[sp.Expr]) -> sp.Expr | None:
        """phi with d(phi)/dx_j = entries_j, or None where the form is not exact."""
        for j, a in enumerate(entries):
            for k in range(j):
                if _simplified(sp.diff(a, self.x[k]) - sp.diff(entries[k], self.x[j])) != 0:
                    return None
        phi = sp.Integer(0)
        for x, a in zip(self.x, entries, strict=True):
            rest = _simplified(a - sp.diff(phi, x))
            found = sp.integrate(rest, x)
            if found.has(sp.Integral):
                return None
            phi += found
        return _simplified(phi)

    def _solved(self, phi: sp.Expr, constant: sp.Expr | None = None) -> tuple[Coordinate, sp.Expr] | None:
        """A coordinate that phi = c gives uniquely."""
        c = sp.Symbol("c", real=True) if constant is None else sp.sympify(constant)
        for q in self.s.model.q:
            if phi.has(q) and sp.diff(phi, q, 2) == 0 and sp.diff(phi, q).is_nonzero:
                slope = sp.diff(phi, q)
                return q, sp.expand((c - phi.subs(q, 0)) / slope)
        return None


def _null_space(matrix: Array) -> Array:
    _, s, vt = np.linalg.svd(matrix)
    rank = int(np.sum(s > 1e-10 * s[0])) if len(s) and s[0] > 0 else 0
    return vt[rank:].T


def _simplified(x: sp.Expr) -> sp.Expr:
    """x in a simpler form, where there is time for it; what is long is kept, since SymPy cannot be stopped."""
    check()
    return sp.simplify(x) if sp.count_ops(x) <= LONGEST else x
