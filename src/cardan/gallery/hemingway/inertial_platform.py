"""The platform of a craft in three or four gimbals (H14): equations by hand, lock, and how to avoid it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy as sp

import cardan as cd
from cardan.diagnosis.findings import Task
from cardan.gallery.comparing import agreement, near, same
from cardan.gallery.entry import Check
from cardan.gallery.sampling import Array
from cardan.model.bodies import Body
from cardan.model.frames import Frame

PI = np.pi
GIMBAL, PLATFORM = 0.05, 0.2  # moments of inertia, of spheres
NAMES, AXES = ("roll", "outer", "inner", "platform"), "xzxz"
STIFF, DAMPED, GYRO = 8.0, 2.0, 4.0  # of the fourth motor, and of the three that hold the platform
PITCH, LASTS = 0.2, 2 * PI  # the craft pitches at a steady rate, and rolls by a quarter turn to and fro


@dataclass(frozen=True)
class Suspension:
    """The system and its bodies from the craft inwards, with the axis on which each of them turns."""

    system: cd.System
    bodies: tuple[Body, ...]
    axes: tuple[cd.Vector, ...]


@cache
def suspension(gimbals: int) -> Suspension:
    """On a craft that rolls to and fro and pitches; motors, and a `disturbance` across the innermost gimbal."""
    s = cd.System(f"inertial platform in {gimbals} gimbals")
    pitch, swing, middle = s.parameters(pitch=PITCH, swing=PI / 2, middle=LASTS / 2)
    rolled = s.frame("rolled", joint=cd.Revolute("x", swing * (1 - sp.cos(s.time)) / 2))
    carrier: Frame | Body = s.frame("craft", joint=cd.Revolute("y", pitch * (s.time - middle)), parent=rolled)
    names, letters = NAMES[4 - gimbals :], AXES[4 - gimbals :]
    angles = s.coordinates(" ".join(f"q_{name}" for name in names), on="S1")
    bodies: list[Body] = []
    axes: list[cd.Vector] = []
    for name, letter, angle in zip(names, letters, angles, strict=True):
        axes.append(carrier.x if letter == "x" else carrier.z)
        inertia = PLATFORM if name == "platform" else GIMBAL
        body = s.body(name, inertia=inertia, parent=carrier, joint=cd.Revolute(letter, angle))
        s.moment(f"motor_{name}", on=body, along=axes[-1], against=bodies[-1] if bodies else None)
        bodies.append(body)
        carrier = body
    s.moment("disturbance", on=bodies[-1], along=bodies[-2].y)
    return Suspension(s, tuple(bodies), tuple(axes))


def turned(letter: str, angle: float) -> Array:
    """The rotation about one of the axes x, y, z."""
    k = "xyz".index(letter)
    i, j = (k + 1) % 3, (k + 2) % 3
    R = np.eye(3)
    R[[i, j], [i, j]], R[j, i], R[i, j] = np.cos(angle), np.sin(angle), -np.sin(angle)
    return R


def craft_at(t: float) -> tuple[Array, Array, Array]:
    """R, w and wd of the craft."""
    e_1, roll, rate, change = np.eye(3)[0], PI / 4 * (1 - np.cos(t)), PI / 4 * np.sin(t), PI / 4 * np.cos(t)
    R = turned("x", roll)
    w = rate * e_1 + PITCH * R[:, 1]
    wd = change * e_1 + np.cross(rate * e_1, PITCH * R[:, 1])
    return R @ turned("y", PITCH * (t - LASTS / 2)), w, wd


def by_hand(q: Array, v: Array, t: float, torques: Sequence[float] | Array, disturbance: float) -> Array:
    """Accelerations from the balance of everything within each gimbal about its axis n_i:

    n_i . sum over k >= i of lambda_k wd_k = torque_i + n_i . disturbance, for bodies whose inertia is that of a sphere.
    """
    n, (R, w, wd) = len(q), craft_at(t)
    axes, drift, push = [], [], np.zeros(3)
    for letter, angle, rate in zip(AXES[4 - n :], q, v, strict=True):
        push, axis = disturbance * R[:, 1], R[:, "xyz".index(letter)]  # the last one: across the innermost gimbal
        wd = wd + rate * np.cross(w, axis)
        w, R = w + rate * axis, R @ turned(letter, angle)
        axes.append(axis)
        drift.append(wd)
    lam = np.array([GIMBAL] * (n - 1) + [PLATFORM])
    M = [[axes[i] @ axes[j] * lam[max(i, j) :].sum() for j in range(n)] for i in range(n)]
    rest = [axes[i] @ sum(lam[k] * drift[k] for k in range(i, n)) for i in range(n)]
    return np.linalg.solve(M, np.array(torques) + np.array(axes) @ push - rest)


def platform_inertias() -> Iterator[Check]:
    """Three and four gimbals on a craft that rolls and pitches: the balances about the axes, at random states."""
    draw = np.random.default_rng(14)
    for gimbals in (3, 4):
        held = suspension(gimbals)
        kernel, pairs = held.system.compile(), []
        for _ in range(8):
            q, v, torques = draw.uniform(-3, 3, gimbals), draw.uniform(-2, 2, gimbals), draw.uniform(-1, 1, gimbals)
            t, push = float(draw.uniform(0, 3)), float(draw.uniform(-1, 1))
            loads = {f"motor_{name}": one for name, one in zip(NAMES[4 - gimbals :], torques, strict=True)}
            found = kernel.acceleration(q, v, t, loads={**loads, "disturbance": push})
            pairs.append((found, by_hand(q, v, t, torques, push)))
        yield agreement(f"{gimbals} gimbals with inertia on a turning craft", "section 1, balances of 6.3", pairs)


def task_of(s: cd.System, q: list[float], body: Body) -> Task:
    """What the gimbals can do about the velocity of the platform."""
    found = s.diagnose(q, task=body).task
    assert found is not None  # a task was asked for
    return found


def craft() -> Iterator[Check]:
    """Three gimbals in one plane lose a direction; a fourth one, kept across, gives it back."""
    three = suspension(3)
    s, body = three.system, three.bodies[-1]
    flat = task_of(s, [0.0, 0.0, 0.3], body)
    yield same("directions held by three gimbals in a plane", "section 1", (flat.rank, flat.generic_rank), (2, 3))
    lost = flat.lost[0][3:]
    yield near("the lost one is normal to the plane", "section 1", np.abs(lost / np.linalg.norm(lost)), [0.0, 1.0, 0.0])
    kinds = s.diagnose([0.2, 0.0, 0.3], loads={"disturbance": 1.0}).kinds
    yield same("a disturbance along it", "section 1", kinds, {"gimbal-lock"})
    pairs = []
    for rates in ([0.0, 0.0, 0.0], [0.7, -0.4, 0.9]):
        run = s.simulate(1e-3, q=[0.0, 0.0, 0.3], v=rates)
        pairs.append((run.omega(body, expressed_in="world")[0][1], 0.2))
    yield agreement("the locked platform turns with the craft, at 0.2 rad/s", "section 1", pairs)
    four = suspension(4)
    s, body = four.system, four.bodies[-1]
    yield same("with a fourth gimbal across the others", "section 1", task_of(s, [0.0, PI / 2, 0.0, 0.3], body).rank, 3)
    yield same("with all four in a plane", "section 1", task_of(s, [0.0, 0.0, 0.0, 0.3], body).rank, 2)


def motors(held: Suspension) -> dict[str, sp.Expr]:
    """Gyros on the platform: each motor works against the platform's rate about its axis. The fourth one, on the craft,
    follows the inner gimbal, so that this stays at 90 degrees and the three inner axes at right angles."""
    rate = held.bodies[-1].omega
    inner = held.system.model.q[-2]
    loads = {
        f"motor_{body.name}": -GYRO * rate.dot(axis)
        for body, axis in zip(held.bodies[-3:], held.axes[-3:], strict=True)
    }
    if len(held.bodies) == 4:
        loads["motor_roll"] = STIFF * (inner - sp.pi / 2) + DAMPED * inner.dot
    return loads


@cache
def controlled(gimbals: int) -> cd.Run:
    """The craft rolls by 90 degrees and back, while it pitches; the platform begins at rest, axes at right angles."""
    held = suspension(gimbals)
    q, v = [0.0] * (gimbals - 3) + [0.0, PI / 2, 0.0], [0.0] * (gimbals - 1) + [PITCH]
    return held.system.simulate(
        LASTS, q=q, v=v, loads=motors(held), rtol=1e-9, atol=1e-11, times=np.linspace(0, LASTS, 201)
    )


def tilt_of(run: cd.Run) -> Array:
    """How far the platform has turned from where it began, in degrees."""
    R = run.rotation("platform")
    turn = np.einsum("ji,tjk->tik", R[0], R)
    return np.asarray(np.degrees(np.arccos(np.clip((np.trace(turn, axis1=1, axis2=2) - 1) / 2, -1, 1))))


def scheme() -> Iterator[Check]:
    """Four gimbals under control keep three axes at right angles and the platform still; three lock and lose it."""
    four, three = controlled(4), controlled(3)
    apart = np.abs(np.degrees(four["q_inner"]) - 90.0)
    yield same("three axes stay within 3 degrees of right angles", "section 1", bool(apart.max() < 3.0), True)
    yield same("and the platform within 3 degrees", "section 1", bool(tilt_of(four).max() < 3.0), True)
    angles = three["q_inner"]
    yield same("three gimbals come into one plane", "section 1", bool(angles.min() < 0.0 < angles.max()), True)
    yield same("and turn the platform by more than 20 degrees", "section 1", bool(tilt_of(three).max() > 20.0), True)
    for gimbals, run in ((4, four), (3, three)):
        pairs = []
        for k in range(0, 201, 20):
            q, v, t = run.q[k], run.v[k], float(run.t[k])
            pairs.append((run.acceleration[k], by_hand(q, v, t, torques_by_hand(q, v, t), 0.0)))
        yield agreement(
            f"the run of {gimbals} gimbals obeys the balances about the axes", "section 1", pairs, within=1e-9,
            because="accelerations of up to 50 rad/s^2 from a stiff control law",
        )  # fmt: skip


def torques_by_hand(q: Array, v: Array, t: float) -> list[float]:
    """The law of ``motors``, in numbers."""
    n, (R, w, _), axes = len(q), craft_at(t), []
    for letter, angle, rate in zip(AXES[4 - n :], q, v, strict=True):
        axes.append(R[:, "xyz".index(letter)])
        w, R = w + rate * axes[-1], R @ turned(letter, angle)
    inner = [-GYRO * float(axis @ w) for axis in axes[-3:]]
    return [*([STIFF * (q[2] - PI / 2) + DAMPED * v[2]] if n == 4 else []), *inner]
