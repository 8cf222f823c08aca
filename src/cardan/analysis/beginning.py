"""Where families of periodic motions begin: at one of them, at a Hopf point of rests, at a period doubling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.continuation import SpecialPoint, followed
from cardan.analysis.orbit_families import Orbit, Orbits, PeriodicFamily
from cardan.analysis.periodic import PeriodicMotion
from cardan.analysis.rest_families import Rest
from cardan.analysis.shooting import Joined, Shots
from cardan.errors import ModelError, SimulationError, unknown
from cardan.trajectory.kernels import Kernels

Vector = NDArray[np.float64]
Start = PeriodicMotion | SpecialPoint[Rest] | SpecialPoint[Orbit]

SMALL = 0.02  # of typical sizes: how far the first motion is from what it leaves


def periodic_family(kernels: Kernels, start: Start, name: str, low: float, high: float, most: int) -> PeriodicFamily:
    """The family through a periodic motion, or that which leaves a Hopf point or a period doubling."""
    known = [str(symbol) for symbol in kernels.model.parameters]
    if name not in known:
        raise unknown(name, known, f"parameter of {kernels.model.name!r} to follow motions along")
    if not low < high:
        raise ModelError(f"Motions are followed from a smaller to a larger value, found {low:g} and {high:g}.")
    first = _first(kernels, start, name, low, high)
    return PeriodicFamily(first.problem, followed(first.problem, first, most))


def _first(kernels: Kernels, start: Start, name: str, low: float, high: float) -> Orbit:
    if isinstance(start, PeriodicMotion):
        problem = Orbits(replace(start.joined.shots, hold=()), name, low, high)
        value = start[name]
        return Orbit(problem, replace(start.joined, shots=problem.shots_at(value)), value)
    if isinstance(start.member, Rest) and start.kind in ("Hopf", "flutter"):
        return _beside_rest(Orbits(Shots(kernels, 0.0, None, None, True), name, low, high), start.value, start.member)
    if isinstance(start.member, Orbit) and start.kind == "period doubling":
        return _doubled(Orbits(start.member.problem.shots, name, low, high), start.value, start.member)
    raise ModelError(
        f"Periodic motions leave Hopf points and period doublings; this is a {start.kind} point.", kind=start.kind
    )


def _beside_rest(problem: Orbits, value: float, rest: Rest) -> Orbit:
    """A small periodic motion beside a Hopf point."""
    place, lin = rest.equilibrium.place, rest.equilibrium.linear
    values, vectors = np.linalg.eig(lin.A)
    k = int(np.argmin(np.where(values.imag > 0, np.abs(values.real), np.inf)))
    move = np.real(lin.T @ vectors[:, k])
    return _displaced(problem, value, place.y, move, 2 * np.pi / float(values[k].imag), place.sizes)


def _doubled(problem: Orbits, value: float, orbit: Orbit) -> Orbit:
    """A motion of twice the period beside a period doubling."""
    if problem.shots.jump is not None:
        raise ModelError("A motion that ends with a jump is not followed over two periods, in whose middle it jumps.")
    values, vectors = np.linalg.eig(orbit.motion.monodromy)
    k = int(np.argmin(np.abs(values + 1)))
    move = np.real(orbit.joined.bases[0][1] @ vectors[:, k])
    return _displaced(problem, value, orbit.joined.nodes[0], move, 2 * orbit.joined.period, orbit.joined.sizes)


def _displaced(problem: Orbits, value: float, y: Vector, move: Vector, period: float, sizes: Vector) -> Orbit:
    """The periodic motion with one coordinate displaced by a given amount along a direction, at a value to be found."""
    kernel = problem.shots.kernel
    n, nq = kernel.nv, kernel.nq
    if nq != n:
        raise ModelError(f"{kernel.model.name!r} has quaternions; start from a periodic motion instead.")
    widest = int(np.argmax(np.abs(move[:n]) / sizes))
    start = y + move * SMALL * sizes[widest] / move[widest]
    shots = replace(problem.shots_at(value), hold=((widest, float(start[widest])),))
    held = replace(problem, shots=shots)
    guess = Joined(shots, (start,), period, np.zeros(len(shots.fields)), sizes)
    found = held.corrected(Orbit(held, guess, value))
    if found is None:
        raise SimulationError(f"No periodic motion was found beside the special point at {value:.6g}.")
    return Orbit(problem, replace(found.joined, shots=problem.shots_at(found.value)), found.value)
