"""Power of everything that can change the energy T + V of a system, as graph nodes.

With all velocities v (prescribed ones included), E = T + V and the Jacobi integral h = v . dL/dv - L,

    dh/dt = Q . v + mu . fd - lam . b0 - dL/dt (explicit),        E - h = 2 T - v . dT/dv

so that d(T + V)/dt is the sum of the powers of the loads and other forces Q, of the motors mu of prescribed
coordinates, of moving constraints, lam (A v) = -lam b0, and of joints, energies and potentials that depend on time.
Gravity, springs and typed potentials are in V and have no power of their own.
"""

from __future__ import annotations

from cardan.equations.energies import damper_rows, number
from cardan.equations.reduced import Dynamics, sum_of
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import is_zero, minus, negative, plus, times
from cardan.graph import Node, gradient, live, substitute
from cardan.kinematics.space import Number
from cardan.kinematics.tree import WORLD
from cardan.model.loads import Load

MOVING = "time"
ZERO: Number = 0


def power_parts(d: Dynamics) -> dict[str, Number]:
    """Power by name, in terms of (q, v, vd, lam, t); what is zero whatever the motion is left out."""
    found: dict[str, Number] = {}
    for more in (_loads(d), _inputs_and_typed(d), _dampers(d), _motors(d), _constraints(d), {MOVING: _explicit(d)}):
        for name, part in more.items():  # a friction and the constraint that holds it share a name
            found[name] = plus(found.get(name, 0), part)
    return {name: part for name, part in found.items() if not _vanishes(d, part)}


def _vanishes(d: Dynamics, part: Number) -> bool:
    return is_zero(number(d.impose([part])[0]))


def _work(d: Dynamics, forces: list[Number]) -> Number:
    return sum_of(times(force, v) for force, v in zip(forces, d.space.v, strict=True))


def _linear_share(d: Dynamics, total: Node, symbol: object) -> Number | None:
    """u dP/du where P is linear in the signal u, None where it is not."""
    node = d.space.nodes[symbol]
    (slope,) = gradient(total, [node])
    return None if node in live([slope]) else times(node, number(slope))


def _loads(d: Dynamics) -> dict[str, Number]:
    """Each named load: its force or moment times the velocity it acts on."""
    full = d.full
    applied = [minus(Q, typed) for Q, typed in zip(full.forces, full.typed_forces, strict=True)]
    total = d.space.node(_work(d, applied))
    found = {
        load.name: sum_of(_linear_share(d, total, symbol) or 0 for symbol in load.symbols) for load in d.model.judged
    }
    return found | {load.name: _of_law(d, load) for load in d.model.loads if load.follows_law}


def _of_law(d: Dynamics, load: Load) -> Number:
    """F . v, or M . w, of a load that follows a law, at each of its ends."""
    tree, motion, total = d.full.lifted, d.full.motion, ZERO
    for end, sign in load.ends:
        moved = motion.velocity_of(end) if load.kind == "force" else motion.omega(end.frame)
        total = plus(total, times(sign, m3.dot(tree.components(load.vector, WORLD), moved)))
    return total


def _inputs_and_typed(d: Dynamics) -> dict[str, Number]:
    """Each input where the forces are linear in it; what is left of typed generalized forces by coordinate."""
    found: dict[str, Number] = {}
    for force in d.model.generalized_forces:
        name = force.name or f"force on {getattr(force.coordinate, 'of', force.coordinate)}"
        own = d.space.node(times(d.space.lift(force.expression), d.space.nodes[force.coordinate]))
        for symbol in d.model.inputs:
            part = _linear_share(d, own, symbol)
            if part is not None and not is_zero(part):
                found[str(symbol)] = plus(found.get(str(symbol), 0), part)
                own = substitute([own], {d.space.nodes[symbol]: d.space.graph.zero})[0]
        found[name] = plus(found.get(name, 0), number(own))
    return found


def _dampers(d: Dynamics) -> dict[str, Number]:
    return {name: _work(d, forces) for name, forces in damper_rows(d.full.lifted, d.space)}


def _motors(d: Dynamics) -> dict[str, Number]:
    """mu fd of each prescribed coordinate."""
    found = {}
    for (q, _, _, fd, _), mu in zip(d.prescribed, d.multipliers(d.vd), strict=True):
        found[str(q.name)] = times(mu, fd)
    return found


def _constraints(d: Dynamics) -> dict[str, Number]:
    """-lam b0 of each row, b0 being what is left of A v + b0 where nothing moves."""
    rows = d.full.rows
    rates = d.space.all_nodes(row.rate for row in rows)
    offsets = substitute(rates, dict.fromkeys(d.space.v, d.space.graph.zero))
    return {row.name: negative(times(lam, number(b0))) for row, lam, b0 in zip(rows, d.lam, offsets, strict=True)}


def _explicit(d: Dynamics) -> Number:
    """d/dt (2 T - v . dT/dv) - dL/dt: joints, energies and potentials that contain the time."""
    T, V, space = d.full.kinetic, d.full.potential, d.space
    momenta = gradient(T, space.v)
    (slope,) = gradient(space.node(minus(T, V)), [space.t])
    if _is_purely_quadratic(d, [T, *momenta]):
        return negative(number(slope))
    rest = minus(times(2, T), _work(d, [number(p) for p in momenta]))
    return minus(d.rate_with_accelerations([rest])[0], number(slope))


def _is_purely_quadratic(d: Dynamics, energy_and_momenta: list[Node]) -> bool:
    """Whether T = T2, so that 2 T - v . dT/dv is nothing but rounding."""
    still = substitute(energy_and_momenta, dict.fromkeys(d.space.v, d.space.graph.zero))
    typed = [one for one in (d.full.typed, d.full.lagrangian) if one is not None]
    return all(is_zero(number(node)) for node in still) and all(one.is_quadratic for one in typed)
