"""The n-link pendulum in SymPy: Lagrange's equations and lambdify, Kane's equations and PyDy's Cython code."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
import sympy.physics.mechanics as me

Acceleration = Callable[[Any, Any, Any], Any]


def lagrange(n: int) -> Acceleration:
    """LagrangesMethod, then lambdify of M and the right-hand side with common subexpressions, then a NumPy solve."""
    q, v = me.dynamicsymbols(f"q:{n}"), me.dynamicsymbols(f"q:{n}", 1)
    m, length, g = sp.symbols(f"m:{n}"), sp.symbols(f"l:{n}"), sp.Symbol("g")
    t = me.dynamicsymbols._t
    theta = x = y = T = V = sp.Integer(0)
    for i in range(n):
        theta = theta + q[i]
        x, y = x + length[i] * sp.sin(theta), y - length[i] * sp.cos(theta)
        T += m[i] * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
        V += m[i] * g * y
    method = me.LagrangesMethod(T - V, q)
    method.form_lagranges_equations()
    plain_q, plain_v = sp.symbols(f"a:{n}"), sp.symbols(f"b:{n}")
    rates, angles = dict(zip(v, plain_v, strict=True)), dict(zip(q, plain_q, strict=True))
    M, right = (part.xreplace(rates).xreplace(angles) for part in (method.mass_matrix, method.forcing))
    both = sp.lambdify([plain_q, plain_v, (*m, *length, g)], (M, right), cse=True)

    def acceleration(q: Any, v: Any, p: Any) -> Any:
        M, right = both(q, v, p)
        return np.linalg.solve(M, right)

    return acceleration


def kane(n: int) -> Acceleration:
    """KanesMethod, then PyDy's generated C behind Cython."""
    from pydy.codegen.ode_function_generators import generate_ode_function

    q, u = me.dynamicsymbols(f"q:{n}"), me.dynamicsymbols(f"u:{n}")
    m, length, g = sp.symbols(f"m:{n}"), sp.symbols(f"l:{n}"), sp.Symbol("g")
    N, above = me.ReferenceFrame("N"), me.Point("O")
    above.set_vel(N, 0)
    frame, masses, loads = N, [], []
    for i in range(n):
        link = frame.orientnew(f"A{i}", "Axis", [q[i], N.z])
        link.set_ang_vel(frame, u[i] * N.z)
        end = above.locatenew(f"P{i}", -length[i] * link.y)
        end.v2pt_theory(above, N, link)
        masses.append(me.Particle(f"mass{i}", end, m[i]))
        loads.append((end, -m[i] * g * N.y))
        above, frame = end, link
    method = me.KanesMethod(N, q, u, kd_eqs=[a.diff() - b for a, b in zip(q, u, strict=True)])
    method.kanes_equations(masses, loads)
    home = os.getcwd()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        os.chdir(directory)
        try:
            rhs = generate_ode_function(
                method.forcing_full,
                q,
                u,
                constants=[*m, *length, g],
                mass_matrix=method.mass_matrix_full,
                generator="cython",
                constants_arg_type="array",
            )
        finally:
            os.chdir(home)
    return lambda q, v, p: rhs(np.concatenate([q, v]), 0.0, p)[n:]
