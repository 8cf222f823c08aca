"""Directions in which nothing can be done here: loads on bodies, tasks of points, and actuators."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.function import NativeFunction
from cardan.diagnosis.findings import Actuation, Finding, Place, Task
from cardan.diagnosis.indicators import SINGULAR
from cardan.diagnosis.judges.cloud import WIDTH, Cloud
from cardan.diagnosis.judges.loads import NEARBY, LoadJudge
from cardan.diagnosis.words import along_text, combination, listed, number, plural, simplest, vector_text
from cardan.graph import jacobian
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point

Vector = NDArray[np.float64]

FIRST = 4  # members of the cloud that show what is usual


def lost_loads(cloud: Cloud, loads: LoadJudge, y: Vector, chart_is_singular: bool) -> list[Finding]:
    """Directions of force and moment on each body that do nothing here although they usually do."""
    if not cloud.rows or not cloud.n:
        return []
    here = cloud.around(NEARBY, FIRST) if chart_is_singular else cloud.timed(y)[None]
    usual = cloud.around(WIDTH, FIRST)
    J = loads.allowed_jacobians(np.concatenate([here, usual] if len(usual) else [here]))
    inside = {name for body in cloud.kernel.model.flexible for name in body.parts}  # a line moves across itself only
    rows = [mass for mass in cloud.rows if mass.name not in inside]
    if not rows:
        return []
    parts = [(mass.name, "force", mass.start) for mass in rows]
    parts += [(mass.name, "moment", mass.start + 3) for mass in rows if mass.is_body]
    blocks = np.array([J[:, start : start + 3] for _, _, start in parts])  # (parts, states, 3, n)
    s = np.linalg.svd(blocks, compute_uv=False)
    size = np.max(s, axis=(1, 2), initial=0.0)
    ranks = np.sum(s > SINGULAR * np.where(size > 0, size, 1.0)[:, None, None], axis=2)
    rank, generic = np.max(ranks[:, : len(here)], axis=1), np.max(ranks, axis=1)
    best = np.argmax(ranks[:, : len(here)], axis=1)
    return [
        _lost(*parts[k][:2], blocks[k][best[k]], blocks[k][len(here) :], int(rank[k]), int(generic[k]))
        for k in np.flatnonzero(rank < generic)
    ]


def _lost(name: str, what: str, here: Vector, usual: Vector, rank: int, generic: int) -> Finding:
    """Directions (axes of the link) in which a body can be driven nearby and not here."""
    u, _, _ = np.linalg.svd(here)
    lost = simplest(_usual_part(u[:, rank:], usual, generic - rank), np.ones(3))
    directions = [along_text(v, name) for v in lost.T]
    text = f"a {what} on {name} along {listed(directions)} has no effect here, although it has nearby"
    why = (
        f"{name} can {'move' if what == 'force' else 'turn'} in {rank} of its usual {plural(generic, 'direction')}; "
        f"a {what} along the missing {'one' if generic - rank == 1 else 'ones'} would be in gimbal lock"
    )
    evidence = {"body": name, "load": what, "rank": rank, "generic_rank": generic}
    directions_lost = {"lost": lost.T, "axes": "link"}
    return Finding("lost-load-directions", (name,), 0.0, SINGULAR, text, why, directions_lost, evidence)


# --- tasks -------------------------------------------------------------------------------------------


def task_of(cloud: Cloud, y: Vector, thing: Place) -> tuple[Task, list[Finding]]:
    """The velocities that a point (or a body, with its angular velocity) can have, here and usually."""
    name, function = _task_function(cloud, thing)
    states = [cloud.timed(y), *cloud.states]
    J = np.array([function(state[-1], state[:-1], cloud.base) for state in states]).reshape(len(states), -1, cloud.n)
    own = np.array([_through(cloud, one, state) for one, state in zip(J, states, strict=True)])
    weights = np.repeat([np.sqrt(np.mean(own[:, k : k + 3] ** 2)) or 1.0 for k in range(0, own.shape[1], 3)], 3)
    u, s, _ = np.linalg.svd(own / weights[:, None], full_matrices=True)
    generic = int(np.max(np.sum(s > SINGULAR * s[:, :1], axis=1)))
    rank = int(np.sum(s[0] > SINGULAR * s[0, 0])) if s[0, 0] > 0 else 0
    true = np.linalg.svd(J[0] @ cloud.allowed(y) if cloud.m else J[0], compute_uv=False)
    manipulability = float(np.prod(true[:generic]))
    lost = _usual_part(u[0][:, rank:], own[1:] / weights[:, None], generic - rank)
    lost = simplest(lost, np.ones(len(weights))).T * weights
    typical = float(np.median(s[1:, generic - 1] / s[1:, 0])) if generic else 1.0
    indicator = float(s[0, generic - 1] / s[0, 0] / (typical or 1.0)) if generic and s[0, 0] > 0 else 0.0
    task = Task(name, J[0], rank, generic, manipulability, indicator, lost)
    if not task.is_singular:
        return task, []
    what = (
        f"{name} cannot move along {listed([vector_text(v / np.linalg.norm(v)) for v in lost])} here (world axes): the "
        f"rank of its Jacobian is {rank}, usually {generic}"
    )
    why = (
        f"no combination of {listed(cloud.names)} gives that velocity; manipulability {number(manipulability)}. The "
        "mechanism itself may be regular here: this is a singularity of the task"
    )
    evidence = {"rank": rank, "generic_rank": generic, "manipulability": manipulability}
    return task, [Finding("task-singularity", (name,), indicator, SINGULAR, what, why, {"lost": lost}, evidence)]


def _task_function(cloud: Cloud, thing: Place) -> tuple[str, NativeFunction]:
    """Name of a task, and the Jacobian of its velocity (and angular velocity for a body), compiled."""
    kernel, d = cloud.kernel, cloud.kernel.dynamics
    if isinstance(thing, Point):
        owner, point, turns = f"the point {tuple(thing.position)} of {thing.frame.name}", thing, False
    elif isinstance(thing, Particle):
        owner, point, turns = thing.name, thing.origin, False
    else:
        frame: Frame = thing.frame if isinstance(thing, Body) else thing
        owner, point, turns = frame.name, Point(frame, (0, 0, 0)), True
    key = f"task {point.frame.name} {tuple(point.position)} {turns}"

    def compiled() -> NativeFunction:
        motion = d.full.motion
        rows = [*motion.velocity(point.frame, motion.position(point)), *(motion.omega(point.frame) if turns else ())]
        return kernel.custom("task", [x for row in jacobian(d.impose(rows), d.v) for x in row])

    return owner, kernel.keep(key, compiled)


def _through(cloud: Cloud, J: Vector, state: Vector) -> Vector:
    """The Jacobian in dimensionless velocities, those that the constraints forbid left out."""
    if not cloud.m:
        return np.asarray(J / cloud.metric)
    Z = cloud.allowed(state) * cloud.metric[:, None]
    return cloud.left_of(J / cloud.metric @ Z @ Z.T, J / cloud.metric)


# --- actuators ---------------------------------------------------------------------------------------


def actuation_of(
    cloud: Cloud, y: Vector, names: Iterable[str] | None, chart_is_singular: bool, locked: int
) -> tuple[Actuation | None, list[Finding]]:
    """T(q) of all loads and inputs (or of those named), here and usually; where the chart is singular, nearby.

    Nothing is said where the loss of rank is that of ``locked`` single loads, which have findings of their own.
    """
    symbols = [str(symbol) for symbol in cloud.kernel.model.driving]
    wanted = [k for k, name in enumerate(symbols) if names is None or _is_meant(name, names, cloud)]
    if not wanted or not cloud.n:
        return None, []
    here = cloud.around(NEARBY, FIRST) if chart_is_singular else cloud.timed(y)[None]
    states = np.concatenate([here, cloud.nearby])
    T = cloud.batch("actuation", states).reshape(len(states), cloud.n, len(symbols))[:, :, wanted]
    rows = np.array([_through(cloud, one, state) for one, state in zip(T.transpose(0, 2, 1), states, strict=True)])
    columns = np.sqrt(np.mean(np.sum(rows**2, axis=2), axis=0))
    used = np.where(columns > 0, columns, 1.0)
    u, s, _ = np.linalg.svd(rows / used[:, None], full_matrices=True)
    largest = float(np.max(s, initial=0.0)) or 1.0
    ranks = np.sum(s > SINGULAR * largest, axis=1)
    best = int(np.argmax(ranks[: len(here)]))
    generic, rank = int(np.max(ranks)), int(ranks[best])
    indicator = float(s[best, generic - 1]) / largest if generic else 1.0
    idle = _usual_part(u[best][:, rank:], rows[len(here) :] / used[:, None], generic - rank)
    idle = simplest(idle / used[:, None], used).T
    idle /= np.max(np.abs(idle), axis=1, keepdims=True, initial=1e-300)
    chosen = tuple(symbols[k] for k in wanted)
    found = Actuation(chosen, T[best], rank, generic, indicator, idle)
    if generic - rank <= locked:
        return found, []
    combos = [combination(one, chosen) for one in idle]
    what = (
        f"{listed([f'the combination {one}' if one.startswith('(') else one.removeprefix('of ') for one in combos])} "
        f"moves nothing here: the actuation matrix T(q) has rank {rank}, usually {generic}"
    )
    why = (
        f"the columns of T(q) = dQ/du of {listed(chosen)} are linearly dependent here; "
        f"{plural(generic - rank, 'direction')} of acceleration cannot be commanded"
    )
    note = Finding("actuation-singularity", chosen, indicator, SINGULAR, what, why, {"idle": idle})
    return found, [note]


def _usual_part(null: Vector, usual: Vector, count: int) -> Vector:
    """Of the columns of ``null``, the ``count`` combinations that matrices ``usual`` (count, rows, n) feel most."""
    if count <= 0:
        return null[:, :0]
    response = np.einsum("ij,kil->jkl", null, usual).reshape(null.shape[1], -1)
    turned, _, _ = np.linalg.svd(response, full_matrices=False)
    return np.asarray(null @ turned[:, :count])


def _is_meant(name: str, names: Iterable[str], cloud: Cloud) -> bool:
    loads = {str(symbol): load.name for load in cloud.kernel.model.loads for symbol in load.symbols}
    return name in set(names) or loads.get(name) in set(names)
