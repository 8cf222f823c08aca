"""The diagnosis of one configuration: coordinates, loads, constraints and stops, judged one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel, Magnitudes
from cardan.diagnosis.findings import Actuation, Carrier, Diagnosis, Finding, Place, Task, VelocitiesOf
from cardan.diagnosis.indicators import SINGULAR
from cardan.diagnosis.judges.boundary import BoundaryJudge
from cardan.diagnosis.judges.carriers import numbers_of
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.judges.constraints import NOTHING, ConstraintJudge
from cardan.diagnosis.judges.coordinates import CoordinateJudge
from cardan.diagnosis.judges.directions import actuation_of, lost_loads, task_of
from cardan.diagnosis.judges.loads import LoadJudge, LoadVerdict, given_magnitudes
from cardan.diagnosis.judges.screws import Screw, screws_of_motions
from cardan.diagnosis.patience import in_time, undecided
from cardan.diagnosis.words import listed
from cardan.equations.flatness import FLAT
from cardan.errors import SingularityError
from cardan.graph import jacobian
from cardan.model.frames import Frame, Point
from cardan.native.deadline import OutOfTime
from cardan.trajectory.extent import model_extent

Vector = NDArray[np.float64]


def diagnose(
    kernel: Kernel, y: Vector, t: float, p: Vector, loads: Magnitudes | None, task: Place | None = None
) -> Diagnosis:
    """What is singular at the state y, why, and what it means; judges that time did not suffice for are named."""
    if loads is not None:
        given_magnitudes(kernel.model, loads)  # an unknown name is refused also where no load can be judged
    if not kernel.nv:
        return _nothing_moves()
    late: dict[str, OutOfTime] = {}
    cloud = Cloud(kernel, y, t, p)
    coordinates = CoordinateJudge(cloud).verdict(y)
    constraints = NOTHING
    if kernel.m:
        constraints = in_time(late, "the constraints", lambda: ConstraintJudge(cloud, y).verdict(), NOTHING)
    judge = LoadJudge(cloud)
    is_singular = bool(coordinates.findings)
    judged = in_time(late, "the loads", lambda: judge.verdict(y, loads, is_singular), LoadVerdict())
    stopped: tuple[list[Finding], list[Finding]] = ([], [])
    closed, closing = in_time(late, "the stops", lambda: BoundaryJudge(cloud).findings(y), stopped)
    main = undecided(kernel.model.name, late)
    tasked: tuple[Task | None, list[Finding]] = (None, [])
    if task is not None:
        tasked = in_time(late, "the task", lambda: task_of(cloud, y, task), tasked)
    notes = [*judged.notes, *constraints.notes]
    if loads is None and not kernel.model.judged and not constraints.findings:
        notes += in_time(late, "lost directions of loads", lambda: lost_loads(cloud, judge, y, is_singular), [])
    chosen = None if loads is None else list(loads)
    driven: tuple[Actuation | None, list[Finding]] = (None, [])
    locked = len(judged.findings)
    driven = in_time(late, "the actuators", lambda: actuation_of(cloud, y, chosen, is_singular, locked), driven)
    rank, generic = (
        (constraints.indicator.rank, constraints.indicator.generic_rank) if constraints.indicator else (0, 0)
    )
    is_counted = "the constraints" not in late
    indicators = {"basis": coordinates.indicator.kappa}
    indicators |= {f"load {name}": eta for name, eta in judged.indicators.items()}
    if constraints.indicator:
        indicators["constraints"] = constraints.kappa
    if driven[0] is not None:
        indicators["actuation"] = driven[0].indicator
    return Diagnosis(
        findings=(*coordinates.findings, *judged.findings, *constraints.findings, *closed, *main),
        near=(*coordinates.near, *judged.near, *constraints.near, *closing),
        notes=(*notes, *tasked[1], *driven[1], *(() if main else undecided(kernel.model.name, late))),
        basis_rank=coordinates.indicator.rank,
        constraint_rank=rank if is_counted else None,
        generic_rank=generic if is_counted else None,
        configuration_dof=kernel.nv - cloud.holonomic_rank(),
        velocity_dof=kernel.nv - rank if is_counted else None,
        redundant=constraints.redundant,
        reactions=constraints.reactions,
        determined=constraints.combinations,
        indicators=indicators,
        task=tasked[0],
        actuation=driven[0],
        velocities_of=_velocities_of(cloud, y),
        screws_of=_screws_of(cloud, y),
    )


def too_late(name: str, out: OutOfTime) -> Diagnosis:
    """The diagnosis where not even the coordinates were judged in time."""
    return _unjudged(undecided(name, {"everything": out}))


def undefined_contact(names: Sequence[str]) -> Diagnosis:
    """The diagnosis where discs lie flat: their constraints have no direction, so that nothing else can be judged."""
    what = f"{listed(names)} lies flat: every point of the rim touches, so that the point of rolling is undefined"
    why = (
        "the direction of steepest descent in the plane of the disc, along which its contact lies, vanishes here. "
        "Rolling motions end here; a floor that the disc may leave, s.contact(...), lets it rest"
    )
    return _unjudged((Finding("undefined-contact", tuple(names), 0.0, FLAT, what, why),))


def _unjudged(findings: tuple[Finding, ...]) -> Diagnosis:
    """The diagnosis where nothing can be counted, for a reason that is found."""

    def refuse(*asked: object) -> NoReturn:
        raise SingularityError(f"Motions are not known here: {findings[0].what}.", findings=findings)

    return replace(
        _nothing_moves(),
        findings=findings,
        basis_rank=None,
        constraint_rank=None,
        generic_rank=None,
        configuration_dof=None,
        velocity_dof=None,
        velocities_of=refuse,
        screws_of=refuse,
    )


def _nothing_moves() -> Diagnosis:
    """The diagnosis of a system whose motion is wholly prescribed."""
    return Diagnosis(
        findings=(),
        near=(),
        notes=(),
        basis_rank=0,
        constraint_rank=0,
        generic_rank=0,
        configuration_dof=0,
        velocity_dof=0,
        redundant=NOTHING.redundant,
        reactions={},
        determined=(),
        indicators={},
        task=None,
        actuation=None,
        velocities_of=lambda body, point: np.zeros((6, 0)),
        screws_of=lambda body: [],
    )


def _velocities_of(cloud: Cloud, y: Vector) -> VelocitiesOf:
    """A function (body, point) -> basis of its allowable velocities (v over w), world components."""

    def found(body: Carrier, point: Point | Sequence[float] | None) -> Vector:
        d = cloud.kernel.dynamics
        frame: Frame = body if isinstance(body, Frame) else body.frame
        place = point if isinstance(point, Point) else Point(frame, tuple(point) if point is not None else (0, 0, 0))
        motion = d.full.motion
        rows = d.impose([*motion.velocity(frame, motion.position(place)), *motion.omega(frame)])
        J = numbers_of(cloud, y, [x for row in jacobian(rows, d.v) for x in row]).reshape(6, cloud.n)
        free = J / cloud.metric  # as if nothing were constrained: what is small beside it is rounding
        sizes = np.repeat([np.linalg.norm(free[:3]) or 1.0, np.linalg.norm(free[3:]) or 1.0], 3)
        u, s, _ = np.linalg.svd((J @ cloud.allowed(y) if cloud.m else free) / sizes[:, None], full_matrices=False)
        largest = np.linalg.norm(free / sizes[:, None], ord=2) if free.size else 0.0
        return np.asarray(u[:, : int(np.sum(s > SINGULAR * largest))] * sizes[:, None])

    return found


def _screws_of(cloud: Cloud, y: Vector) -> Callable[[Carrier], list[Screw]]:
    """A function body -> its motions as screws."""
    velocities = _velocities_of(cloud, y)

    def found(body: Carrier) -> list[Screw]:
        frame: Frame = body if isinstance(body, Frame) else body.frame
        place = numbers_of(cloud, y, cloud.kernel.dynamics.full.lifted.point(frame, (0, 0, 0)))
        return screws_of_motions(velocities(frame, None), place, model_extent(cloud.kernel, y, cloud.t))

    return found
