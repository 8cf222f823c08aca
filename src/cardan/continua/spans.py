"""Uniform spans of strings and beams as y' = N y, and what follows from N alone.

The state y of a section holds its displacements and the forces that work on them: (u, F) of a string with F = S u', and
(w, phi, F, M) of a beam. A motion at frequency sqrt(lam) has a constant N, so a span carries y from one end to the
other by Y = exp(N L). N maps displacements and forces of odd and even derivatives to each other, so that by
Cayley-Hamilton Y is a polynomial in N whose coefficients are sines and hyperbolic functions of the wave numbers.

Numbers come from a context of mpmath: its arbitrary precision, or ``mpmath.fp`` for plain floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Number = Any  # of whichever context is given: float, or a number of mpmath, which has no types
Matrix = list[list[Number]]
Letters = tuple[Number, Number, Number, Number, Number]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Stiffness:
    """Forces on both ends of a span as a matrix times their displacements, at one frequency."""

    matrix: Matrix  # 2 d by 2 d
    pole: Number  # vanishes where a mode with both ends held makes the matrix infinite
    held_below: int  # how many such modes are below the frequency


class Span(Protocol):
    """A uniform piece of a continuum."""

    @property
    def length(self) -> float: ...

    @property
    def tension(self) -> float: ...

    @property
    def freedoms(self) -> int:
        """Displacements of a section: 1 or 2."""

    @property
    def mass(self) -> tuple[float, ...]:
        """Mass per length of each displacement."""

    @property
    def static_rows(self) -> tuple[tuple[float, float], ...]:
        """Of the displacements a + b x: rows (of a, b) that cost energy."""

    @property
    def scale(self) -> float:
        """A typical square of a frequency."""

    def generator(self, lam: float) -> Array:
        """N, with displacements before forces."""

    def squares(self, lam: Number, ctx: Any) -> tuple[Number, ...]:
        """Squares of the wave numbers: solutions go as exp(s x) with s^2 one of these."""

    def stiffness(self, lam: Number, ctx: Any) -> Stiffness:
        """The dynamic stiffness of the span at frequency sqrt(lam)."""


@dataclass(frozen=True)
class WaveSpan:
    """S u'' + (rho lam - k) u = 0: string (S = T), rod (EA), shaft (GJ), gas column, shear layer; on a foundation k."""

    length: float
    tension: float  # S
    density: float  # rho, per length
    foundation: float = 0.0
    freedoms: int = 1

    @property
    def mass(self) -> tuple[float, ...]:
        return (self.density,)

    @property
    def static_rows(self) -> tuple[tuple[float, float], ...]:
        return ((1.0, 0.0),) if self.foundation else ()

    @property
    def scale(self) -> float:
        return self.tension / (self.density * self.length**2)

    def generator(self, lam: float) -> Array:
        return np.array([[0.0, 1.0 / self.tension], [self.foundation - self.density * lam, 0.0]])

    def squares(self, lam: Number, ctx: Any) -> tuple[Number, ...]:
        return ((ctx.mpf(self.foundation) - ctx.mpf(self.density) * lam) / ctx.mpf(self.tension),)

    def stiffness(self, lam: Number, ctx: Any) -> Stiffness:
        (a,) = self.squares(lam, ctx)
        S, L = ctx.mpf(self.tension), ctx.mpf(self.length)
        C, Sn = even_odd(a, L, ctx)
        return Stiffness([[S * C / Sn, -S / Sn], [-S / Sn, S * C / Sn]], Sn / L, half_waves(-a, self.length, ctx))


@dataclass(frozen=True)
class BeamSpan:
    """A Timoshenko beam on a foundation k under a tension P; Euler and Bernoulli's where g = rho_I = 0.

    w' = a phi + b F,    a = 1/(1 + g P),  b = g a        g: compliance to shear, 1/(kappa G A)
    phi' = M / EI
    F' = -m w,           m = rho_A lam - k                F: transverse force, the share of the tension included
    M' = n phi - a F,    n = P a - rho_I lam
    """

    length: float
    bending: float  # EI
    density: float  # rho A
    tension: float = 0.0  # P
    foundation: float = 0.0
    rotary: float = 0.0  # rho I
    compliance: float = 0.0  # g
    freedoms: int = 2

    @property
    def mass(self) -> tuple[float, ...]:
        return (self.density, self.rotary)

    @property
    def static_rows(self) -> tuple[tuple[float, float], ...]:
        carried = ((1.0, 0.0), (0.0, 1.0)) if self.foundation else ()
        return (*carried, (0.0, 1.0)) if self.tension else carried

    @property
    def scale(self) -> float:
        return self.bending / (self.density * self.length**4)

    def letters(self, lam: Number, ctx: Any) -> Letters:
        """a, b, e = 1/EI, m and n."""
        P, g = ctx.mpf(self.tension), ctx.mpf(self.compliance)
        a = 1 / (1 + g * P)
        m = ctx.mpf(self.density) * lam - ctx.mpf(self.foundation)
        return a, g * a, 1 / ctx.mpf(self.bending), m, P * a - ctx.mpf(self.rotary) * lam

    def generator(self, lam: float) -> Array:
        from mpmath import fp

        a, b, e, m, n = self.letters(lam, fp)
        return np.array([[0, a, b, 0], [0, 0, 0, e], [-m, 0, 0, 0], [0, n, -a, 0]], dtype=float)

    def squares(self, lam: Number, ctx: Any) -> tuple[Number, ...]:
        """Roots of s^4 - p s^2 + q = 0, the characteristic equation of N."""
        return self._squares(self.letters(lam, ctx), ctx)

    def _squares(self, letters: Letters, ctx: Any) -> tuple[Number, Number]:
        a, b, e, m, n = letters
        p, q = n * e - b * m, -m * e * (b * n + a * a)
        root = ctx.sqrt(p * p - 4 * q)
        larger = (p + root) / 2 if p >= 0 else (p - root) / 2  # no cancellation; the other one from their product
        smaller = q / larger if larger != 0 else larger
        return (larger, smaller) if p >= 0 else (smaller, larger)

    def stiffness(self, lam: Number, ctx: Any) -> Stiffness:
        a, b, e, m, n = letters = self.letters(lam, ctx)
        squares = self._squares(letters, ctx)
        f0, f1, f2, f3 = self._krylov(squares, ctx)
        # Even part E on (w, M) and odd part O on (phi, F) of N^2; U and D are N from odd to even and back.
        U, D = ((a, b), (n, -a)), ((0, e), (-m, 0))
        E, O = product(U, D), product(D, U)  # noqa: E741  # the odd one
        ee, oo = polynomial(f0, f2, E), polynomial(f0, f2, O)
        eo, oe = product(polynomial(f1, f3, E), U), product(polynomial(f1, f3, O), D)
        # Y by displacements d = (w, phi) and forces f = (F, M).
        dd = ((ee[0][0], eo[0][0]), (oe[0][0], oo[0][0]))
        df = ((eo[0][1], ee[0][1]), (oo[0][1], oe[0][1]))
        ff = ((oo[1][1], oe[1][1]), (eo[1][1], ee[1][1]))
        pole = df[0][0] * df[1][1] - df[0][1] * df[1][0]
        inverse = ((df[1][1] / pole, -df[0][1] / pole), (-df[1][0] / pole, df[0][0] / pole))
        near, far = product(inverse, dd), product(ff, inverse)
        matrix = [
            [near[0][0], near[0][1], -inverse[0][0], -inverse[0][1]],
            [near[1][0], near[1][1], -inverse[1][0], -inverse[1][1]],
            [-inverse[0][0], -inverse[1][0], far[0][0], far[0][1]],
            [-inverse[0][1], -inverse[1][1], far[1][0], far[1][1]],
        ]
        # Pinned ends have modes in closed form; holding the rotations too takes away as many as there are negative
        # directions of the stiffness to rotations [Wittrick1971].
        A, B, C = near[1][1], -inverse[1][1], far[1][1]
        turned = (A < 0) + (C * A < B * B if A > 0 else C * A > B * B)
        return Stiffness(matrix, pole, self._pinned_below(squares, lam, ctx) - turned)

    def _krylov(self, squares: tuple[Number, Number], ctx: Any) -> tuple[Number, ...]:
        """f0 to f3 with exp(N L) = f0 + f1 N + f2 N^2 + f3 N^3."""
        a, b = squares
        L = ctx.mpf(self.length)
        tiny = ctx.mpf(10) ** (-ctx.dps // 2) / L**2
        if abs(a - b) < tiny:  # equal wave numbers: the difference quotient below needs two
            a, b = a + tiny, a - tiny
        (Ca, Sa), (Cb, Sb) = even_odd(a, L, ctx), even_odd(b, L, ctx)
        f3, f2 = (Sa - Sb) / (a - b), (Ca - Cb) / (a - b)
        f1, f0 = (a * Sb - b * Sa) / (a - b), (a * Cb - b * Ca) / (a - b)
        return ctx.re(f0), ctx.re(f1), ctx.re(f2), ctx.re(f3)

    def _pinned_below(self, squares: tuple[Number, Number], lam: Number, ctx: Any) -> int:
        """Modes with both ends pinned below sqrt(lam): w = W sin(k x), phi = Phi cos(k x), k = j pi / L.

        Every k has two frequencies, one of them infinite without shear. Between the wave numbers of the two real waves
        one of them is below, and past the cut-off of shear (where phi = const is a mode, pinned too) both.
        """
        a, b = squares
        if isinstance(a, ctx.mpc) and ctx.im(a) != 0:
            return 0
        slow, fast = (half_waves(-ctx.re(square), self.length, ctx) for square in (a, b))
        sheared = ctx.mpf(self.compliance) * ctx.mpf(self.rotary) * lam > 1
        return fast + slow + 1 if sheared else fast - slow


def half_waves(square: Number, length: float, ctx: Any) -> int:
    """How many half waves, one at least, are longer on this length than that with this square of the wave number."""
    if square <= 0:
        return 0
    return int(ctx.ceil(ctx.sqrt(square) * ctx.mpf(length) / ctx.pi)) - 1


def even_odd(a: Number, x: Number, ctx: Any) -> tuple[Number, Number]:
    """cosh(s x) and sinh(s x) / s for s^2 = a of either sign: cos and sin for negative a."""
    if isinstance(a, ctx.mpc):
        s = ctx.sqrt(a)
        return ctx.cosh(s * x), ctx.sinh(s * x) / s
    if a < 0:
        k = ctx.sqrt(-a)
        return ctx.cos(k * x), ctx.sin(k * x) / k
    if a == 0:
        return ctx.mpf(1), x
    s = ctx.sqrt(a)
    grown = ctx.exp(s * x)
    return (grown + 1 / grown) / 2, ctx.sinh(s * x) / s if s * x < 1 else (grown - 1 / grown) / (2 * s)


def product(A: Any, B: Any) -> Any:
    """The product of two matrices of size 2."""
    (a, b), (c, d) = A
    (p, q), (r, s) = B
    return ((a * p + b * r, a * q + b * s), (c * p + d * r, c * q + d * s))


def polynomial(c0: Number, c2: Number, A: Any) -> Any:
    """c0 + c2 A of a matrix of size 2."""
    (a, b), (c, d) = A
    return ((c0 + c2 * a, c2 * b), (c2 * c, c0 + c2 * d))


def decay(lam: float, span: Span) -> float:
    """The largest exponent of e by which solutions grow over the span."""
    from mpmath import fp

    return max(abs(complex(fp.sqrt(a)).real) * span.length for a in span.squares(lam, fp))
