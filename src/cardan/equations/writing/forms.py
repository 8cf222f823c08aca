"""The forms in which equations of motion are written, ``eq.write(form)``.

rows         one line per velocity:        M vd + f + g = Q + A^T lam
matrix       the same with matrices:       M vd + C v + g = Q + A^T lam
explicit     accelerations as formulas:    vd = M^-1 (Q - f - g + A^T lam), lam put in, Choset (10.25)-(10.27)
projected    along what constraints leave: Z^T (M vd + f + g) = Z^T Q with A Z = 0; Z spans the range of P, (10.18)
state        first order:                  qd = N v, vd as above
kane         in generalized speeds:        W^T (M vd + f + g) = W^T Q with v = W u + w
hamiltonian  first order in momenta:       qd = dH/dp, pd = -dH/dq + Q + A^T lam
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import sympy as sp

from cardan.algebra.decimals import has_decimals, with_decimals
from cardan.algebra.solving import NotSolved, solve
from cardan.algebra.trig_ring import exactly
from cardan.equations.joint_directions import multiplier
from cardan.equations.speeds import Speeds, require_speeds
from cardan.equations.tidy import leads, tidy, tidy_matrix
from cardan.equations.writing.conditions import Contacts, contacts
from cardan.equations.writing.naming import named
from cardan.equations.writing.printing import Rate
from cardan.equations.writing.written import Line, Written
from cardan.errors import DerivationError, unknown
from cardan.native.deadline import OutOfTime, within
from cardan.native.once import once

if TYPE_CHECKING:
    from cardan.equations.equations import Equations

BUDGET = 30.0  # seconds of a form


class Forms:
    """All forms of the equations of one model."""

    def __init__(self, equations: Equations) -> None:
        self.eq, self.s, self.model = equations, equations.symbolic, equations.model

    def write(self, form: str, budget: float = BUDGET) -> Written:
        """The equations in a form, within ``budget`` seconds."""
        makers: dict[str, Callable[[], Written]] = {
            "rows": self.rows,
            "matrix": self.matrix,
            "explicit": self.explicit,
            "projected": self.projected,
            "state": self.state,
            "hamiltonian": self.hamiltonian,
            "kane": self.kane,
        }
        if form not in makers:
            raise unknown(form, makers, "form of equations")
        try:
            with within(budget, f"writing {form!r}"):
                return makers[form]()
        except (OutOfTime, NotSolved) as problem:
            raise DerivationError(
                f"The form {form!r} of {self.model.name!r} was not written: {problem}. Use eq.write('rows') for "
                "equations, eq.at(q, v) for numbers, or give more seconds with budget=.",
                form=form,
            ) from problem

    # --- parts -------------------------------------------------------------------------------------

    @once
    def contacts(self) -> Contacts:
        return contacts(self.s)

    @once
    def lam(self) -> list[sp.Symbol]:
        return [multiplier(name, "lam") for name in (self.eq.constraints.names if self.model.constraints else ())]

    @once
    def left(self) -> list[sp.Expr]:
        """M vd + f + g, one for each free velocity."""
        s = self.s
        accelerations = [sp.Add(*(s.mass_matrix[i, j] * s.v[j].dot for j in s.free)) for i in s.free]
        rest = [s.velocity_terms[i] + s.driven(i) + s.potential_terms[i] for i in s.free]
        return [tidy(s.impose(a + b)) for a, b in zip(accelerations, rest, strict=True)]

    @once
    def forces(self) -> list[sp.Expr]:
        """Q + A^T lam, and what contacts do."""
        return [a + b for a, b in zip(self.eq.forces_and_pushes, self.contacts.pushes, strict=True)]

    @once
    def applied(self) -> list[sp.Expr]:
        """Q alone, with contact forces."""
        s = self.s
        return [tidy(s.impose(s.forces[i])) + p for i, p in zip(s.free, self.contacts.pushes, strict=True)]

    @once
    def constraint_lines(self) -> tuple[Line, ...]:
        """phi = 0 of places, A v + b0 = 0 of velocities."""
        s = self.s
        values = [tidy(s.impose(row.phi if row.phi is not None else row.rate)) for row in s.rows]
        return tuple(Line(row.name, value, sp.S.Zero) for row, value in zip(s.rows, values, strict=True))

    @once
    def accelerations(self) -> tuple[sp.Symbol, ...]:
        return tuple(v.dot for v in self.model.v)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the rows: the coordinate, or the angular velocity of a quaternion."""
        return tuple(str(getattr(v, "of", v)) for v in self.model.v)

    def _finish(
        self, form: str, law: str, lines: Sequence[Line], unknowns: Sequence[sp.Symbol], **more: object
    ) -> Written:
        """Scalar lines with named quantities where they are long."""
        flat = [self._typed(side) for line in lines for side in (line.left, line.right)]
        taken = {symbol.name for one in flat for symbol in one.free_symbols}
        short, definitions = named(flat, taken)
        pairs = zip(lines, short[::2], short[1::2], strict=True)
        made = tuple(Line(line.name, left, right, line.sign) for line, left, right in pairs)
        return Written(
            self.model.name, form, law, made, definitions=tuple(definitions), unknowns=tuple(unknowns),
            conditions=self.contacts.conditions, multipliers=tuple(map(str, (*self.lam, *self.contacts.forces))),
            **more,  # type: ignore[arg-type]
        )  # fmt: skip

    def _typed(self, value: sp.Expr) -> sp.Expr:
        """With decimals, where the model was typed with decimals."""
        return with_decimals(exactly(value)) if self._is_decimal else value

    @once
    def _is_decimal(self) -> bool:
        s = self.s
        return any(has_decimals(sp.sympify(one)) for one in (s.kinetic, s.potential, *s.forces))

    # --- forms -------------------------------------------------------------------------------------

    @property
    def rows_in_full(self) -> list[Line]:
        """M vd + f + g = Q + A^T lam, without named quantities."""
        return [Line(name, *pair) for name, *pair in zip(self.names, self.left, self.forces, strict=True)]

    def rows(self) -> Written:
        lines = self.rows_in_full
        unknowns = (*self.accelerations, *self.lam, *self.contacts.forces)
        law = r"M \dot v + f + g = Q + A^{\mathsf T} \lambda"
        return self._finish("rows", law, lines, unknowns, constraints=self.constraint_lines)

    def matrix(self) -> Written:
        v, vd = sp.Matrix(self.model.v), sp.Matrix(self.accelerations)
        M, f, g = self.eq.mass_matrix, self.eq.velocity_terms, self.eq.potential_terms
        left = sp.MatMul(M, vd, evaluate=False)
        inertial = self._coriolis(f)
        terms = [left, sp.MatMul(inertial, v, evaluate=False) if inertial is not None else f, g]
        right: list[sp.MatrixExpr | sp.MatrixBase] = [sp.Matrix(self.applied)]
        if self.lam:
            right.append(sp.MatMul(self.eq.constraint_matrix.T, sp.Matrix(self.lam), evaluate=False))
        law = r"M \dot v + C v + g = Q + A^{\mathsf T} \lambda"
        line = Line("", _sum(terms), _sum(right))
        matrices = [("M", M), ("f", f) if inertial is None else ("C", inertial), ("g", g), ("Q", right[0])]
        matrices += [("A", self.eq.constraint_matrix)] if self.lam else []
        return Written(
            self.model.name, "matrix", law, (line,), self.constraint_lines, self.contacts.conditions, (),
            (*self.accelerations, *self.lam, *self.contacts.forces),
            multipliers=tuple(map(str, (*self.lam, *self.contacts.forces))),
            matrices=tuple((name, one) for name, one in matrices if any(one)),
        )  # fmt: skip

    def _coriolis(self, f: sp.Matrix) -> sp.Matrix | None:
        """C with C v = f, where there is one made of Christoffel symbols."""
        if self.model.has_quaternions or not any(f):
            return None
        C = self.eq.coriolis_matrix
        gap = C * sp.Matrix(self.model.v) - f
        return C if all(tidy(x) == 0 for x in gap) else None

    def explicit(self) -> Written:
        values, multipliers = self.solved
        lines = [Line(str(a), a, x) for a, x in zip(self.accelerations, values, strict=True)]
        lines += [Line(str(a), a, x) for a, x in zip(self.lam, multipliers, strict=True)]
        unknowns = (*self.accelerations, *self.lam, *self.contacts.forces)
        law = r"\dot v = M^{-1} (Q - f - g + A^{\mathsf T} \lambda)"
        return self._finish("explicit", law, lines, unknowns, kept=self.constraint_lines)

    @once
    def solved(self) -> tuple[list[sp.Expr], list[sp.Expr]]:
        """(vd, lam) of [M -A^T; A 0] (vd, lam) = (Q - f - g, b)."""
        eq, n, m = self.eq, len(self.model.v), len(self.lam)
        K = sp.zeros(n + m, n + m)
        K[:n, :n] = eq.mass_matrix
        loads = sp.Matrix(self.applied) - eq.velocity_terms - eq.potential_terms
        right = list(loads)
        if m:
            K[:n, n:], K[n:, :n] = -eq.constraint_matrix.T, eq.constraint_matrix
            right += list(eq.constraints.targets)
        found = solve(K, right, leads)
        return found[:n], found[n:]

    def kane(self) -> Written:
        """In the speeds that the model names; v = W u + w is listed with them, and holds the constraints."""
        require_speeds(self.model)
        speeds = Speeds(self.eq)
        lines = [Line(str(u), *pair) for u, pair in zip(speeds.names, speeds.rows(), strict=True)]
        W, w = speeds.solved()
        meant = [Line(str(v), v, x) for v, x in zip(self.model.v, W * sp.Matrix(speeds.names) + w, strict=True)]
        law = r"W^{\mathsf T} (M \dot v + f + g) = W^{\mathsf T} Q, \quad v = W u + w"
        return self._finish("kane", law, [*lines, *meant], (*speeds.rates, *self.model.v))

    def projected(self) -> Written:
        Z = self._allowed()
        rows = list(Z.T * sp.Matrix(self.left)), list(Z.T * sp.Matrix(self.applied))
        lines = [Line(f"along {k + 1}", tidy(a), tidy(b)) for k, (a, b) in enumerate(zip(*rows, strict=True))]
        law = r"Z^{\mathsf T} (M \dot v + f + g) = Z^{\mathsf T} Q, \quad A Z = 0"
        unknowns = (*self.accelerations, *self.contacts.forces)
        return self._finish("projected", law, lines, unknowns, constraints=self.constraint_lines)

    def _allowed(self) -> sp.Matrix:
        """Z, n by n - m, with A Z = 0: velocities that are solved for, in terms of the others."""
        n, m = len(self.model.v), len(self.lam)
        if m == 0:
            return sp.eye(n)
        A = self.eq.constraint_matrix
        dependent = _pivots(A)
        free = [j for j in range(n) if j not in dependent]
        Z = sp.zeros(n, len(free))
        for k, j in enumerate(free):
            values = solve(A[:, dependent], [-x for x in A[:, j]], leads)
            for i, value in zip(dependent, values, strict=True):
                Z[i, k] = value
            bottom = sp.lcm_list([sp.fraction(sp.together(x))[1] for x in values]) if values else sp.S.One
            Z[j, k] = sp.S.One
            Z[:, k] = Z[:, k] * bottom
        return tidy_matrix(Z)

    def state(self) -> Written:
        s = self.s
        index = {symbol: k for k, symbol in enumerate(s.q)}
        rates = [tidy(s.qd[index[q]]) for q in self.model.q]
        lines = [Line("", Rate(q), rate) for q, rate in zip(self.model.q, rates, strict=True)]
        values, _ = self.solved
        lines += [Line("", Rate(v), x) for v, x in zip(self.model.v, values, strict=True)]
        unknowns = (*self.model.q, *self.model.v, *self.contacts.forces)
        return self._finish(
            "state", r"\dot q = N v, \quad \dot v = a(q, v, t)", lines, unknowns, kept=self.constraint_lines
        )

    def hamiltonian(self) -> Written:
        if self.model.has_quaternions:
            raise DerivationError(
                "Momenta of this form belong to coordinates; this model has a quaternion. Use Euler angles, or "
                "eq.write('state')."
            )
        eq, v = self.eq, self.model.v
        _, T1, T0 = eq.kinetic_energy_split
        p = [sp.Symbol(f"p_{q}", real=True) for q in self.model.q]
        shift = [tidy(sp.diff(T1, one)) for one in v]
        rates = solve(eq.mass_matrix, [a - b for a, b in zip(p, shift, strict=True)])
        half = sp.Add(*((a - b) * rate for a, b, rate in zip(p, shift, rates, strict=True))) / 2
        H = tidy(half - T0 + eq.potential_energy)
        put = dict(zip(v, rates, strict=True))
        slopes = [-sp.diff(H, q) for q in self.model.q]
        pushes = [tidy(sp.sympify(x).xreplace(put)) for x in self.forces]
        constraints = [Line(one.name, tidy(one.left.xreplace(put)), one.right) for one in self.constraint_lines]
        lines = [Line("H", sp.Symbol("H", real=True), H)]
        lines += [Line("", Rate(q), x) for q, x in zip(self.model.q, rates, strict=True)]
        lines += [Line("", Rate(one), tidy(slope) + push) for one, slope, push in zip(p, slopes, pushes, strict=True)]
        law = r"\dot q = \partial H/\partial p, \quad \dot p = -\partial H/\partial q + Q + A^{\mathsf T} \lambda"
        unknowns = (sp.Symbol("H", real=True), *self.model.q, *p, *self.lam, *self.contacts.forces)
        return self._finish("hamiltonian", law, lines, unknowns, constraints=tuple(constraints))


def _sum(terms: Sequence[sp.MatrixExpr | sp.MatrixBase]) -> sp.MatrixExpr | sp.MatrixBase:
    """The terms that are not zero, added without evaluating products."""
    kept = [one for one in terms if not (isinstance(one, sp.MatrixBase) and one.is_zero_matrix)]
    if not kept:
        return terms[0]
    return kept[0] if len(kept) == 1 else sp.MatAdd(*kept, evaluate=False)


def _pivots(A: sp.Matrix) -> list[int]:
    """Columns of A that are independent at a random point, simple entries preferred."""
    symbols = sorted(A.free_symbols, key=str)
    values = {one: sp.Rational(7 * (k + 3) + k * k, 23 + 4 * k) for k, one in enumerate(symbols)}
    number = A.xreplace(values).evalf(30)
    order = sorted(range(A.cols), key=lambda j: sum(sp.sympify(x).count_ops() for x in A[:, j]) - 100 * _plain(A[:, j]))
    chosen: list[int] = []
    for j in order:
        if number[:, [*chosen, j]].rank(iszerofunc=lambda x: abs(x) < 1e-20) > len(chosen):
            chosen.append(j)
        if len(chosen) == A.rows:
            return sorted(chosen)
    raise NotSolved("the constraints depend on each other everywhere")


def _plain(column: sp.Matrix) -> int:
    """Whether the column has nothing but numbers."""
    return int(any(column) and all(sp.sympify(x).is_number for x in column))
