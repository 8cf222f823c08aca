"""Potentials of integrable one-forms: phi with d(phi) parallel to a, by integrating factors, two variables at a time.

A form in two variables, P dx + Q dy, is made exact by a factor. Those tried depend on x alone, on y alone, on x y, on
x^2 + y^2, or are 1 / (x P + y Q) for homogeneous P and Q. A form in more variables is reduced: with all but two of them
held, it has a potential u, and then  mu a = du + sum_k K_k dx_k,  where the K_k depend on u and the other variables
alone, because a ^ da = 0; this is a form in one variable less. What is found is checked by differentiation. The search
is bounded: forms that are long, or a deadline, end it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np
import sympy as sp

from cardan.native.deadline import check

SECONDS = 4.0  # of work for one form, whatever else the machine does; looked at between two steps of the search
LONGEST = 120  # operations in a form that is tried
CHECKS = 8  # random points at which d(phi) must be parallel to a
PARALLEL = 1e-9  # share of d(phi) ^ a in the product of their sizes that rounding may leave
ELEMENTARY = (sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan, sp.exp, sp.log, sp.sinh, sp.cosh, sp.tanh)


class _OutOfTimeError(Exception):
    """The search took too long."""


class _Deadline:
    def __init__(self) -> None:
        self._end = time.thread_time() + SECONDS

    def check(self) -> None:
        check()
        if time.thread_time() > self._end:
            raise _OutOfTimeError


Form = dict[sp.Symbol, sp.Expr]  # a differential form by its entries


def potential(entries: Sequence[sp.Expr], variables: Sequence[sp.Symbol]) -> sp.Expr | None:
    """phi with d(phi) parallel to sum_j entries_j dx_j, verified; None where none is found within bounds."""
    form = {x: sp.sympify(a, strict=True) for x, a in zip(variables, entries, strict=True) if a != 0}
    if not form or sum(sp.count_ops(a) for a in form.values()) > LONGEST:
        return None
    try:
        phi = _reduced(_without_common(form), _Deadline())
    except (_OutOfTimeError, NotImplementedError, ValueError, TypeError):
        return None
    tried = [] if phi is None else [_tidied(phi, variables), phi]
    return next((one for one in tried if _is_elementary(one) and _is_parallel(one, entries, variables)), None)


def _tidied(phi: sp.Expr, variables: Sequence[sp.Symbol]) -> sp.Expr:
    """A simpler function that is constant where phi is: without outer logarithms, roots, factors and signs."""
    phi = sp.logcombine(phi, force=True)
    if isinstance(phi, sp.log):
        phi = phi.args[0]
    if phi.is_rational_function(*variables):
        phi = sp.factor(sp.together(phi))
    if phi.is_Mul:
        phi = phi.as_independent(*variables, as_Add=False)[1]
        powers = [part.as_base_exp() for part in sp.Mul.make_args(phi)]
        if all(power.is_Rational for _, power in powers):
            whole = sp.ilcm(1, *(power.q for _, power in powers))
            phi = sp.Mul(*(base ** (power * whole) for base, power in powers))
    return -phi if phi.could_extract_minus_sign() else phi


def _is_elementary(phi: sp.Expr) -> bool:
    return all(isinstance(one, ELEMENTARY) for one in phi.atoms(sp.Function)) and not phi.has(sp.zoo, sp.nan, sp.I)


def _without_common(form: Form) -> Form:
    """The form divided by what all its entries have in common."""
    common = sp.gcd_terms(sum(form.values())).as_coeff_Mul()[0]
    divisor = sp.gcd(list(form.values())) if all(a.is_polynomial() for a in form.values()) else common
    return {x: sp.cancel(a / divisor) for x, a in form.items()} if divisor not in (0, 1) else form


def _reduced(form: Form, deadline: _Deadline) -> sp.Expr | None:
    """A potential of a form in any number of variables."""
    if len(form) == 1:
        return next(iter(form))
    for x, y in _pairs(form):
        for factor in _factors(form[x], form[y], x, y, deadline):
            deadline.check()
            u = _exact(sp.simplify(factor * form[x]), sp.simplify(factor * form[y]), x, y)
            if u is None:
                continue
            if u.could_extract_minus_sign():
                u, factor = -u, -factor
            rest = {z: sp.simplify(factor * a - sp.diff(u, z)) for z, a in form.items() if z not in (x, y)}
            rest = {z: k for z, k in rest.items() if k != 0}
            if not rest:
                return u
            found = _of_rest(u, rest, x, y, deadline)
            if found is not None:
                return found
    return None


def _pairs(form: Form) -> Iterator[tuple[sp.Symbol, sp.Symbol]]:
    names = list(form)
    return ((x, y) for k, x in enumerate(names) for y in names[k + 1 :])


def _of_rest(u: sp.Expr, rest: Form, x: sp.Symbol, y: sp.Symbol, deadline: _Deadline) -> sp.Expr | None:
    """A potential of du + sum K_z dz, with K in terms of u and the other variables."""
    U = sp.Dummy("U", real=True)
    for gone in (x, y):
        deadline.check()
        if not u.has(gone) or sp.count_ops(u) > LONGEST:
            continue
        for value in sp.solve(u - U, gone)[:2]:
            smaller = {z: sp.simplify(k.subs(gone, value)) for z, k in rest.items()}
            if not any(k.has(x, y) for k in smaller.values()):
                found = _reduced({U: sp.Integer(1), **smaller}, deadline)
                if found is not None:
                    return found.subs(U, u)
    return None


def _exact(P: sp.Expr, Q: sp.Expr, x: sp.Symbol, y: sp.Symbol) -> sp.Expr:
    """u with u_x = P and u_y = Q, or None."""
    if sp.simplify(sp.diff(P, y) - sp.diff(Q, x)) != 0:
        return None
    first = sp.integrate(P, x)
    if first.has(sp.Integral):
        return None
    rest = sp.simplify(Q - sp.diff(first, y))
    second = sp.integrate(rest, y)
    return None if second.has(sp.Integral) or rest.has(x) else sp.simplify(first + second)


def _factors(P: sp.Expr, Q: sp.Expr, x: sp.Symbol, y: sp.Symbol, deadline: _Deadline) -> Iterator[sp.Expr]:
    """Integrating factors of P dx + Q dy that simple cases have; (mu P)_y = (mu Q)_x."""
    yield sp.Integer(1)
    curl = sp.simplify(sp.diff(P, y) - sp.diff(Q, x))
    w = sp.Dummy("w", positive=True)
    cases = (  # mu is a function of w: d(log mu)/dw, and w
        (curl / Q, x, {x: w}),
        (-curl / P, y, {y: w}),
        (curl / (y * Q - x * P), x * y, {x: w / y}),
        (curl / (2 * (x * Q - y * P)), x**2 + y**2, {x: sp.sqrt(w - y**2)}),
    )
    for slope, argument, change in cases:
        deadline.check()
        rate = sp.simplify(slope.subs(change)) if slope.is_finite is not False else sp.zoo
        if rate.has(x, y) or rate.has(sp.zoo, sp.nan, sp.oo):
            continue
        grown = sp.integrate(rate, w)
        if not grown.has(sp.Integral):
            yield sp.simplify(sp.exp(grown)).subs(w, argument)
    deadline.check()
    s = sp.Dummy("s", positive=True)
    euler = sp.simplify(x * P + y * Q)
    grown_by = sp.simplify((P / Q).subs({x: s * x, y: s * y}, simultaneous=True) - P / Q)
    if euler != 0 and grown_by == 0:
        yield 1 / euler


def _is_parallel(phi: sp.Expr, entries: Sequence[sp.Expr], variables: Sequence[sp.Symbol]) -> bool:
    """Whether d(phi) is parallel to the form at random points, where phi is real and d(phi) is not zero."""
    everything = [phi, *(sp.diff(phi, x) for x in variables), *map(sp.sympify, entries)]
    others = sorted(sp.Tuple(*everything).free_symbols - set(variables), key=str)
    number = sp.lambdify([[*variables, *others]], everything, modules="numpy")
    rng = np.random.default_rng(3)
    count, seen = len(variables), 0
    for _ in range(CHECKS):
        with np.errstate(all="ignore"):
            out = np.array([complex(value) for value in number(rng.uniform(0.3, 1.7, count + len(others)))])
        if not np.isfinite(out).all() or np.max(np.abs(out.imag)) > 0:
            continue
        d, a = out.real[1 : count + 1], out.real[count + 1 :]
        sizes = float(np.max(np.abs(d)) * np.max(np.abs(a)))
        if not sizes > 0 or np.max(np.abs(np.outer(d, a) - np.outer(a, d))) > PARALLEL * sizes:
            return False
        seen += 1
    return seen >= CHECKS // 2
