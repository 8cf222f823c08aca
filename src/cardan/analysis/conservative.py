"""Which forces are conservative: dQ_i/dq_j = dQ_j/dq_i, and the potential where SymPy finds one.

Springs, gravity and typed potentials are conservative by what they are; asked of each load (its magnitude held), strut
and damper, and of the typed generalized forces together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy as sp

from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.tidy import tidy
from cardan.model.model import Model
from cardan.native.deadline import OutOfTime, within
from cardan.native.showing import Shown

SECONDS = 10.0  # for the integrals of one potential


@dataclass(frozen=True)
class ForceVerdict(Shown):
    """A force with its generalized forces by coordinate, whether it is conservative and why, and its potential."""

    name: str
    forces: dict[str, sp.Expr]
    is_conservative: bool
    reason: str
    potential: sp.Expr | None = None

    def __repr__(self) -> str:
        verdict = "conservative" if self.is_conservative else "not conservative"
        found = "" if self.potential is None else f", V = {self.potential}"
        return f"{self.name}: {verdict}, {self.reason}{found}"


def conservative_forces(model: Model) -> list[ForceVerdict]:
    """A verdict for every force that is not written as a potential."""
    return [_judged(name, alone) for name, alone in _sources(model)]


def _sources(model: Model) -> Iterator[tuple[str, Model]]:
    nothing = replace(model, loads=(), dampers=(), generalized_forces=(), constraints=(), stops=(), frictions=())
    for load in model.loads:
        yield load.name, replace(nothing, loads=(load,))
    for damper in model.dampers:
        yield damper.name, replace(nothing, dampers=(damper,))
    owned = {one.name for one in model.frictions}
    typed = tuple(one for one in model.generalized_forces if not one.name or one.name not in owned)
    if typed:
        yield "typed generalized forces", replace(nothing, generalized_forces=typed)


def _judged(name: str, model: Model) -> ForceVerdict:
    s = SymbolicEquations(model)
    Q = {str(getattr(v, "of", v)): tidy(s.impose(s.forces[i])) for i, v in zip(s.free, model.v, strict=True)}
    used = set().union(*(one.free_symbols for one in Q.values())) if Q else set()

    def no(reason: str) -> ForceVerdict:
        return ForceVerdict(name, Q, False, reason)

    if used & set(model.v):
        power = tidy(sp.Add(*(force * v for force, v in zip(Q.values(), model.v, strict=True))))
        return no("it depends on velocities, but does no work" if power == 0 else "it depends on velocities")
    if model.time in used:
        return no("it depends on time")
    if model.has_quaternions:
        return no("not decided: it acts along angular velocities of a quaternion; use Euler angles to ask")
    entries = list(zip(model.q, Q.values(), strict=True))
    for i, (x, P) in enumerate(entries):
        for y, R in entries[i + 1 :]:
            curl = tidy(P.diff(y) - R.diff(x))
            if curl != 0:
                return no(f"d(Q_{x})/d{y} - d(Q_{y})/d{x} = {curl}")
    held = sorted(str(one) for one in used & set(model.signals))
    reason = f"while {', '.join(held)} is constant" if held else "dQ_i/dq_j = dQ_j/dq_i for all i and j"
    return ForceVerdict(name, Q, True, reason, _potential(entries))


def _potential(entries: list[tuple[sp.Symbol, sp.Expr]]) -> sp.Expr | None:
    """V with Q = -dV/dq, by one integral after the other; None where SymPy finds none in time."""
    V: sp.Expr = sp.Integer(0)
    try:
        with within(SECONDS, "a potential"):
            for x, force in entries:
                V -= sp.integrate(tidy(force + V.diff(x)), x)
            V = tidy(V)
            if V.has(sp.Integral) or any(tidy(force + V.diff(x)) != 0 for x, force in entries):
                return None
    except (OutOfTime, NotImplementedError, ValueError, TypeError):
        return None
    return V
