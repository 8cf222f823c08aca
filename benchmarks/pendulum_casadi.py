"""The n-link pendulum in CasADi: Lagrange's equations by its automatic differentiation, solved by its LDL^T, as C."""

from __future__ import annotations

import os
from pathlib import Path

import casadi as ca


def c_source(n: int, directory: Path) -> Path:
    """C source of ``int F(const double** arg, double** res, ...)``: arguments q, v, p = [m, l, g]; result vd."""
    q, v, p = ca.SX.sym("q", n), ca.SX.sym("v", n), ca.SX.sym("p", 2 * n + 1)
    m, length, g = p[:n], p[n : 2 * n], p[2 * n]
    theta = ca.cumsum(q)
    x, y = ca.cumsum(length * ca.sin(theta)), -ca.cumsum(length * ca.cos(theta))
    velocity = ca.jtimes(ca.vertcat(x, y), q, v)
    T = ca.dot(m, velocity[:n] ** 2 + velocity[n:] ** 2) / 2
    V = g * ca.dot(m, y)
    M, momenta = ca.hessian(T, v)
    right = ca.gradient(T - V, q) - ca.jtimes(momenta, q, v)
    D, LT, order = ca.ldl(ca.densify(M))
    function = ca.Function("F", [q, v, p], [ca.ldl_solve(right, D, LT, order)])
    home = os.getcwd()
    os.chdir(directory)  # CasADi writes into the current directory only
    try:
        function.generate("F.c")
    finally:
        os.chdir(home)
    return directory / "F.c"
