"""One file: how it loads, what its own programs say to it, and how far the quantities of both differ."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

import cardan as cd
from cardan.codegen.compiled import Kernel
from cardan.errors import CardanError
from tools.robot_files.sources import RobotFile

Matrix = NDArray[np.float64]
STATES = 20
MOST_COMPARED = 60  # velocities; larger models take minutes to compile for all quantities
AGREED = 1e-10  # of the largest entry


class Outcome(TypedDict, total=False):
    """What became of a file."""

    package: str
    name: str
    kind: str
    how: str  # the options that loaded it, "refused", or "crashed"
    why: str
    peer: str  # what the program that knows the format best says
    nv: int
    off: dict[str, float]  # the largest difference of each quantity, of its largest entry
    left: str  # why nothing was compared


def attempts(one: RobotFile) -> Iterable[tuple[str, dict[str, object]]]:
    """Options in the order in which a user would try them."""
    root = {"root": one.root}
    yield "default", {}
    yield "`root=`", root
    yield "`repair=True`", {"repair": True}
    yield "`repair=True`, `root=`", {"repair": True, **root}
    yield "`restitution=None`", {"restitution": None}
    yield "`leave_out=True`", {"leave_out": True}
    yield "`leave_out=True`, `root=`", {"leave_out": True, **root}
    yield "all options", {"repair": True, "leave_out": True, "restitution": None, **root}


def tried(one: RobotFile, *, compare: bool) -> Outcome:
    """What becomes of one file."""
    kind = one.path.suffix[1:]
    found = Outcome(package=one.package, name=one.name, kind="mjcf" if kind == "xml" else kind)
    found["peer"] = peer(one.path)
    warnings.simplefilter("ignore")
    for how, options in attempts(one):
        try:
            system = cd.load(one.path, **options)  # type: ignore[arg-type]  # options by name
        except CardanError as problem:
            found["how"], found["why"] = "refused", _reason(problem)
            continue
        except TimeoutError:
            raise
        except Exception as problem:
            found["how"], found["why"] = "crashed", repr(problem)[:200]
            return found
        found["how"], found["nv"] = how, len(system.model.v)
        if compare:
            _compare(found, one, options)
        return found
    return found


def _reason(problem: CardanError) -> str:
    said = str(getattr(problem, "problem", "") or problem.evidence.get("problem", "") or problem)
    return " ".join(said.split())[:160]


# --- other programs --------------------------------------------------------------------------------


def peer(path: Path) -> str:
    """Whether Pinocchio (URDF), MuJoCo (MJCF) or Drake (SDF) loads a file."""
    try:
        if path.suffix == ".urdf":
            import pinocchio

            return f"loads, nv {pinocchio.buildModelFromUrdf(str(path)).nv}"
        if path.suffix == ".sdf":
            return f"loads, nv {_drake(path)[0].num_velocities()}"
        import mujoco

        if b"<robot" in path.read_bytes()[:4000]:
            return "not asked"
        return f"loads, nv {mujoco.MjModel.from_xml_path(str(path)).nv}"
    except Exception as problem:
        return f"refuses: {' '.join(str(problem).split())[:120]}"


def _drake(path: Path) -> tuple[object, object]:
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    parser.package_map().PopulateFromFolder(str(path.parent))
    parser.AddModels(str(path))
    plant.Finalize()
    return plant, plant.CreateDefaultContext()


def _compare(found: Outcome, one: RobotFile, options: dict[str, object]) -> None:
    """The largest differences at twenty states, where the other program has the same model."""
    nv = found["nv"]
    if not found["peer"].startswith("loads"):
        found["left"] = "the other program refuses it"
    elif not 0 < nv <= MOST_COMPARED:
        found["left"] = "nothing moves" if not nv else f"more than {MOST_COMPARED} velocities"
    else:
        pair = {"urdf": _with_pinocchio, "sdf": _with_drake}.get(found["kind"], _with_mujoco)
        asked = {**options, "restitution": None}
        if found["kind"] == "urdf":
            asked["inertia"] = "as-is"
        try:
            found["off"] = pair(one.path, asked)
        except TimeoutError:
            raise
        except _OtherModelError as problem:
            found["left"] = str(problem)
        except Exception as problem:
            found["left"] = f"{type(problem).__name__}: {' '.join(str(problem).split())[:120]}"


class _OtherModelError(Exception):
    """Both programs do not have the same model."""


def _largest(off: dict[str, float], name: str, own: Matrix, other: Matrix, least: float = 1e-12) -> None:
    """Keep the largest difference of the largest entry, or of ``least`` where everything vanishes."""
    size = max(least, float(np.max(np.abs(other), initial=0.0)), float(np.max(np.abs(own), initial=0.0)))
    off[name] = max(off.get(name, 0.0), float(np.max(np.abs(own - other), initial=0.0)) / size)


def _with_pinocchio(path: Path, options: dict[str, object]) -> dict[str, float]:
    import pinocchio as pin

    system = cd.load(path, **options)  # type: ignore[arg-type]
    k: Kernel = system.compile().ideal
    try:
        model = pin.buildModelFromUrdf(str(path), mimic=True)
    except TypeError:
        model = pin.buildModelFromUrdf(str(path))
    if model.nv != k.nv or k.m:
        raise _OtherModelError(f"Pinocchio has {model.nv} velocities, here are {k.nv} (joints that follow others)")
    data, order, rng = model.createData(), k.order("pinocchio"), np.random.default_rng(0)
    names = [f.name for f in model.frames if f.type == pin.FrameType.BODY and f.name in dict(system.bodies)]
    off: dict[str, float] = {}
    for _ in range(STATES):
        q_pin = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
        v_pin, a_pin = rng.normal(size=(2, model.nv))
        q = order.from_q(q_pin)
        T = order.matrix(q)
        v = order.from_v(q, v_pin)
        a = order.from_v(q, a_pin - order.a(q, v, np.zeros(k.nv)))
        tau = T.T @ pin.rnea(model, data, q_pin, v_pin, a_pin)
        M = np.reshape(pin.crba(model, data, q_pin), (model.nv, model.nv))
        M = np.triu(M) + np.triu(M, 1).T
        _largest(off, "M", k.crba(q), T.T @ M @ T)
        _largest(off, "bias", k.rnea(q, v, -(T.T @ (order.a(q, v, np.zeros(k.nv))))),
                 T.T @ pin.rnea(model, data, q_pin, v_pin, np.zeros(model.nv)), float(np.max(np.abs(M))))  # fmt: skip
        _largest(off, "RNEA", k.rnea(q, v, a), tau)
        _largest(off, "ABA", k.aba(q, v, tau), a)
        found = k.centroidal(q, v)
        theirs = np.reshape(pin.computeCentroidalMap(model, data, q_pin), (6, -1))
        if theirs.shape[1] == k.nv:  # with joints that follow others Pinocchio has a column for each of them
            _largest(off, "centroidal", found.matrix, theirs @ T)
        for frame in names[-1:]:
            J = pin.computeFrameJacobian(model, data, q_pin, model.getFrameId(frame), pin.LOCAL_WORLD_ALIGNED)
            _largest(off, "Jacobian", k.jacobian(system[frame], q), np.reshape(J, (6, -1)) @ T)
        if model.nv == model.nvExtended and not any(piece.kind == "free" for piece in order.pieces):
            _derivatives(off, k, pin, model, data, (q, v, a, q_pin, v_pin, a_pin), T)
    return off


def _derivatives(
    off: dict[str, float], k: Kernel, pin: object, model: object, data: object, at: tuple[Matrix, ...], T: Matrix
) -> None:
    q, v, a, q_pin, v_pin, a_pin = at
    pin.computeRNEADerivatives(model, data, q_pin, v_pin, a_pin)
    found = k.derivatives(q, v, a)
    inertia = float(np.max(np.abs(found.tau_a)))
    _largest(off, "derivatives", found.tau_q, T.T @ np.reshape(data.dtau_dq, T.shape) @ T, inertia)
    _largest(off, "derivatives", found.tau_v, T.T @ np.reshape(data.dtau_dv, T.shape) @ T, inertia)
    tau = pin.rnea(model, data, q_pin, v_pin, a_pin)
    pin.computeABADerivatives(model, data, q_pin, v_pin, tau)
    scale = np.linalg.cond(found.tau_a)  # what solving with M costs both
    if scale < 1e6:
        _largest(off, "derivatives", found.a_q, T.T @ np.reshape(data.ddq_dq, T.shape) @ T, 1.0)
        _largest(off, "derivatives", found.a_v, T.T @ np.reshape(data.ddq_dv, T.shape) @ T, 1.0)


def _with_mujoco(path: Path, options: dict[str, object]) -> dict[str, float]:
    """Without constraints, contacts and actuators; accelerations where nothing rubs and nothing was left out."""
    import mujoco

    system = cd.load(path, **{**options, "actuators": False})  # type: ignore[arg-type]
    whole: Kernel = system.compile()
    k = whole.ideal
    model = mujoco.MjModel.from_xml_path(str(path))
    if model.nv != k.nv:
        raise _OtherModelError(f"MuJoCo has {model.nv} velocities, here are {k.nv}")
    flags = mujoco.mjtDisableBit
    model.opt.disableflags |= int(flags.mjDSBL_CONSTRAINT) | int(flags.mjDSBL_ACTUATION)
    model.opt.density = model.opt.viscosity = 0.0
    data, order, rng = mujoco.MjData(model), k.order("mujoco"), np.random.default_rng(0)
    is_whole = not whole.m and not system.model.rubbing and not options.get("leave_out")
    off: dict[str, float] = {}
    for _ in range(STATES):
        mujoco.mj_resetData(model, data)
        mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 0.5)
        data.qvel[:] = rng.normal(size=model.nv)
        mujoco.mj_forward(model, data)
        q = order.from_q(data.qpos)
        T, v = order.matrix(q), order.from_v(q, data.qvel)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        _largest(off, "M", k.crba(q), T.T @ M @ T)
        inertia = float(np.max(np.abs(M)))  # the force of a unit acceleration
        if not system.model.rubbing and not whole.m:
            _largest(off, "bias", whole.rnea(q, v, np.zeros(k.nv)), T.T @ (data.qfrc_bias - data.qfrc_passive), inertia)
        if is_whole:
            _largest(off, "acceleration", whole.acceleration(q, v), T.T @ data.qacc, 1.0)
        _jacobian(off, k, system, mujoco, model, data, q, T)
    return off


def _with_drake(path: Path, options: dict[str, object]) -> dict[str, float]:
    """The rows of hinges and slides, by the names of the joints; free bodies rest where the file puts them."""
    system = cd.load(path, **options)  # type: ignore[arg-type]
    k: Kernel = system.compile().ideal
    plant, context = _drake(path)
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    single = [one for one in joints if one.num_velocities() == 1]
    own = {str(symbol): n for n, symbol in enumerate(system.model.q)}
    named = [(one, system.renamed.get(one.name(), one.name())) for one in single]
    pairs = [(one, own[name]) for one, name in named if name in own]
    if not pairs or k.m:
        raise _OtherModelError("Drake has no joint of one freedom in common, or the model has loops")
    rng, off = np.random.default_rng(0), dict[str, float]()
    rest = [1.0 if n in k.quaternions else 0.0 for n in range(k.nq)]
    rows = [at for _, at in pairs]
    for _ in range(STATES):
        q = np.array(rest)
        for joint, at in pairs:
            q[at] = rng.uniform(-1, 1)
            move = joint.set_angle if hasattr(joint, "set_angle") else joint.set_translation
            move(context, q[at])
        M = plant.CalcMassMatrix(context)
        theirs = [joint.velocity_start() for joint, _ in pairs]
        _largest(off, "M", k.crba(q)[np.ix_(rows, rows)], M[np.ix_(theirs, theirs)])
        weight = -plant.CalcGravityGeneralizedForces(context)[theirs]
        _largest(off, "bias", k.rnea(q, np.zeros(k.nv), np.zeros(k.nv))[rows], weight)
    return off


def _jacobian(
    off: dict[str, float], k: Kernel, system: cd.System, mujoco: object, model: object, data: object, q: Matrix,
    T: Matrix,
) -> None:  # fmt: skip
    body = model.nbody - 1
    name = model.body(body).name
    if not name or name not in dict(system.bodies):
        return
    linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jacBody(model, data, linear, angular, body)
    _largest(off, "Jacobian", k.jacobian(system[name], q), np.vstack([linear, angular]) @ T)
