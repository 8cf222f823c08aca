"""Characteristic equations in symbols, for a uniform string or an Euler-Bernoulli beam between two ends.

With every free displacement of an end its impedance Z = spring - lam mass is added to the dynamic stiffness K of the
span, and the equation is det(K + Z) = 0, cleared of the poles of K. Expanded in the impedances, it is a sum of the
equations of simpler ends: each displacement with an impedance counts once as free and, times Z, once as held. So all
equations of a beam follow from ten, those of two ends clamped, pinned, sliding or free. They are printed in the wave
numbers alpha (of the part that decays) and beta (of the wave), which are equal without tension, and divided by cosh,
so that tanh and sech appear and nothing overflows.
"""

from __future__ import annotations

from itertools import product

import sympy as sp

from cardan.continua.counting import Line
from cardan.continua.ends import Freedom, Place
from cardan.continua.spans import BeamSpan, WaveSpan
from cardan.errors import DerivationError

Z, ALPHA, BETA, OMEGA = sp.symbols("z alpha beta omega", positive=True)
COS, SIN, TANH, SECH = sp.symbols("cos sin tanh sech")  # of the wave numbers, until they are put in
Relations = dict[sp.Symbol, sp.Expr]


def characteristic(line: Line) -> sp.Eq:
    """The equation whose roots are the wave numbers of the modes."""
    if len(line.spans) == 1:
        (span,) = line.spans
        if isinstance(span, WaveSpan):
            return sp.Eq(_of_string(span, line.places), 0)
        if isinstance(span, BeamSpan) and not span.rotary and not span.compliance:
            return sp.Eq(_of_beam(span, line.places), 0)
    raise DerivationError(
        "The characteristic equation is printed for one uniform span of a string, rod or shaft, or of a beam without "
        "shear and rotary inertia. The frequencies are exact all the same: frequencies(n), count_below(omega).",
        spans=len(line.spans),
    )


def wave_numbers(line: Line) -> Relations:
    """The wave numbers of the equation, times the length, as functions of the frequency omega."""
    characteristic(line)  # refuses where there is none
    (span,) = line.spans
    lam, L = OMEGA**2, exact(span.length)
    if isinstance(span, WaveSpan):
        return {Z: sp.sqrt((exact(span.density) * lam - exact(span.foundation)) * L**2 / exact(span.tension))}
    assert isinstance(span, BeamSpan)
    EI = exact(span.bending)
    m = (exact(span.density) * lam - exact(span.foundation)) * L**4 / EI
    if not span.tension:
        return {Z: m ** sp.Rational(1, 4)}
    half = exact(span.tension) * L**2 / (2 * EI)
    return {ALPHA: sp.sqrt(sp.sqrt(half**2 + m) + half), BETA: sp.sqrt(sp.sqrt(half**2 + m) - half)}


def exact(value: float) -> sp.Rational:
    """A number as the fraction that its decimal digits say."""
    return sp.Rational(repr(value))


def _of_string(span: WaveSpan, places: tuple[Place, ...]) -> sp.Expr:
    L, S = exact(span.length), exact(span.tension)
    lam = (Z**2 * S / L**2 + exact(span.foundation)) / exact(span.density)
    table = {(True, True): SIN, (True, False): Z * COS, (False, True): Z * COS, (False, False): -(Z**2) * SIN}
    terms = [
        first * last * table[a, b]
        for (a, first), (b, last) in product(*(_ways(place[0], L / S, lam) for place in places))
    ]
    return sp.expand(_tidy(sum(terms), (Z,))).subs({COS: sp.cos(Z), SIN: sp.sin(Z)})


def _of_beam(span: BeamSpan, places: tuple[Place, ...]) -> sp.Expr:
    a, b = (ALPHA, BETA) if span.tension else (Z, Z)
    L, EI = exact(span.length), exact(span.bending)
    lam = (a**2 * b**2 * EI / L**4 + exact(span.foundation)) / exact(span.density)
    ways = [
        [(w, phi, x * y) for (w, x), (phi, y) in product(_ways(place[0], L**3 / EI, lam), _ways(place[1], L / EI, lam))]
        for place in places
    ]
    terms = [x * y * _simple((w, phi), (v, psi), a, b) for (w, phi, x), (v, psi, y) in product(*ways)]
    functions = {COS: sp.cos(b), SIN: sp.sin(b), TANH: sp.tanh(a), SECH: sp.sech(a)}
    return _tidy(sum(terms), (a, b, TANH)).subs(functions)


def _ways(freedom: Freedom, unit: sp.Expr, lam: sp.Expr) -> list[tuple[bool, sp.Expr]]:
    """A displacement as held or not, each with its factor."""
    if freedom.held:
        return [(True, sp.Integer(1))]
    impedance = (exact(freedom.spring) - exact(freedom.mass) * lam) * unit
    return [(False, sp.Integer(1)), *([(True, impedance)] if impedance != 0 else [])]


def _simple(left: tuple[bool, bool], right: tuple[bool, bool], a: sp.Symbol, b: sp.Symbol) -> sp.Expr:
    """The equation of two simple ends, each said by whether w and phi are held, divided by cosh(a)."""
    names = {(True, True): "clamped", (True, False): "pinned", (False, True): "sliding", (False, False): "free"}
    c, s, t, one = COS, SIN, TANH, SECH
    sum_, both = a**2 + b**2, a * b
    table = {
        ("clamped", "clamped"): 2 * both * (one - c) + (a**2 - b**2) * s * t,
        ("clamped", "pinned"): sum_ * (a * s - b * c * t),
        ("clamped", "sliding"): both * sum_ * (b * s + a * c * t),
        ("clamped", "free"): both * ((a**4 + b**4) * c + both * (a**2 - b**2) * s * t + 2 * both**2 * one),
        ("pinned", "pinned"): sum_**2 * s * t,
        ("pinned", "sliding"): both * sum_**2 * c,
        ("pinned", "free"): both * sum_ * (a**3 * c * t - b**3 * s),
        ("sliding", "sliding"): -(both**2) * sum_**2 * s * t,
        ("sliding", "free"): -(both**2) * sum_ * (a**3 * s + b**3 * c * t),
        ("free", "free"): both * (2 * both**4 * (one - c) + both * (b**6 - a**6) * s * t),
    }
    key = (names[left], names[right])
    return table[key] if key in table else table[key[1], key[0]]


def _tidy(expression: sp.Expr, never_zero: tuple[sp.Symbol, ...]) -> sp.Expr:
    """The equation without common factors that do not vanish, the first term positive."""
    letters = (*dict.fromkeys(never_zero), *(one for one in (COS, SIN, TANH, SECH) if one not in never_zero))
    whole = sp.Poly(sp.expand(expression), *letters).clear_denoms()[1].primitive()[1]
    least = [min(powers) for powers in zip(*whole.monoms(), strict=True)]
    for x, power in zip(letters, least, strict=True):
        if x in never_zero:
            whole = whole.exquo(sp.Poly(x**power, *letters))
    while ALPHA in letters:  # alpha^2 + beta^2, which most of the ten contain
        share, rest = whole.div(sp.Poly(ALPHA**2 + BETA**2, *letters))
        if not rest.is_zero:
            break
        whole = share
    tidied = whole.as_expr()
    tidied = sp.expand(-tidied) if tidied.could_extract_minus_sign() else tidied
    return sp.collect(tidied, [COS, SIN, TANH, SECH]) if tidied.is_Add else tidied
