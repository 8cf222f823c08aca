"""A kernel as a function of CasADi, for optimal control and its derivatives of any order."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from cardan.codegen.abroad.outline import Outline
from cardan.errors import InstallationError
from cardan.graph.rebuild import rebuild

if TYPE_CHECKING:
    import casadi as ca


def casadi_function(of: Outline) -> ca.Function:
    """``casadi.Function`` of (t, y, p) with the outputs of the kernel as one column."""
    try:
        import casadi as ca
    except ImportError as error:
        raise InstallationError(
            "to_casadi needs CasADi, which is not installed: pip install casadi", missing="casadi"
        ) from error
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", len(of.y)), ca.SX.sym("p", len(of.p))
    values = {of.t: t} | {node: y[i] for i, node in enumerate(of.y)} | {node: p[i] for i, node in enumerate(of.p)}
    outputs = ca.vertcat(*rebuild(of.outputs, values, ca.SX, _functions()))
    straight = ca.Function(of.name, [t, y, p], [outputs], ["t", "y", "p"], ["out"])
    return _solved(straight, of) if of.is_solved else straight


def _solved(terms: ca.Function, of: Outline) -> ca.Function:
    """[qd, vd], or vd, from the terms; solved with numbers, and differentiated by the implicit function theorem."""
    import casadi as ca

    t, y, p = ca.MX.sym("t"), ca.MX.sym("y", len(of.y)), ca.MX.sym("p", len(of.p))
    n, m = of.n, of.m
    sizes = [of.nq, n * n, n, m * n, m]
    edges = [sum(sizes[:k]) for k in range(len(sizes) + 1)]
    qd, M, h, A, b = (part for part in ca.vertsplit(terms(t, y, p), edges))
    M, A = ca.reshape(M, n, n).T, ca.reshape(A, n, m).T
    K = ca.vertcat(ca.horzcat(M, -A.T), ca.horzcat(A, ca.MX(m, m)))
    vd = ca.solve(K, ca.vertcat(-h, b), "qr")[:n]
    out = ca.vertcat(qd, vd) if of.has_rates else vd
    return ca.Function(of.name, [t, y, p], [out], ["t", "y", "p"], ["out"])


def _functions() -> dict[str, Callable[..., ca.SX]]:
    import casadi as ca

    same = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "floor", "sign")
    return {
        **{name: getattr(ca, name) for name in (*same, "atan2")},
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.truediv,
        "neg": operator.neg,
        "pow": operator.pow,
        "abs": ca.fabs,
        "min": ca.fmin,
        "max": ca.fmax,
        "lt": operator.lt,
        "le": operator.le,
        "eq": operator.eq,
        "select": lambda condition, a, b: ca.if_else(condition != 0, a, b),
    }
