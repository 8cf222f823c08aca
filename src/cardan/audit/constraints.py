"""Lines of an audit about constraints: whether they are kept, what was done to the start, and whose forces mean
something."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, Line, verdict
from cardan.linalg.projection import RANK
from cardan.trajectory.assembly import steps_between
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.jumps import shifts
from cardan.trajectory.rank.states import pull_beside
from cardan.trajectory.start import given_start
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

KEPT, BROKEN = 1e-8, 1e-4  # of the typical sizes (or of the largest speed): how far the state is off the constraints
SLOW = 1e-2  # of the speeds that forces give
PASSED = 1e-7  # the same inside passages, whose polynomials keep the constraints at their nodes
SINGULAR = 1e-3  # directions that the rows determine less than this are not counted: an error there is no drift
LOOKED = 5  # times of a run at which the sizes of rows are taken
UNIT, NO_ROTATION = 1e-9, 1e-4  # length of quaternions
MOVED = 1e-6  # of the typical sizes: what rounding and six typed digits leave
SNAPPED = 1e-8  # unfolding parameter beyond which ignoring it is a choice, not a matter of rounding
QUICK = 60  # velocities: limits of multipliers of larger systems are worked out only where they are asked for
INVOLVED = 1e-6  # share of a row in a dependence, above which its multiplier is not unique


def constraint_line(run: Trajectory) -> Line | None:
    """How far positions and velocities are off the constraints, as displacements in units of the typical sizes;
    constraints that were snapped as they were shifted."""
    if not run.kernel.m:
        return None
    residuals = run.residuals.copy()
    residuals[:, 0] -= shifts(run.records, run.t, run.kernel.m, run.solution.ahead)
    at = np.argmax(np.max(np.abs(residuals), axis=2), axis=0).tolist()
    speed = max(float(np.max(np.abs(run.solution.y[:, run.kernel.nq :]) / _sizes(run), initial=0.0)), _slowest(run))
    place, rate = (_off(run, k, residuals[k, kind]) for kind, k in enumerate(at))
    own, slipping = _in_own_units(run, residuals)
    rate, slipping = (rate / speed, slipping / speed) if speed > 0 else (0.0, 0.0 * slipping)
    place = max(place, float(np.max(own, where=own > KEPT, initial=0.0)))
    rate = max(rate, float(np.max(slipping, where=slipping > KEPT, initial=0.0)))
    value = max(place, rate)
    passed = any(one.kind == "rank-change" for one in run.records)
    found = verdict(value, max(PASSED, float(run.settings.rtol)) if passed else KEPT, BROKEN)
    words = f"positions {place:.1e} off in units of typical sizes, velocities {rate:.1e} of the largest"
    if found != OK:
        when = run.t[at[0] if place >= rate else at[1]]
        name = run.kernel.dynamics.constraints.names[int(np.argmax(own if place >= rate else slipping))]
        words += f" ({name})"
        words += f", worst at t = {when:.6g}: use method='auto', which projects every step, or a shorter step="
    return Line("constraints", found, value, words)


def _in_own_units(run: Trajectory, residuals: Vector) -> tuple[Vector, Vector]:
    """The largest residual of every row, whatever its rank, by how much it changes over the typical sizes."""
    system, sizes = run.kernel.numbers(run.parameters), _sizes(run)
    looked = np.unique(np.linspace(0, len(run) - 1, LOOKED).astype(int))
    p, everywhere = run.parameters.copy(), []
    for k in looked:
        if run.refresh is not None:
            run.refresh(float(run.t[k]), run.solution.y[k], p)
            system = run.kernel.numbers(p)
        everywhere.append(system.terms(float(run.t[k]), run.solution.y[k]).A)
    extent = system.row_sizes(np.max(np.abs(everywhere), axis=0), sizes)
    largest = np.max(np.abs(residuals), axis=0)
    own, slipping = np.where(extent > 0, largest / np.where(extent > 0, extent, 1.0), 0.0)
    return own, slipping


def _slowest(run: Trajectory) -> float:
    """A small part of the speeds that forces give: what is slower is compared with it."""
    pull = pull_beside(run.kernel.numbers(run.parameters), float(run.t[0]), run.solution.y[0], _sizes(run))
    return SLOW * float(np.sqrt(pull))


def _sizes(run: Trajectory) -> Vector:
    return typical_sizes(run.kernel, run.solution.y[0], float(run.t[0]))


def _off(run: Trajectory, k: int, residual: Vector) -> float:
    """The smallest displacement, or change of velocity, that would satisfy the constraints at a time."""
    p, t, y = run.parameters.copy(), float(run.t[k]), run.solution.y[k]
    if run.refresh is not None:
        run.refresh(t, y, p)
    terms = run.kernel.numbers(p).terms(t, y)
    A = terms.A * _sizes(run)
    norms = np.linalg.norm(A, axis=1)
    usual = p[len(run.kernel.parameters) :][: len(A)]  # sizes of the rows elsewhere: some may vanish just here
    used = norms > 1e-12 * float(np.max(norms, initial=1e-300))
    if len(usual):
        used &= np.linalg.norm(terms.A @ terms.half, axis=1) > SINGULAR * usual
    if not used.any():
        return 0.0
    rows = A[used] / norms[used, None]
    return float(np.max(np.abs(np.linalg.lstsq(rows, residual[used] / norms[used], SINGULAR)[0])))


def quaternion_line(run: Trajectory) -> Line | None:
    """Whether quaternions are rotations."""
    if not run.kernel.quaternions:
        return None
    lengths = [np.linalg.norm(run.solution.y[:, k : k + 4], axis=1) for k in run.kernel.quaternions]
    value = float(max(np.max(np.abs(one - 1)) for one in lengths))
    found = verdict(value, UNIT, NO_ROTATION)
    words = f"lengths {value:.1e} off 1"
    return Line("quaternions", found, value, words if found == OK else words + ": use method='auto', which keeps them")


def start_line(run: Trajectory) -> Line | None:
    """How far the start was moved to satisfy the constraints."""
    t0, user = float(run.settings.t0), run.user
    if not run.kernel.m:
        return None
    given = given_start(user, run.settings.q, run.settings.v)
    (first,), (defined,) = run.with_states(np.array([t0]), run.solution.at(t0)[None]).user_states
    speed = float(np.max(np.abs(given.y[user.nq :]), initial=0.0))
    places = np.abs(steps_between(user, given.y, first) / typical_sizes(user, given.y, t0)) * given.held
    rates = np.abs(first - given.y)[user.nq :] * (given.held_rates & bool(defined)) / (speed or np.inf)
    impulse = any(one.kind == "impulse" and one.t == t0 for one in run.records)
    place, rate = (float(np.max(one, initial=0.0)) for one in (places, rates))
    value = max(place, 0.0 if impulse else rate)
    words = f"moved by {place:.1e} of the typical sizes, velocities by {rate:.1e} of the largest"
    if value <= MOVED:
        return Line("start", OK, value, words)
    words += f", {user.model.v[int(np.argmax(places if place >= rate else rates))]} most"
    return Line("start", LOOK, value, words + ": give q and v that satisfy the constraints, or more digits of them")


def snap_line(run: Trajectory) -> Line | None:
    """Whether geometry was changed to pass straight through a bifurcation."""
    snaps = [one.number("e") for one in run.records if one.kind == "snap"]
    if not snaps:
        return None
    value = max(snaps)
    words = f"geometry shifted by e = {value:.1e} of its size, so that branches meet exactly"
    if value <= SNAPPED:
        return Line("snapped geometry", OK, value, words)
    return Line("snapped geometry", LOOK, value, words + ": with a smaller geometry_tol= the motion may change mode")


def reaction_line(run: Trajectory) -> Line | None:
    """Whether every multiplier is the one that acts: rows that depend on each other share their force at will."""
    if not run.kernel.m or run.kernel.model.rubbing:
        return None
    changes = [one for one in run.records if one.kind == "rank-change"]
    read = [one.t for one in changes if np.any(run.t == one.t) and one.facts.get("divergent")]
    told = changes[:1] if run.kernel.nv <= QUICK else []
    poles = read or [one.t for one in told if one.facts.get("divergent")]
    names = _shared(run)
    parts = []
    if names:
        listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        parts.append(
            f"{listed} depend on each other: the motion is unique, the share that each carries is not; remove some, or "
            "read run.reactions of whole bodies"
        )
    if poles:
        parts.append(f"multipliers are infinite at t = {poles[0]:.6g}, the force is not (limit_force of the event)")
    if read:
        parts.append("this is a time of the run, where they are nan: ask for other times=")
    words = "; ".join(parts) or "multipliers are unique and finite"
    return Line("reactions", LOOK if names or read else OK, float(len(names) + len(read)), words)


def _shared(run: Trajectory) -> list[str]:
    """Names of rows in a dependence that holds all along the run; rows that forbid nothing carry nothing."""
    kernel = run.kernel
    first, m = len(kernel.parameters), kernel.m
    if len(run.parameters) <= first + m:
        return []
    scale = run.parameters[first : first + m]
    used = scale > 0
    rank = int(run.parameters[first + m + RANK])
    if rank >= np.count_nonzero(used):
        return []
    k = len(run) // 2
    terms = kernel.numbers(run.parameters).terms(float(run.t[k]), run.solution.y[k])
    scale = run.parameters[first : first + m]
    rows = (terms.A @ terms.half) / np.where(scale > 0, scale, 1.0)[:, None]
    U, _, _ = np.linalg.svd(rows)
    null = U[:, int(run.parameters[first + m]) :]
    return [
        name for name, x in zip(kernel.dynamics.constraints.names, null, strict=True) if np.max(np.abs(x)) > INVOLVED
    ]
