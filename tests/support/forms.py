"""Every form of written equations held against numbers of the graph route at random states."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sp

import cardan as cd
from cardan.equations.equations import Equations
from cardan.equations.writing.printing import Rate
from cardan.equations.writing.written import Line, Written
from support.close import assert_close

FORMS = ("rows", "matrix", "explicit", "projected", "state", "hamiltonian")
AGREE = 1e-11  # of the largest term, times how badly the equations are conditioned
Values = dict[sp.Symbol, float]


def assert_forms_hold(
    eq: Equations, draw: np.random.Generator, forms: tuple[str, ...] = FORMS, states: int = 2
) -> None:
    """All lines of all forms hold at random states with accelerations and multipliers of ``eq.at``."""
    written = {form: eq.write(form, budget=120.0) for form in forms}
    for form, one in written.items():
        assert len(one) == len(one.unknowns), f"{form}: {len(one)} equations for {len(one.unknowns)} unknowns"
    for _ in range(states):
        values, worth = state(eq, draw)
        for form, one in written.items():
            known = values if form != "hamiltonian" else values | momenta(eq, values)
            for line in one.equations:
                hold(one, line, known, worth)


def state(eq: Equations, draw: np.random.Generator) -> tuple[Values, float]:
    """A random state with its accelerations and multipliers, and how many digits their solution may lose."""
    model = eq.model
    q = draw.uniform(0.3, 1.2, len(model.q))
    for start in model.quaternion_starts:
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    v, t = draw.uniform(-1, 1, len(model.v)), float(draw.uniform(0.1, 0.9))
    signals = {str(symbol): float(draw.uniform(-1, 1)) for symbol in model.driving}
    inputs = {str(symbol): signals[str(symbol)] for symbol in model.inputs}
    loads = {
        load.name: signals[str(load.symbols[0])] if len(load.symbols) == 1 else [signals[str(s)] for s in load.symbols]
        for load in model.loads
    }
    at = eq.at(q, v, t, loads=loads, inputs=inputs)
    values: Values = {model.time: t, **dict(model.values)}
    values |= dict(zip(model.q, q, strict=True)) | dict(zip(model.v, v, strict=True))
    values |= {symbol: signals[str(symbol)] for symbol in model.driving}
    values |= {velocity.dot: x for velocity, x in zip(model.v, at.acceleration, strict=True)}
    values |= dict.fromkeys(eq.forms.contacts.forces, 0.0)  # nothing touches
    lam = at.multipliers if model.constraints else {}
    values |= {sp.Symbol(f"lam_{name}", real=True): float(x) for name, x in lam.items()}
    return values, float(np.linalg.cond(at.M)) if len(v) else 1.0


def momenta(eq: Equations, values: Mapping[sp.Symbol, float]) -> Values:
    """p = dT/dv at the state and its rate, from the definition."""
    s, found = eq.symbolic, {}
    for q, v in zip(eq.model.q, eq.model.v, strict=True):
        p, symbol = sp.diff(s.impose(s.kinetic), v), sp.Symbol(f"p_{q}", real=True)
        found[symbol] = number(p, values)
        change = sp.diff(p, eq.model.time)
        change += sp.Add(*(sp.diff(p, x) * xd for x, xd in zip(eq.model.q, eq.model.v, strict=True)))
        change += sp.Add(*(sp.diff(p, x) * x.dot for x in eq.model.v))
        found[Rate(symbol)] = number(change, values)
    return found


def hold(written: Written, line: Line, values: Mapping[sp.Symbol, float], worth: float) -> None:
    """left = right, relative to the largest term."""
    if str(line.left) == "H":
        return  # a definition; its derivatives are in the lines that follow
    given = dict(values)
    if isinstance(line.left, Rate) and line.left not in given:
        given[line.left] = rate(written, line.left.of, values)
    residual = sp.Matrix([written.in_full(line.residual)])
    for entry in residual:
        terms = sp.Add.make_args(sp.expand_mul(entry))
        size = max([1.0, *(abs(number(term, given)) for term in terms)])
        because = f"{written.form}, {line.name or line.left}: rounding of two routes, condition {worth:.0e}"
        assert_close(number(entry, given), 0.0, within=AGREE * size * max(1.0, worth / 100), because=because)


def rate(written: Written, symbol: sp.Symbol, values: Mapping[sp.Symbol, float]) -> float:
    """d/dt of a coordinate or a velocity at the state; that of a quaternion by qd = (0, w) q / 2, body components."""
    if getattr(symbol, "dot", None) in values:
        return float(values[symbol.dot])
    name, part = symbol.name.rsplit("_", 1)
    w = np.array([values[one] for axis in "xyz" for one in values if str(one) == f"omega_{name}_{axis}"])
    e = np.array([values[one] for axis in "wxyz" for one in values if str(one) == f"{name}_{axis}"])
    scalar, vector = -e[1:] @ w / 2, (e[0] * w + np.cross(e[1:], w)) / 2
    return float({"w": scalar, **dict(zip("xyz", vector, strict=True))}[part])


def number(expression: sp.Expr, values: Mapping[sp.Symbol, float]) -> float:
    """The value of an expression."""
    symbols = sorted(sp.sympify(expression).free_symbols, key=str)
    return float(sp.lambdify(symbols, expression, "math")(*(float(values[one]) for one in symbols)))


def gallery_equations(name: str) -> Equations:
    from cardan.gallery.index import entry

    system: cd.System = entry(name).system()
    return system.equations()
