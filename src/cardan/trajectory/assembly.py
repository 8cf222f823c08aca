"""Consistent starts: configurations and velocities that satisfy the constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import StartError
from cardan.graph import live
from cardan.native.showing import Shown
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import in_units, project_position, project_velocity
from cardan.singular.reference import SEED, Reference, reference
from cardan.trajectory.extent import drive_speed, typical_sizes
from cardan.trajectory.pulling import pulled
from cardan.trajectory.start import Given

Vector = NDArray[np.float64]

LEFT = 1e-9  # residual of the velocities, in units of the motion's own rates, that no velocity could remove
MISSED = 1e-7  # the same of accelerations
ROUNDED_RATE = 1e-14  # of the rate that forces make: velocities that small are rounding, and no velocity at all


@dataclass(frozen=True)
class Assembly(Shown):
    """A configuration that satisfies the constraints, and how far it is from the guess (dimensionless)."""

    q: Vector
    distance: float


@dataclass(frozen=True)
class ConsistentStart:
    """A state on the constraints, how far it was moved, and the reference sizes and rank found around it."""

    y: Vector
    distance: float
    reference: Reference
    sizes: Vector  # a typical size for each velocity's coordinate


def consistent_start(kernel: Kernel, given: Given, p: Vector, t: float, tolerance: float) -> ConsistentStart:
    """The start moved to the constraints; refused, with names and numbers, where that is too far or impossible.

    Coordinates and velocities that were not given may move freely.
    """
    system = kernel.numbers(p)
    box = typical_sizes(kernel, given.y, t)
    partial = None if given.held.all() else ~given.held
    _check_flat(kernel, p, t, given)
    undefined = _undefined(kernel, system, t, given.y)
    if undefined and partial is None:
        raise StartError(
            f"Constraint {', '.join(map(repr, undefined))} has no direction at the start: its points coincide, or a "
            "shape lies flat. Start elsewhere.",
            names=undefined,
        )
    y = None if undefined else project_position(system, t, given.y, box, partial)
    first = y
    if partial is not None and (y is None or _turned(kernel, p, t, y)):
        y = _from_seeds(kernel, p, t, given.y, box, partial, hold=True)
        if y is None:  # given coordinates may be moved, too, as far as the tolerance allows
            y = _from_seeds(kernel, p, t, given.y, box, partial, hold=False)
    if y is None and first is not None:  # found at once, but with frames turned against each other
        _check_turned(kernel, p, t, first)
    if y is None:
        raise _impossible(kernel, system, t, given.y, box)
    _check_turned(kernel, p, t, y)
    moved = _distance(kernel, given.y, y, box, given.held)
    if moved > tolerance:
        if first is not None:  # what was given closes the loop, but with frames turned against each other
            _check_turned(kernel, p, t, first)
        raise _too_far(kernel, system, t, given.y, y, box, moved, tolerance)
    found = reference(system, t, y, box)
    before = y.copy()
    free = None if given.held_rates.all() or not given.held_rates.any() else ~given.held_rates
    if free is not None:
        y = project_velocity(system, t, y, box, free, found.extent)
    y = project_velocity(system, t, y, box, usual=found.extent)
    _check_rates(kernel, system, t, before, y, given, box, found.extent, tolerance)
    _check_accelerations(kernel, system, t, y, found, box)
    return ConsistentStart(y, moved, found, box)


def assemblies(kernel: Kernel, given: Given, p: Vector, t: float, seeds: int) -> list[Assembly]:
    """Distinct configurations that satisfy the constraints, nearest to the guess first; given coordinates are held."""
    system = kernel.numbers(p)
    box = typical_sizes(kernel, given.y, t)
    free = None if given.held.all() else ~given.held
    rng = np.random.default_rng(SEED)
    found: list[Assembly] = []
    for k in range(seeds):
        step = np.zeros(kernel.nv) if k == 0 else box * rng.uniform(-1, 1, kernel.nv)
        if free is not None:
            step[~free] = 0.0
        guess = system.moved(t, given.y, step)
        y = _closed(kernel, system, p, t, guess, box, free)
        if y is None:
            continue
        if not any(_same(kernel, one.q, y[: kernel.nq], box) for one in found):
            everything = np.ones(kernel.nv, dtype=bool)
            found.append(Assembly(y[: kernel.nq], _distance(kernel, given.y, y, box, everything)))
    if not found:
        raise _impossible(kernel, system, t, given.y, box)
    return sorted(found, key=lambda one: one.distance)


def _closed(
    kernel: Kernel, system: ConstrainedNumbers, p: Vector, t: float, guess: Vector, box: Vector,
    free: NDArray[np.bool_] | None,
) -> Vector | None:  # fmt: skip
    """The configuration that a guess leads to, by the rows, or with frames pulled together first; None if none does."""
    if not _undefined(kernel, system, t, guess):
        y = project_position(system, t, guess, box, free)
        if y is not None and not _turned(kernel, p, t, y):
            return y
    near = pulled(kernel, system, t, guess, box, free)
    if near is None or _undefined(kernel, system, t, near):
        return None
    y = project_position(system, t, near, box, free)
    return None if y is None or _turned(kernel, p, t, y) else y


def _from_seeds(
    kernel: Kernel, p: Vector, t: float, y: Vector, box: Vector, free: NDArray[np.bool_], *, hold: bool
) -> Vector | None:
    """The assembly nearest to y among those reached from a few random guesses for the free coordinates.

    The others are held, or moved as little as possible.
    """
    system = kernel.numbers(p)
    rng = np.random.default_rng(SEED)
    moving = free if hold else None
    found: list[Vector] = []

    def off(one: Vector) -> tuple[float, float]:
        return 0.0 if hold else _distance(kernel, y, one, box, ~free), float(np.linalg.norm(one - y))

    guesses = [system.moved(t, y, np.where(free, box * rng.uniform(-1, 1, system.n), 0.0)) for _ in range(20)]
    for guess in guesses:
        moved = None if _undefined(kernel, system, t, guess) else project_position(system, t, guess, box, moving)
        if moved is not None and not hold and kernel.nq == kernel.nv:  # once more, from the values that were given
            guess = moved.copy()
            guess[: kernel.nq][~free] = y[: kernel.nq][~free]
            moved = project_position(system, t, guess, box)
        if moved is not None and not _turned(kernel, p, t, moved):
            found.append(moved)
    if not found:  # frames that face each other the wrong way lead to such again: pull them together
        pulled_ones = (_closed(kernel, system, p, t, guess, box, moving) for guess in guesses[:6])
        found = [one for one in pulled_ones if one is not None]
    return min(found, key=off) if found else None


def _turned(kernel: Kernel, p: Vector, t: float, y: Vector) -> list[str]:
    """Connections whose frames are turned against each other, or whose axes point opposite ways, by name."""
    facing = kernel.facing
    turned = facing.turned(y[None, : kernel.nq], t, p)[0]
    return list(dict.fromkeys(name for name, is_turned in zip(facing.names, turned, strict=True) if is_turned))


def _check_turned(kernel: Kernel, p: Vector, t: float, y: Vector) -> None:
    turned = _turned(kernel, p, t, y)
    if turned:
        raise StartError(
            f"At this start the frames joined by {', '.join(map(repr, turned))} are turned against each other by "
            "half or a third of a turn (a hinge: its axes point opposite ways), which the joint does not allow. Start "
            "from frames that face each other, which s.assemble(q=...) finds, or say how they are turned: "
            "s.connect(..., second_axis=...) for an axis, s.frame(name, parent=body, at=(position, rotation)) for a "
            "frame.",
            names=turned,
        )


def _check_flat(kernel: Kernel, p: Vector, t: float, given: Given) -> None:
    flat = kernel.flatness.flat(given.y[: kernel.nq], t, p) if given.held.any() else []
    if flat:
        raise StartError(
            f"{', '.join(map(repr, flat))} lies flat at the start: every point of its rim touches, so that the point "
            "on which it rolls is undefined, and no rolling motion begins here. Start it leaning, or let it lie on a "
            "floor that it may leave: s.contact(...).",
            names=flat,
        )


def _undefined(kernel: Kernel, system: ConstrainedNumbers, t: float, y: Vector) -> list[str]:
    """Constraints that have no direction here, by name: a rod between points that coincide, a disc that lies flat."""
    A = system.terms(t, y).A
    return [name for name, row in zip(kernel.dynamics.constraints.names, A, strict=True) if not np.isfinite(row).all()]


def steps_between(kernel: Kernel, a: Vector, b: Vector) -> Vector:
    """How far two configurations are apart, one number per velocity."""
    return _per_velocity(kernel, _difference(kernel, a, b))


def _difference(kernel: Kernel, a: Vector, b: Vector) -> Vector:
    """Difference of configurations; angles modulo a turn, a quaternion up to sign."""
    change = b[: kernel.nq] - a[: kernel.nq]
    for k in kernel.angles:
        change[k] = (change[k] + np.pi) % (2 * np.pi) - np.pi
    for k in kernel.quaternions:
        if a[k : k + 4] @ b[k : k + 4] < 0:
            change[k : k + 4] = -b[k : k + 4] - a[k : k + 4]
    return change


def _per_velocity(kernel: Kernel, change: Vector) -> Vector:
    """One number per velocity from a difference of configurations."""
    found: list[float] = []
    at = 0
    for variable in kernel.model.free:
        count = len(variable.configuration)
        part = change[at : at + count]
        at += count
        found += [float(part[0])] if count == 1 else [2 * float(np.linalg.norm(part)) / np.sqrt(3)] * 3
    return np.array(found)


def _distance(kernel: Kernel, a: Vector, b: Vector, box: Vector, held: NDArray[np.bool_]) -> float:
    steps = steps_between(kernel, a, b) / box
    return float(np.max(np.abs(steps[held]), initial=0.0))


def _same(kernel: Kernel, a: Vector, b: Vector, box: Vector) -> bool:
    return float(np.max(np.abs(steps_between(kernel, a, b) / box), initial=0.0)) < 1e-6


def _worst(kernel: Kernel, values: Vector, extent: Vector, count: int = 3) -> str:
    """The rows with the largest values, in units of their own sizes, by name."""
    names = kernel.dynamics.constraints.names
    order = np.argsort(-in_units(values, extent))[:count]
    return ", ".join(f"{names[i]!r} ({values[i]:+.3g})" for i in order if values[i] != 0.0)


def _impossible(kernel: Kernel, system: ConstrainedNumbers, t: float, y: Vector, box: Vector) -> StartError:
    phi, _ = system.residual(t, y)
    extent = system.row_sizes(system.terms(t, y).A, box)
    return StartError(
        f"No configuration near the start satisfies the constraints of {kernel.model.name!r}: violated by "
        f"{_worst(kernel, phi, extent)}. Either they contradict each other (compare lengths and placements), or the "
        "guess is too far: try s.assemble(q=...), or give fewer coordinates and leave the rest free.",
        violated=dict(zip(kernel.dynamics.constraints.names, phi.tolist(), strict=True)),
    )


def _too_far(
    kernel: Kernel,
    system: ConstrainedNumbers,
    t: float,
    given: Vector,
    y: Vector,
    box: Vector,
    distance: float,
    tolerance: float,
) -> StartError:
    phi, _ = system.residual(t, given)
    extent = system.row_sizes(system.terms(t, given).A, box)
    nearest = np.array2string(y[: kernel.nq], precision=6)
    return StartError(
        f"The start violates {_worst(kernel, phi, extent)}: the nearest consistent configuration is {distance:.3g} "
        f"away (in units of pi for angles and of the model's extent for lengths; allowed {tolerance:g}). Start from "
        f"q = {nearest}, leave some coordinates out so that they may move, or raise start_tol.",
        distance=distance,
        q=y[: kernel.nq],
        violated=dict(zip(kernel.dynamics.constraints.names, phi.tolist(), strict=True)),
    )


def _check_accelerations(
    kernel: Kernel, system: ConstrainedNumbers, t: float, y: Vector, found: Reference, box: Vector
) -> None:
    """Refuse constraints that ask for accelerations which cannot be had together (where no rank is lost here)."""
    terms = system.terms(t, y)
    rows = found.scaled(terms.A @ terms.half)
    s = np.linalg.svd(rows, compute_uv=False)
    if len(s) < found.rank or (found.rank and s[found.rank - 1] <= 1e-6 * s[0]):
        return
    vd, unforced = terms.accelerations()[0], terms.half @ (terms.half.T @ terms.h)
    missed = terms.A @ vd - terms.b
    present = np.abs(terms.b) + np.abs(terms.A) @ (np.abs(vd) + np.abs(unforced))
    worst, largest = (float(np.max(in_units(x, found.extent), initial=0.0)) for x in (missed, present))
    speed = float(np.max(np.abs(y[system.nq :]) / box, initial=0.0))  # accelerations that turning takes may cancel
    if worst > MISSED * max(largest, speed**2):
        raise StartError(
            f"The constraints of {kernel.model.name!r} hold now but cannot go on together: "
            f"{_worst(kernel, missed, found.extent)} of acceleration is missed. They contradict each other as "
            "time goes on; remove or change one of them.",
            violated=dict(zip(kernel.dynamics.constraints.names, missed.tolist(), strict=True)),
        )


def _check_rates(
    kernel: Kernel,
    system: ConstrainedNumbers,
    t: float,
    before: Vector,
    after: Vector,
    given: Given,
    box: Vector,
    extent: Vector,
    tolerance: float,
) -> None:
    """Refuse velocities that were given and had to be changed by more than the tolerance, in units of the largest."""
    n = system.nq
    _, rate = system.residual(t, after)
    still = np.concatenate([after[:n], np.zeros(system.n)])
    size = float(np.max(np.abs([before[n:], after[n:]]) / box, initial=0.0))  # of velocities, per unit of time
    size = max(size, drive_speed(kernel, after, t))
    driven = float(np.max(in_units(system.residual(t, still)[1], extent), initial=0.0))
    rounding = ROUNDED_RATE * _natural_rate(system, t, after, box)
    if np.max(in_units(rate, extent), initial=0.0) > max(LEFT * max(size, driven), rounding):
        raise StartError(
            f"No velocity satisfies the constraints of {kernel.model.name!r} here: {_worst(kernel, rate, extent)} "
            "remain. The constraints contradict each other at this configuration, or freeze what is driven.",
            violated=dict(zip(kernel.dynamics.constraints.names, rate.tolist(), strict=True)),
        )
    change = np.where(given.held_rates, after[n:] - before[n:], 0.0) / box
    furthest = float(np.max(np.abs(change), initial=0.0))
    moved = furthest / (size or 1.0)
    if moved > tolerance and furthest > rounding:
        _, rate = system.residual(t, before)
        raise StartError(
            f"The start velocity violates {_worst(kernel, rate, extent)}; the nearest consistent one is "
            f"v = {np.array2string(after[n:], precision=6)}, {moved:.3g} away relative to its size (allowed "
            f"{tolerance:g}). Start from it, name fewer velocities so that the others may adjust, or raise start_tol.",
            v=after[n:],
            violated=dict(zip(kernel.dynamics.constraints.names, rate.tolist(), strict=True)),
        )


def _natural_rate(system: ConstrainedNumbers, t: float, y: Vector, box: Vector) -> float:
    """The rate at which forces alone would cover typical sizes: velocities that are nothing beside it are rounding."""
    terms = system.terms(t, y)
    unforced = np.abs(terms.half @ (terms.half.T @ terms.h)) / box
    return float(np.sqrt(np.max(unforced, initial=0.0)))


def refuse_frozen(kernel: Kernel, found: Reference) -> None:
    """Refuse to simulate what can never move: as many independent constraints as freedoms, and none of them driven."""
    rows = kernel.dynamics.constraints
    if found.rank < kernel.nv or not kernel.nv or kernel.dynamics.t in set(live([*rows.phi, *rows.rates])):
        return
    raise StartError(
        f"The constraints of {kernel.model.name!r} leave nothing free: {found.rank} independent rows "
        f"({', '.join(rows.names)}) for {kernel.nv} velocities, and none of them depends on time. Remove one of "
        "them, or drive one by a function of time; s.equations().at(q).multipliers gives the forces at rest.",
        names=rows.names,
        rank=found.rank,
    )
