"""Closed mechanisms in Exudyn: rigid bodies in absolute coordinates, every joint a constraint.

Planar mechanisms use its bodies and joints for the plane. Defaults: generalized-alpha with spectral radius 0.9 and
index 3 constraints, modified Newton. Best: the trapezoidal rule with index 2 constraints, which does not damp.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.mechanism import GROUND, Case, Link, Mechanism, States, frames, states_of_tree

SETTINGS = {"defaults": "Exudyn, generalized-alpha (defaults)", "best": "Exudyn, trapezoidal index 2"}


def system_of(mechanism: Mechanism) -> tuple[Any, list[tuple[int, ...]]]:
    """The assembled system, and sensors for position, rotation, velocity and angular velocity of each body."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # how Exudyn is asked for its version without range checks
    import exudyn as exu
    from exudyn.utilities import RigidBodyInertia, SensorBody

    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.CreateGround()
    start = states_of_tree(mechanism, mechanism.q, mechanism.v)
    bodies = []
    for k, link in enumerate(mechanism.links):
        bodies.append(
            mbs.CreateRigidBody(
                inertia=RigidBodyInertia(mass=link.mass, inertiaTensor=np.diag(link.inertia)),
                referencePosition=start.x[0, k],
                referenceRotationMatrix=start.R[0, k],
                initialVelocity=start.v[0, k],
                initialAngularVelocity=start.w[0, k],
                gravity=list(mechanism.gravity),
                create2D=mechanism.planar,
            )
        )

    def number(link: int) -> int:
        return ground if link == GROUND else bodies[link]

    placed = frames(mechanism, mechanism.q, mechanism.v)
    for k, link in enumerate(mechanism.links):
        origin, R = placed[k][0][0], placed[k][1][0]
        _hinge(mbs, mechanism, number(link.parent), bodies[k], link, origin, R)
    for pin in mechanism.pins:
        o, R = placed[pin.first][:2]
        at, ends = o[0] + R[0] @ np.array(pin.at_first), [number(pin.first), number(pin.second)]
        if mechanism.hinged:
            mbs.CreateRevoluteJoint(itemNumbers=ends, position=at, axis=[0, 0, 1], useGlobalFrame=True)
        else:
            _ball(mbs, mechanism, *ends, at)
    for spring in mechanism.springs:
        at = np.array(spring.at) - np.array(mechanism.links[spring.link].com)
        mbs.CreateSpringDamper(
            itemNumbers=[bodies[spring.link], ground],
            localPosition0=at,
            localPosition1=list(spring.ground),
            referenceLength=spring.length,
            stiffness=spring.stiffness,
            damping=0.0,
        )
    if mechanism.drive:
        mbs.CreateTorque(itemNumber=bodies[0], loadVector=[0, 0, mechanism.drive])
    kinds = exu.OutputVariableType
    wanted = (kinds.Position, kinds.RotationMatrix, kinds.Velocity, kinds.AngularVelocity, kinds.Rotation)
    sensors = [
        tuple(
            mbs.AddSensor(SensorBody(bodyNumber=body, storeInternal=True, writeToFile=False, outputVariableType=kind))
            for kind in wanted
        )
        for body in bodies
    ]
    mbs.Assemble()
    return mbs, sensors


def _marker(mbs: Any, body: int, at: Any, *, rigid: bool) -> Any:
    """A marker on a body at a point given in the world."""
    import exudyn as exu
    from exudyn.utilities import MarkerBodyPosition, MarkerBodyRigid

    kinds, reference = exu.OutputVariableType, exu.ConfigurationType.Reference
    here = np.array(mbs.GetObjectOutputBody(body, kinds.Position, [0, 0, 0], reference))
    R = np.array(mbs.GetObjectOutputBody(body, kinds.RotationMatrix, [0, 0, 0], reference)).reshape(3, 3)
    kind = MarkerBodyRigid if rigid else MarkerBodyPosition
    return mbs.AddMarker(kind(bodyNumber=body, localPosition=R.T @ (np.array(at) - here)))


def _hinge(mbs: Any, mechanism: Mechanism, parent: int, body: int, link: Link, at: Any, R: Any) -> None:
    """The joint of a link: for the plane, or in space."""
    from exudyn.utilities import ObjectJointPrismatic2D

    if not mechanism.planar:
        axis = R @ np.array(link.axis)
        mbs.CreateRevoluteJoint(itemNumbers=[parent, body], position=at, axis=axis, useGlobalFrame=True)
    elif link.slides:
        markers = [_marker(mbs, one, at, rigid=True) for one in (parent, body)]
        normal = [-link.axis[1], link.axis[0], 0.0]
        mbs.AddObject(ObjectJointPrismatic2D(markerNumbers=markers, axisMarker0=list(link.axis), normalMarker1=normal))
    else:
        _ball(mbs, mechanism, parent, body, at)


def _ball(mbs: Any, mechanism: Mechanism, first: int, second: int, at: Any) -> None:
    """Two bodies share a point."""
    from exudyn.utilities import ObjectJointRevolute2D

    if mechanism.planar:
        markers = [_marker(mbs, one, at, rigid=False) for one in (first, second)]
        mbs.AddObject(ObjectJointRevolute2D(markerNumbers=markers))
    else:
        mbs.CreateSphericalJoint(itemNumbers=[first, second], position=at, useGlobalFrame=True)


def case(mechanism: Mechanism, setting: str, step: float, outputs: int) -> Case:
    """The motion at a time step, by Exudyn's own solver in C++."""
    import exudyn as exu

    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(mechanism.span / step)
    settings.timeIntegration.endTime = mechanism.span
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = mechanism.span / outputs
    kinds = exu.DynamicSolverType
    kind = kinds.GeneralizedAlpha if setting == "defaults" else kinds.TrapezoidalIndex2
    ready: list[tuple[Any, list[tuple[int, ...]]]] = []

    def before() -> None:
        ready[:] = [system_of(mechanism)]

    def work() -> Any:
        if not ready[0][0].SolveDynamic(settings, solverType=kind, showHints=False):
            raise RuntimeError("Exudyn's solver gave up")
        return ready[0]

    return Case(before, work, lambda solved: _states(*solved, mechanism))


def _states(mbs: Any, sensors: list[tuple[int, ...]], mechanism: Mechanism) -> States:
    """What the sensors have stored; angular velocities of planar bodies have one component."""
    columns = [[np.atleast_2d(mbs.GetSensorStoredData(one))[:, 1:] for one in body] for body in sensors]
    x, R, v, w, angle = (np.stack(part, axis=1) for part in zip(*columns, strict=True))
    if w.shape[2] == 1:
        w = np.concatenate([np.zeros((*w.shape[:2], 2)), w], axis=2)
    turned = np.unwrap(angle[:, 0, -1]) if mechanism.planar else np.zeros(len(x))
    return States(x, R.reshape(*R.shape[:2], 3, 3), v, w, turned)
