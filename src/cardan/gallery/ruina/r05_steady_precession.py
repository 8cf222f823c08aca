"""R5: steady precession of an axisymmetric body, free, and as a heavy top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Ordered, Tolerances
from cardan.gallery.pictures import panels, smooth
from cardan.gallery.printed import rows
from cardan.gallery.ruina.vectors import about
from cardan.gallery.sampling import letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

M, G, H = 0.5, 9.81, 0.08  # mass, gravity, height of the centre of mass above the pivot
I1, I3 = 0.006, 0.001  # about the pivot
THETA, FAST = 0.5, 150.0  # above the horizontal; spin
K = np.array([0.0, 0.0, 1.0])
UPRIGHT = [1.0, 0.0, 0.0, 0.0]
TIGHT: Tolerances = {"rtol": 1e-11, "atol": 1e-13}


def system() -> cd.System:
    """A top on a fixed pivot, its orientation by a quaternion; moments given about the pivot."""
    s = cd.System("heavy top")
    m, g, h, i1, i3 = s.parameters(m=M, g=G, h=H, I1=I1, I3=I3)
    inertia = (i1 - m * h**2, i1 - m * h**2, i3)
    s.body("top", mass=m, inertia=inertia, com=(0, 0, h), joint=cd.Ball(cd.Quaternion("e")))
    s.gravity(-g * s.world.z)
    return s


def precession(spin: float, theta: float) -> list[float]:
    """Both w_p of mgh = I3 ws wp + (I3 - I1) wp^2 sin(theta), the slow one first."""
    roots = np.roots([(I3 - I1) * np.sin(theta), I3 * spin, -M * G * H])
    return sorted((float(x.real) for x in roots), key=abs)


def start(theta: float, spin: float, turning: float) -> Ordered:
    """The axis at an angle theta above the horizontal, w = wp k + ws e_3, in the body's axes."""
    tilt = np.pi / 2 - theta
    R = about([0, 1, 0], tilt)
    w = R.T @ (turning * K) + np.array([0, 0, spin])
    return {"q": [np.cos(tilt / 2), 0.0, np.sin(tilt / 2), 0.0], "v": w.tolist()}


def checks(s: cd.System) -> Iterator[Check]:
    yield from free_body()
    yield from torque()
    yield from top_formula()
    yield from top_families()
    threshold = cd.critical_value(lambda spin: s.linearize(UPRIGHT, [0, 0, spin]), 50.0, 200.0)
    yield near(
        "a sleeping top wakes at sqrt(4 mgh I1) / I3", "4/22", threshold, np.sqrt(4 * M * G * H * I1) / I3, within=1e-9,
        because="eigenvalues that meet are known to the root of rounding, their threshold better",
    )  # fmt: skip
    slow = precession(FAST, THETA)[0]
    run = s.simulate(3.0, **start(THETA, FAST, slow), **TIGHT)
    yield near(
        "the axis goes round a cone at the slow rate", "4/22", *cone(run, slow), within=1e-7, because="1e4 times rtol"
    )


def by_angles(gravity: bool = True, moments: tuple[float, float] = (I1, I3)) -> cd.System:
    """In Euler angles 3-2-3, two of which are ignorable; moments about the point that stays."""
    s = cd.System("heavy top by Euler angles" if gravity else "free body by Euler angles")
    phi, tilt, psi = s.coordinates("phi tilt psi")
    m, g, h, i1, i3 = s.parameters(m=M, g=G, h=H, I1=moments[0], I3=moments[1])
    com, own = ((0, 0, h), i1 - m * h**2) if gravity else ((0, 0, 0), i1)
    s.body("top", mass=m, inertia=(own, own, i3), com=com, joint=cd.Ball(cd.Euler("3-2-3", phi, tilt, psi)))
    if gravity:
        s.gravity(-g * s.world.z)
    return s


def free_body() -> Iterator[Check]:
    """ws/wp = (I1/I3 - 1) cos(theta), theta from the precession axis, for every steady motion that precesses."""
    for (a, c), theta in (((0.8, 0.3), 0.4), ((0.4, 0.7), 1.1), ((0.5, 1.0), 2.0)):
        found = by_angles(False, (a, c)).steady_families(hold={"tilt": theta}, seeds=24, members=30)
        turning = [one for one in found if np.any(one["phi_dot"] != 0)]
        yield same(f"families of free steady motions, tilt {theta}", "3/6", (len(found), len(turning)), (2, 1))
        wp, ws = turning[0]["phi_dot"], turning[0]["psi_dot"]
        yield near(
            f"torque-free ratio of spin and precession, tilt {theta}", "3/6", ws, (a / c - 1) * np.cos(theta) * wp
        )
    plate = by_angles(False, (0.5, 1.0)).steady_families(hold={"tilt": 1e-3}, seeds=6, members=30)
    wobbling = next(one for one in plate if np.any(one["phi_dot"] != 0))
    wp, ws = wobbling["phi_dot"], wobbling["psi_dot"]
    total = np.sqrt(wp**2 + 2 * wp * ws * np.cos(1e-3) + ws**2)
    yield near(
        "a wobbling plate wobbles at twice its rate", "3/6, boxed", np.abs(wp), 2 * total, within=1e-5,
        because="theta^2 = 1e-6",
    )  # fmt: skip


def torque() -> Iterator[Check]:
    """3/6, question 1: M = wp n x (ws I3 e3 + wp sin(theta) I1 e1 + wp cos(theta) I3 e3), n = sin e1 + cos e3.

    Without it the motion would not be steady, and H is along n only where the torque-free ratio holds.
    """
    body = cd.System("axisymmetric body")
    a, c, turning = body.parameters(a=0.8, c=0.3, turning=1.0)
    thing = body.body("body", mass=1.0, inertia=(a, a, c), joint=cd.Ball(cd.Quaternion("e")))
    body.moment("M", on=thing, along=body.frame("precessing", joint=cd.Revolute("z", turning * body.time)).y)
    H, draw = body.angular_momentum(about=body.world.origin), np.random.default_rng(36)
    needed, momenta, steady = [], [], []
    along: list[Pair] = []
    for (i1, i3), theta, wp, ws in (
        (moments, *one)
        for moments in ((0.8, 0.3), (0.4, 0.7))
        for one in draw.uniform(0.2, 1.4, (3, 3)) * [1.0, 2.0, 4.0]
    ):
        s, R = body.with_values(a=i1, c=i3, turning=wp), about([0, 1, 0], theta)
        n, e_3 = R.T @ K, np.array([0.0, 0.0, 1.0])  # along the axes of the body, at the start
        momentum = np.array([wp * n[0] * i1, 0.0, (ws + wp * n[2]) * i3])
        printed = wp * np.cross(n, momentum)
        q = [np.cos(theta / 2), 0.0, np.sin(theta / 2), 0.0]
        needed.append((s.compile().inverse_dynamics(q, ws * e_3 + wp * n, ws * wp * np.cross(n, e_3)), printed))
        run = s.simulate(0.5, q=q, v=ws * e_3 + wp * n, loads={"M": printed[1]}, rtol=1e-10, atol=1e-12)
        steady.append((run.rotation("body")[:, :, 2], [about(K, wp * t) @ R[:, 2] for t in run.t]))
        momenta.append((run.evaluate(H)[0], R @ momentum))
        alone = s.simulate(0.5, q=q, v=(i1 / i3 - 1) * np.cos(theta) * wp * e_3 + wp * n, rtol=1e-10, atol=1e-12)
        along.append((np.cross(K, alone.evaluate(H)), np.zeros((len(alone), 3))))
        along.append((float(np.linalg.norm(np.cross(K, run.evaluate(H)[0]))) > 1e-3, True))
    yield agreement("torque of any steady precession", "3/6, question 1", needed)
    yield agreement("with it the axis goes round a cone", "3/6, question 1", steady, within=1e-8, because="100 rtol")
    yield agreement("its angular momentum", "3/6, H", momenta)
    yield agreement("along n at the torque-free ratio only", "3/6, question 2", along, within=1e-8, because="100 rtol")


def top_families() -> Iterator[Check]:
    """All steady precessions at a tilt, found without a guess: two families, each with both branches and a fold."""
    families = by_angles().steady_families(hold={"tilt": np.pi / 2 - THETA}, seeds=8, members=60)
    yield same("families of steady precession, one for each sense of spin", "4/22", len(families), 2)
    least = float(np.sqrt(4 * M * G * H * (I1 - I3) * np.sin(THETA)) / I3)
    for one in families:
        wp, ws = one["phi_dot"], one["psi_dot"]
        left = I3 * ws * wp + (I3 - I1) * wp**2 * np.sin(THETA)
        yield near(
            "every member: mgh = I3 ws wp + (I3 - I1) wp^2 sin(theta)", "4/22, last line", left, M * G * H + 0 * wp
        )
        turn = int(np.argmin(np.abs(ws)))
        slow, fast = np.abs(wp[0]) < np.abs(wp[turn]), np.abs(wp[-1]) > np.abs(wp[turn])
        yield same("slow and fast branch meet", "4/22", 0 < turn < len(ws) - 1 and bool(slow == fast), True)
        yield near(
            "none below sqrt(4 mgh (I1 - I3) sin(theta)) / I3", "4/22", np.abs(ws).min(), least, within=1e-3,
            because="the member next to the fold, steps of 0.04 squared",
        )  # fmt: skip
        yield same("and all are stable (Routh)", "4/22", {m.stability.kind for m in one.members}, {"Routh"})


def top_formula() -> Iterator[Check]:
    """In Euler angles 3-2-3 the row of the tilt, at a steady motion, is cos(theta) times the printed equation."""
    s = by_angles()
    phi, tilt, psi = s.model.q
    m, g, h, i1, i3 = letters(s, "m g h I1 I3")
    wp, ws = phi.dot, psi.dot
    still = {tilt.dot: 0, phi.ddot: 0, tilt.ddot: 0, psi.ddot: 0}
    row = rows(s.equations()).subs(still)
    # theta is above the horizontal, tilt from the vertical: sin(theta) = cos(tilt), cos(theta) = sin(tilt)
    printed = (i3 * ws * wp + (i3 - i1) * wp**2 * cos(tilt) - m * g * h) * sin(tilt)
    yield identity("mgh = I3 ws wp + (I3 - I1) wp^2 sin(theta)", "4/22, last line", row, [0, printed, 0])


def cone(run: cd.Run, rate: float) -> Pair:
    """Directions of the axis, and the cone with the angle rate t."""
    angle = rate * run.t
    flat = np.cos(THETA) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return run.rotation("top")[:, :, 2], np.column_stack([flat, np.full(len(run), np.sin(THETA))])


def picture(run: cd.Run) -> Figure:
    """Paths of the tip for three starts, seen from above, and the heights."""
    s, slow = system(), precession(FAST, THETA)[0]
    starts = {"steady": slow, "let go at rest: cusps": 0.0, "pushed back: loops": -slow}
    with panels("tip of the top from above", "angle above the horizontal", size=(9.0, 4.0)) as (figure, (path, angle)):
        for name, turning in starts.items():
            at = smooth(s.simulate(2.0, **start(THETA, FAST, turning)))
            x, y, z = at.rotation("top")[:, :, 2].T
            path.plot(x, y, lw=1.2, label=name)
            angle.plot(at.t, np.degrees(np.arcsin(z)), lw=1.2)
        path.set(xlabel="x", ylabel="y", aspect="equal", xlim=(-1, 1), ylim=(-1, 1))
        angle.set(xlabel="time [s]", ylabel=r"$\theta$ [degrees]")
        figure.legend(*path.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9)
    return figure


ENTRY = Entry(
    id="R5",
    where="lectures 3/4, 3/6 and 4/22 (precessing top)",
    lesson=(
        "In steady precession the angular momentum has a constant length in a frame that turns with the axis, so its "
        "whole rate of change is wp n x H, and the torque must equal that and nothing else. Without torque H lies "
        "along the precession axis, which ties spin to precession; for a flat plate thrown with a small tilt the "
        "ratio says that it wobbles twice while it turns once. With the torque of gravity the same balance is "
        "quadratic in the precession, so that a fast top has two steady motions at every tilt, and one that spins "
        "too slowly has none. A top let go at rest does neither: it falls a little first, and nods."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.0, **start(THETA, FAST, precession(FAST, THETA)[0])},
    picture=picture,
    caption="One top, three starts: only the right rate of precession keeps the tilt.",
)
