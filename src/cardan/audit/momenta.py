"""A line of an audit about momenta: those of coordinates on which nothing depends are conserved, and watched."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import OK, Line, verdict
from cardan.audit.energy import WRONG, allowed, remedy
from cardan.codegen.compiled import Kernel
from cardan.equations.reduced import Dynamics
from cardan.graph import Node, evaluate, gradient, live
from cardan.model.variables import CoordinateVariable
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.trajectory import Trajectory

Array = NDArray[np.float64]

NOTHING = 1e-11  # of the energy: what a push does over a typical displacement
STATES, SHAKEN, SEED = 8, 0.2, 11
SHOWN = 4  # names that are told
MOST = 60  # velocities up to which momenta are formed
SIZED = 16  # states of the run at which the parts of momenta are measured
SLIGHT = 1e-6  # of sqrt(2 T M_kk), which it is when all moves in this coordinate: a smaller momentum is only rounding

_told: WeakKeyDictionary[Kernel, dict[bytes, dict[str, int]]] = WeakKeyDictionary()
_formed: WeakKeyDictionary[Kernel, dict[tuple[int, ...], tuple[list[Node], list[Node]]]] = WeakKeyDictionary()


def ignorable(run: Trajectory) -> dict[str, int]:
    """The coordinates on which nothing depends; found once for all runs where no force switches.

    What vanishes at random states then vanishes everywhere, since it is analytic.
    """
    if run.user.dynamics.smoothness.switches:
        return _ignorable(run)
    known = _told.setdefault(run.user, {})
    values = run.user.p().tobytes()
    if values not in known:
        known[values] = _ignorable(run)
    return known[values]


def _ignorable(run: Trajectory) -> dict[str, int]:
    """Free coordinates along which no energy, force or constraint pushes, by their index among the velocities.

    Told at random states around those of the run; none where stops or friction act.
    """
    d = run.user.dynamics
    model = d.model
    if model.stops or model.frictions or len(d.v) > MOST or not np.any(run.is_defined):
        return {}
    moved = {*live(list(d.constraints.rates))} if model.constraints else set()
    places = {symbol: k for k, symbol in enumerate(model.v)}
    free = [(one.name, d.space.nodes[one.symbol], places[one.symbol.dot])
            for one in model.free if isinstance(one, CoordinateVariable)]  # fmt: skip
    free = [(name, q, k) for name, q, k in free if d.v[k] not in moved]
    T, V = d.impose([d.full.kinetic, d.full.potential])
    if {d.space.nodes[symbol] for symbol in model.signals} & {*live([T])}:
        return {}
    slopes = zip(*(gradient(energy, [q for _, q, _ in free]) for energy in (T, V)), strict=True)
    pushes = [a - b + d.forces[k] for (a, b), (_, _, k) in zip(slopes, free, strict=True)]
    t, y, sizes = _states(run)
    table = np.abs(_numbers(run, d, [*pushes, T, V], t, y))
    energy = float(np.max(table[:, -2]) + np.ptp(table[:, -1]))
    return {name: k for j, (name, _, k) in enumerate(free) if np.max(table[:, j]) * sizes[k] <= NOTHING * energy}


def _states(run: Trajectory) -> tuple[Array, Array, Array]:
    """Times and states near some of the run, by the sizes of what moves, and typical sizes for the velocities."""
    where = np.flatnonzero(run.is_defined)
    chosen = where[np.linspace(0, len(where) - 1, STATES).astype(int)]
    y, rng = run.user_states[0][chosen], np.random.default_rng(SEED)
    sizes = typical_sizes(run.user, y[0], float(run.t[chosen[0]]))
    nq, span = run.user.nq, abs(float(run.t[-1] - run.t[0]))
    speed = float(np.max(np.abs(y[:, nq:]) / sizes, initial=0.0)) or 1 / (span or 1.0)
    wide = np.concatenate([_of_places(run, sizes), speed * sizes])
    moved = y * (1 + SHAKEN * rng.uniform(-1, 1, y.shape)) + SHAKEN * wide * rng.uniform(-1, 1, y.shape)
    return run.t[chosen], moved, sizes


def _of_places(run: Trajectory, sizes: Array) -> Array:
    """Typical sizes of the numbers of a configuration, from those that velocities change; 1 for a quaternion."""
    found, k = list[float](), 0
    for variable in run.user.model.free:
        single = len(variable.configuration) == 1
        found += [float(sizes[k])] if single else [1.0] * len(variable.configuration)
        k += len(variable.velocities)
    return np.array(found)


def momenta_line(run: Trajectory) -> Line | None:
    """dT/dv of every coordinate that nothing depends on: its change, over the largest sum of what it is made of."""
    d = run.user.dynamics
    names = ignorable(run)
    if not names:
        return None
    momenta, shares = _nodes(run.user, tuple(names.values()))
    t, y = run.t[run.is_defined], run.user_states[0][run.is_defined]
    if not len(t):
        return None
    p, some = _numbers(run, d, momenta, t, y), np.linspace(0, len(t) - 1, SIZED).astype(int)
    M = _numbers(run, d, shares, t[some], y[some]).reshape(SIZED, len(names), -1)
    v, T = run.v[run.is_defined][some], run.kinetic_energy[run.is_defined][some]
    sizes = np.max(np.sum(np.abs(M * v[:, None, :]), axis=2), axis=0)
    own = M[:, np.arange(len(names)), list(names.values())]
    moving = sizes > SLIGHT * np.sqrt(np.max(2 * np.abs(T)) * np.max(np.abs(own), axis=0))
    if not np.any(moving):
        return None
    changes = np.ptp(p, axis=0)[moving] / sizes[moving]
    value, told = float(np.max(changes)), [name for name, one in zip(names, moving, strict=True) if one]
    found = verdict(value, allowed(run), WRONG)
    listed = ", ".join(told[:SHOWN]) + (f" and {len(told) - SHOWN} more" if len(told) > SHOWN else "")
    it, its = ("it", "its") if len(told) == 1 else ("them", "their")
    words = f"of {listed}: nothing depends on {it}, drift {value:.2e} of {its} size"
    if found != OK:
        words += f", expected at most {allowed(run):.0e}: {remedy(run)}"
    return Line("momenta", found, value, words)


def _nodes(kernel: Kernel, places: tuple[int, ...]) -> tuple[list[Node], list[Node]]:
    """Momenta of these velocities, and the entries of the mass matrix that they are made with; formed once."""
    known, d = _formed.setdefault(kernel, {}), kernel.dynamics
    if places not in known:
        momenta = gradient(d.impose([d.full.kinetic])[0], [d.v[k] for k in places])
        known[places] = momenta, [d.mass_matrix[k][j] for k in places for j in range(len(d.v))]
    return known[places]


def _numbers(run: Trajectory, d: Dynamics, nodes: list[Node], t: Array, y: Array) -> Array:
    inputs: dict[Node, Array | float] = {d.t: t}
    inputs |= {node: y[:, k] for k, node in enumerate([*d.q, *d.v])}
    inputs |= {node: float(x) for node, x in zip(d.p, run.user.p(), strict=False)}
    rng = np.random.default_rng(SEED)  # whatever loads and inputs do: no energy that is asked for depends on them
    inputs |= {d.space.nodes[symbol]: rng.uniform(0.5, 1.5) for symbol in d.model.signals}
    columns = evaluate(nodes, inputs)
    return np.stack([np.broadcast_to(np.asarray(one, dtype=float), t.shape) for one in columns], axis=-1)
