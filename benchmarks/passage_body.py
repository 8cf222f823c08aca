"""A torque-free body that passes exactly through the singular orientation of its angles, in every tool.

Whatever the angles, the motion is the same, R(t) = S r(t), with S the orientation in which the
tool's angles are singular (3-1-3: no tilt; roll-pitch-yaw: pitched by 90 degrees), reached at half time. Tools that
keep quaternions have nothing to pass, by construction.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.mechanism import Case, Table, turned_by

INERTIA = np.array([1.0, 2.0, 2.5])
SPIN = np.array([1.0, 0.4, 0.3])  # along the body's axes, at the singular orientation
SPAN = 10.0
X, Y, Z = np.eye(3)
UPRIGHT, PITCHED = np.eye(3), turned_by(Y, np.pi / 2)
SETTINGS = {
    ("cardan", "angles"): "Cardan, 3-1-3 angles",
    ("cardan", "typed"): "Cardan, 3-1-3 angles, chart='typed'",
    ("exudyn", "defaults"): "Exudyn, Euler parameters, generalized-alpha (defaults)",
    ("exudyn", "angles"): "Exudyn, Tait-Bryan angles, generalized-alpha",
    ("exudyn", "best"): "Exudyn, Euler parameters, trapezoidal index 2",
    ("mujoco", "defaults"): "MuJoCo, ball joint (quaternion, defaults)",
    ("mujoco", "best"): "MuJoCo, ball joint, RK4",
    ("mujoco", "angles"): "MuJoCo, three hinges, RK4",
    ("drake", "defaults"): "Drake, free body (quaternion), discrete",
    ("drake", "best"): "Drake, free body, RK5(3)",
    ("drake", "angles"): "Drake, roll-pitch-yaw joint, RK5(3)",
    ("pinocchio", "defaults"): "Pinocchio, spherical (quaternion), semi-implicit Euler",
    ("pinocchio", "best"): "Pinocchio, spherical, RK4",
    ("pinocchio", "angles"): "Pinocchio, spherical ZYX, RK4",
}
AT_TOLERANCE = {("cardan", "angles"), ("cardan", "typed"), ("drake", "best"), ("drake", "angles")}  # not at a step


class Turning(NamedTuple):
    """Orientations and angular velocities along the body's axes, at every output time."""

    R: Table
    w: Table


def quaternion_of(R: Table) -> Table:
    """(w, x, y, z)."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array([w, x, y, z])


def matrix_of(q: Any) -> Table:
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=float), -1, 0) / np.linalg.norm(q, axis=-1)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]  # fmt: skip
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def _rate(t: float, y: Table) -> Table:
    q, w = y[:4], y[4:]
    wd = -np.cross(w, INERTIA * w) / INERTIA
    return np.concatenate([_quaternion_rate(q, w), wd])


def _quaternion_rate(q: Table, w: Table) -> Table:
    a, v = q[0], q[1:]
    return np.concatenate([[-(v @ w) / 2], (a * w + np.cross(v, w)) / 2])


def exact(outputs: int) -> Turning:
    """r(t) and the angular velocity, by SciPy on a quaternion, from the middle both ways."""
    times = np.linspace(-SPAN / 2, SPAN / 2, outputs + 1)
    middle = np.concatenate([[1.0, 0, 0, 0], SPIN])
    options: Any = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-13}
    half = outputs // 2
    back = solve_ivp(_rate, (0, times[0]), middle, t_eval=times[: half + 1][::-1], **options).y.T[::-1]
    ahead = solve_ivp(_rate, (0, times[-1]), middle, t_eval=times[half:], **options).y.T
    rows = np.concatenate([back, ahead[1:]])
    return Turning(matrix_of(rows[:, :4]), rows[:, 4:])


def errors(found: Turning, outputs: int) -> tuple[float, float]:
    """(largest angle between the orientations and the exact ones, largest relative change of energy)."""
    right = exact(outputs)
    S = found.R[0] @ right.R[0].T
    off = np.linalg.norm(found.R - S @ right.R, axis=(1, 2)) / np.sqrt(2.0)  # 2 sin(half the angle)
    E = np.sum(INERTIA * found.w**2, axis=1) / 2
    return float(np.max(2 * np.arcsin(np.minimum(off / 2, 1.0)))), float(np.max(np.abs(E - E[0])) / E[0])


# --- tools ----------------------------------------------------------------------------------------------------------


def case(tool: str, setting: str, amount: float, outputs: int) -> Case:
    """One way to run the body; ``amount`` is the time step, or the tolerance."""
    start = exact(outputs)
    makers = {"cardan": _cardan, "exudyn": _exudyn, "mujoco": _mujoco, "drake": _drake, "pinocchio": _pinocchio}
    return makers[tool](setting, amount, outputs, start.R[0], start.w[0])


def euler_313(R: Table, w: Table) -> tuple[Table, Table]:
    """Angles of Rz(a) Rx(b) Rz(c), and their rates."""
    b = np.arccos(np.clip(R[2, 2], -1, 1))
    q = np.array([np.arctan2(R[0, 2], -R[1, 2]), b, np.arctan2(R[2, 0], R[2, 1])])
    return q, np.linalg.solve(_axes_313(q).T, w)


def _axes_313(q: Table) -> Table:
    """Axes of the three turns, along the body's axes; one row each."""
    after = turned_by(Z, q[2])
    return np.array([(turned_by(X, q[1]) @ after).T @ Z, after.T @ X, Z])


def _read_313(rows: Any) -> Turning:
    q, v = (np.array(part) for part in zip(*rows, strict=True))
    R = turned_by(Z, q[:, 0]) @ turned_by(X, q[:, 1]) @ turned_by(Z, q[:, 2])
    return Turning(R, np.array([_axes_313(a).T @ b for a, b in zip(q, v, strict=True)]))


def _cardan(setting: str, rtol: float, outputs: int, R: Table, w: Table) -> Case:
    import cardan as cd

    s = cd.System("body")
    angles = s.coordinates("psi theta phi", on="S1")
    body = s.body("B", mass=1, inertia=tuple(INERTIA), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    q, v = euler_313(R, w)
    times = np.linspace(0, SPAN, outputs + 1)
    options = {"chart": "typed"} if setting == "typed" else {}

    def work() -> Any:
        return s.simulate(SPAN, q=q, v=v, times=times, rtol=rtol, atol=1e-3 * rtol, **options)

    if setting != "typed":
        work()
    return Case(lambda: None, work, lambda run: Turning(run.rotation(body), run.omega(body)))


def _mujoco(setting: str, step: float, outputs: int, R: Table, w: Table) -> Case:
    import mujoco

    hinges = "".join(f'<joint type="hinge" axis="{axis}"/>' for axis in ("0 0 1", "1 0 0", "0 0 1"))
    joints = hinges if setting == "angles" else '<joint type="ball"/>'
    rk4 = "" if setting == "defaults" else 'integrator="RK4"'
    inertia = " ".join(map(repr, INERTIA.tolist()))
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco><option timestep="{step!r}" gravity="0 0 0" {rk4}/>
          <worldbody><body>{joints}<inertial pos="0 0 0" mass="1" diaginertia="{inertia}"/></body></worldbody>
        </mujoco>""")
    data = mujoco.MjData(model)
    each = round(SPAN / step / outputs)

    def before() -> None:
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = euler_313(R, w) if setting == "angles" else (quaternion_of(R), w)

    def work() -> Any:
        rows = [(data.qpos.copy(), data.qvel.copy())]
        for _ in range(outputs):
            mujoco.mj_step(model, data, nstep=each)
            rows.append((data.qpos.copy(), data.qvel.copy()))
        return rows

    return Case(before, work, _read_313 if setting == "angles" else _read_quaternions)


def _read_quaternions(rows: Any) -> Turning:
    q, w = (np.array(part) for part in zip(*rows, strict=True))
    return Turning(matrix_of(q), w)


def _exudyn(setting: str, step: float, outputs: int, R: Table, w: Table) -> Case:
    import sys

    sys.exudynFast = True  # type: ignore[attr-defined]  # how Exudyn is asked for its version without range checks
    import exudyn as exu
    from exudyn.utilities import RigidBodyInertia, SensorBody

    nodes = exu.NodeType
    kind = nodes.RotationRxyz if setting == "angles" else nodes.RotationEulerParameters
    S = PITCHED if setting == "angles" else UPRIGHT
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(SPAN / step)
    settings.timeIntegration.endTime = SPAN
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = SPAN / outputs
    solvers = exu.DynamicSolverType
    solver = solvers.TrapezoidalIndex2 if setting == "best" else solvers.GeneralizedAlpha
    ready: list[Any] = []

    def before() -> None:
        mbs = exu.SystemContainer().AddSystem()
        body = mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=1.0, inertiaTensor=np.diag(INERTIA)),
            referenceRotationMatrix=S @ R,
            initialAngularVelocity=S @ R @ w,
            nodeType=kind,
        )
        kinds = exu.OutputVariableType
        sensors = [mbs.AddSensor(SensorBody(bodyNumber=body, storeInternal=True, writeToFile=False,
                                            outputVariableType=one))
                   for one in (kinds.RotationMatrix, kinds.AngularVelocityLocal)]  # fmt: skip
        mbs.Assemble()
        ready[:] = [mbs, sensors]

    def work() -> Any:
        if not ready[0].SolveDynamic(settings, solverType=solver, showHints=False):
            raise RuntimeError("Exudyn's solver gave up")
        return ready

    def states(done: Any) -> Turning:
        R_found, w_found = (np.atleast_2d(done[0].GetSensorStoredData(one))[:, 1:] for one in done[1])
        return Turning(R_found.reshape(-1, 3, 3), w_found)

    return Case(before, work, states)


def _drake(setting: str, amount: float, outputs: int, R: Table, w: Table) -> Case:
    from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
    from pydrake.multibody import tree
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
    from pydrake.systems.framework import DiagramBuilder

    discrete = setting == "defaults"
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, amount if discrete else 0.0)
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, 0.0])
    inertia = tree.RotationalInertia(*INERTIA)
    body = plant.AddRigidBody("B", tree.SpatialInertia.MakeFromCentralInertia(1.0, np.zeros(3), inertia))
    joint = None
    if setting == "angles":
        joint = plant.AddJoint(tree.BallRpyJoint("j", plant.world_frame(), body.body_frame()))
    plant.Finalize()
    diagram = builder.Build()
    S = PITCHED if joint is not None else UPRIGHT
    simulators: list[Any] = []

    def before() -> None:
        simulators[:] = [Simulator(diagram)]
        context = plant.GetMyMutableContextFromRoot(simulators[0].get_mutable_context())
        if not discrete:
            config = SimulatorConfig(integration_scheme="runge_kutta5", accuracy=amount, max_step_size=0.1)
            ApplySimulatorConfig(config, simulators[0])
        if joint is None:
            plant.SetFreeBodyPose(context, body, RigidTransform(RotationMatrix(S @ R), np.zeros(3)))
            plant.SetFreeBodySpatialVelocity(body, SpatialVelocity(S @ R @ w, np.zeros(3)), context)
        else:
            joint.set_angles(context, RollPitchYaw(RotationMatrix(S @ R)).vector())
            joint.set_angular_velocity(context, S @ R @ w)
        simulators[0].Initialize()

    def work() -> Any:
        context = plant.GetMyMutableContextFromRoot(simulators[0].get_mutable_context())
        rows = []
        for k in range(outputs + 1):
            simulators[0].AdvanceTo(SPAN * k / outputs)
            R_now = plant.EvalBodyPoseInWorld(context, body).rotation().matrix()
            rows.append((R_now, R_now.T @ plant.EvalBodySpatialVelocityInWorld(context, body).rotational()))
        return rows

    return Case(before, work, lambda rows: Turning(*(np.array(part) for part in zip(*rows, strict=True))))


def _pinocchio(setting: str, step: float, outputs: int, R: Table, w: Table) -> Case:
    import pinocchio as pin

    model = pin.Model()
    model.gravity = pin.Motion(np.zeros(3), np.zeros(3))
    angles = setting == "angles"
    kind = pin.JointModelSphericalZYX() if angles else pin.JointModelSpherical()
    joint = model.addJoint(0, kind, pin.SE3.Identity(), "j")
    model.appendBodyToJoint(joint, pin.Inertia(1.0, np.zeros(3), np.diag(INERTIA)), pin.SE3.Identity())
    data, none = model.createData(), np.zeros(3)
    each = round(SPAN / step / outputs)
    if angles:
        R = PITCHED @ R
        q0 = np.array([np.arctan2(R[1, 0], R[0, 0]), -np.arcsin(np.clip(R[2, 0], -1, 1)), np.arctan2(R[2, 1], R[2, 2])])
        v0 = np.linalg.solve(_axes_zyx(q0).T, w)
    else:
        a, x, y, z = quaternion_of(R)
        q0, v0 = np.array([x, y, z, a]), w

    def rate(q: Any, v: Any) -> tuple[Any, Any]:
        vd = pin.aba(model, data, q, v, none).copy()
        return (v, vd) if angles else (np.roll(_quaternion_rate(np.roll(q, 1), v), -1), vd)

    def euler(q: Any, v: Any) -> Any:
        v = v + step * rate(q, v)[1]
        return pin.integrate(model, q, step * v), v

    def rk4(q: Any, v: Any) -> Any:
        q1, v1 = rate(q, v)
        q2, v2 = rate(q + step / 2 * q1, v + step / 2 * v1)
        q3, v3 = rate(q + step / 2 * q2, v + step / 2 * v2)
        q4, v4 = rate(q + step * q3, v + step * v3)
        q = q + step / 6 * (q1 + 2 * q2 + 2 * q3 + q4)
        return (q if angles else q / np.linalg.norm(q)), v + step / 6 * (v1 + 2 * v2 + 2 * v3 + v4)

    def work() -> Any:
        advance = euler if setting == "defaults" else rk4
        q, v = q0.copy(), v0.copy()
        rows = [(q, v)]
        for _ in range(outputs):
            for _ in range(each):
                q, v = advance(q, v)
            rows.append((q, v))
        return rows

    def states(rows: Any) -> Turning:
        q, v = (np.array(part) for part in zip(*rows, strict=True))
        if not angles:
            return Turning(matrix_of(np.roll(q, 1, axis=1)), v)
        R_found = turned_by(Z, q[:, 0]) @ turned_by(Y, q[:, 1]) @ turned_by(X, q[:, 2])
        return Turning(R_found, np.array([_axes_zyx(a).T @ b for a, b in zip(q, v, strict=True)]))

    return Case(lambda: None, work, states)


def _axes_zyx(q: Table) -> Table:
    """Axes of the three turns Rz Ry Rx, along the body's axes; one row each."""
    after = turned_by(X, q[2])
    return np.array([(turned_by(Y, q[1]) @ after).T @ Z, after.T @ Y, X])
