"""Closed mechanisms in Drake: a MultibodyPlant whose loops are closed in one of the two ways its documentation offers.

Defaults: a discrete plant with ball constraints, solved by SAP. Best: a continuous plant with the loops closed by stiff
bushings, as in Drake's own four-bar example, and an error-controlled Runge-Kutta integrator; the stiffer the bushings
and the finer the accuracy, the closer to the mechanism. (Its integrator CENIC refuses ball constraints in 1.51.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.mechanism import GROUND, Case, Mechanism, points, states_of_tree

SETTINGS = {"defaults": "Drake, discrete SAP (defaults)", "best": "Drake, bushings, RK5(3)"}
ACCURACY = 30.0  # divided by the stiffness of the bushings in N/m: 1e-4 at 3e5 N/m
DAMPED = 0.02  # of the bushings' critical damping for an average link


def diagram_of(mechanism: Mechanism, time_step: float, stiffness: float) -> tuple[Any, Any, list[Any]]:
    """A diagram, the plant in it, and its joints in the order of the links; no stiffness: ball constraints."""
    from pydrake.math import RigidTransform
    from pydrake.multibody import tree
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step)
    plant.mutable_gravity_field().set_gravity_vector(mechanism.gravity)
    anything = tree.SpatialInertia.MakeFromCentralInertia(1.0, np.zeros(3), tree.RotationalInertia(1.0, 1.0, 1.0))
    anchor = plant.AddRigidBody("anchor", anything)  # Drake 1.51 crashes on a ball constraint of the world itself
    plant.WeldFrames(plant.world_frame(), anchor.body_frame())
    bodies: list[Any] = []
    joints = []

    def body_of(link: int) -> Any:
        return anchor if link == GROUND else bodies[link]

    def frame(name: str, link: int, at: Any) -> Any:
        place = RigidTransform(np.array(at, dtype=float))
        return plant.AddFrame(tree.FixedOffsetFrame(name, body_of(link).body_frame(), place))

    for k, link in enumerate(mechanism.links):
        inertia = tree.RotationalInertia(*link.inertia)
        body = plant.AddRigidBody(f"b{k}", tree.SpatialInertia.MakeFromCentralInertia(link.mass, link.com, inertia))
        kind = tree.PrismaticJoint if link.slides else tree.RevoluteJoint
        joint = kind(f"j{k}", frame(f"f{k}", link.parent, link.at), body.body_frame(), link.axis)
        joints.append(plant.AddJoint(joint))
        bodies.append(body)
    mass = float(np.mean([link.mass for link in mechanism.links]))
    for k, pin in enumerate(points(mechanism)):
        if stiffness:
            ends = frame(f"p{k}", pin.first, pin.at_first), frame(f"q{k}", pin.second, pin.at_second)
            none, damping = np.zeros(3), np.full(3, DAMPED * 2 * np.sqrt(stiffness * mass))
            element = tree.LinearBushingRollPitchYaw(*ends, none, none, np.full(3, stiffness), damping)
            plant.AddForceElement(element)
        else:
            ends = {"p_AP": np.array(pin.at_first), "p_BQ": np.array(pin.at_second)}
            plant.AddBallConstraint(body_A=body_of(pin.first), body_B=body_of(pin.second), **ends)
    for spring in mechanism.springs:
        between = bodies[spring.link], np.array(spring.at), anchor, np.array(spring.ground)
        plant.AddForceElement(tree.LinearSpringDamper(*between, spring.length, spring.stiffness, 0.0))
    if mechanism.drive:
        plant.AddJointActuator("drive", joints[0])
    plant.Finalize()
    return builder.Build(), plant, joints


def case(mechanism: Mechanism, setting: str, amount: float, outputs: int) -> Case:
    """The motion; ``amount`` is the time step, or the stiffness of the bushings."""
    from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig

    discrete = setting == "defaults"
    step, stiffness = (amount, 0.0) if discrete else (0.0, amount)
    diagram, plant, joints = diagram_of(mechanism, step, stiffness)
    order = [joint.position_start() for joint in joints]
    rates = [joint.velocity_start() for joint in joints]
    simulators: list[Any] = []

    def before() -> None:
        simulators[:] = [Simulator(diagram)]
        context = plant.GetMyMutableContextFromRoot(simulators[0].get_mutable_context())
        if not discrete:
            config = SimulatorConfig(integration_scheme="runge_kutta5", accuracy=ACCURACY / stiffness)
            ApplySimulatorConfig(config, simulators[0])
        if mechanism.drive:
            plant.get_actuation_input_port().FixValue(context, [mechanism.drive])
        q, v = np.zeros(plant.num_positions()), np.zeros(plant.num_velocities())
        q[order], v[rates] = mechanism.q, mechanism.v
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        simulators[0].Initialize()

    def work() -> Any:
        context = plant.GetMyMutableContextFromRoot(simulators[0].get_mutable_context())
        rows = [(np.array(mechanism.q), np.array(mechanism.v))]
        for k in range(outputs):
            simulators[0].AdvanceTo(mechanism.span * (k + 1) / outputs)
            rows.append((plant.GetPositions(context)[order], plant.GetVelocities(context)[rates]))
        return rows

    return Case(before, work, lambda rows: states_of_tree(mechanism, *map(np.array, zip(*rows, strict=True))))
