"""Constraint matrices, multipliers and projections in SymPy, Choset section 10.3.

M vd + f + g = Q + A^T lam,   A v + b0 = 0,   A vd = b
"""

from __future__ import annotations

import sympy as sp

from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.tidy import tidy, tidy_matrix
from cardan.errors import DependentConstraints
from cardan.native.once import once


class SymbolicConstraints:
    """The rows of all constraints of a model, in its free variables."""

    def __init__(self, symbolic: SymbolicEquations) -> None:
        self.s = symbolic
        self.v = sp.Matrix(symbolic.model.v)
        self.rates = [sp.sympify(symbolic.impose(row.rate)) for row in symbolic.rows]
        self.names = [row.name for row in symbolic.rows]

    @once
    def matrix(self) -> sp.Matrix:
        """A, m by n."""
        rows = [[sp.diff(rate, v) for v in self.v] for rate in self.rates]
        return tidy_matrix(sp.Matrix(len(rows), len(self.v), [x for row in rows for x in row]))

    @once
    def offsets(self) -> sp.Matrix:
        """b0."""
        zero = dict.fromkeys(self.v, 0)
        return tidy_matrix(sp.Matrix(len(self.rates), 1, [rate.subs(zero) for rate in self.rates]))

    @once
    def targets(self) -> sp.Matrix:
        """b = -(Adot v + b0dot)."""
        drifts = [-self._drift(rate) for rate in self.rates]
        return tidy_matrix(sp.Matrix(len(drifts), 1, drifts))

    def _drift(self, rate: sp.Expr) -> sp.Expr:
        """d/dt of an imposed rate at vd = 0."""
        s, total = self.s, sp.diff(rate, self.s.t)
        free = {symbol for one in s.model.free for symbol in one.configuration}
        for q, qd in zip(s.q, s.qd, strict=True):
            if q in free:
                total += sp.diff(rate, q) * qd
        return total

    @once
    def matrix_rate(self) -> sp.Matrix:
        """Adot."""
        return tidy_matrix(self.matrix.applyfunc(self._drift))

    def gram(self, mass_matrix: sp.Matrix) -> sp.Matrix:
        """(A M^-1 A^T)^-1, refused where the rows depend on each other everywhere."""
        A = self.matrix
        product = (A * mass_matrix.LUsolve(A.T)).applyfunc(tidy)
        if self._is_dependent(product):
            raise DependentConstraints(
                f"The constraints {', '.join(self.names)} depend on each other everywhere, so their multipliers have "
                "no formula. Numbers are available from eq.at(...); remove the redundant ones for formulas.",
                names=self.names,
            )
        return product.inv().applyfunc(tidy)

    def _is_dependent(self, product: sp.Matrix) -> bool:
        """Whether the rows depend on each other everywhere: at three random places, in numbers of fifty digits."""
        symbols = sorted(product.free_symbols, key=str)
        for k in range(3):
            values = {x: sp.Rational(7 * (i + 3) + 11 * k + i * i, 23 + 4 * i + k) for i, x in enumerate(symbols)}
            number = product.xreplace(values).evalf(50)
            if abs(sp.N(number.det(), 50)) > sp.Float("1e-30") * (1 + abs(number.norm()) ** number.rows):
                return False
        return True

    def multipliers(self, mass_matrix: sp.Matrix, load: sp.Matrix) -> sp.Matrix:
        """lam = (A M^-1 A^T)^-1 (b + A M^-1 (f + g - Q)), from ``load`` = f + g - Q."""
        right = self.targets + self.matrix * mass_matrix.LUsolve(load)
        return (self.gram(mass_matrix) * right).applyfunc(tidy)

    def projection(self, mass_matrix: sp.Matrix) -> sp.Matrix:
        """P = 1 - M^-1 A^T (A M^-1 A^T)^-1 A, Choset (10.19)."""
        A = self.matrix
        full = sp.eye(len(self.v)) - mass_matrix.LUsolve(A.T) * self.gram(mass_matrix) * A
        return tidy_matrix(full)
