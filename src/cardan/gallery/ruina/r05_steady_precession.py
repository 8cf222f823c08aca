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

if TYPE_CHECKING:
    from matplotlib.figure import Figure

M, G, H = 0.5, 9.81, 0.08  # mass, gravity, height of the centre of mass above the pivot
I1, I3 = 0.006, 0.001  # about the pivot
THETA, FAST = 0.5, 150.0  # above the horizontal; spin
K = np.array([0.0, 0.0, 1.0])
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
    yield agreement("torque-free ratio of spin and precession", "3/6, boxed", free_ratio())
    yield near(
        "a wobbling plate wobbles at twice its rate", "3/6, boxed", *plate(), within=1e-5, because="theta^2 = 1e-6"
    )
    yield from top_formula()
    yield agreement("both precessions are steady", "4/22, last line", steady(s))
    slow = precession(FAST, THETA)[0]
    run = s.simulate(3.0, **start(THETA, FAST, slow), **TIGHT)
    yield near(
        "the axis goes round a cone at the slow rate", "4/22", *cone(run, slow), within=1e-7, because="1e4 times rtol"
    )
    yield same("a top of 20 rad/s has none", "4/22", lazy(s), True, because="every rate leaves more than 1 rad/s^2")


def free_ratio() -> Iterator[Pair]:
    """ws/wp = (I1/I3 - 1) cos(theta), theta from the precession axis: the rate of H in the body is then zero."""
    for (a, c), theta in (((0.8, 0.3), 0.4), ((0.4, 0.7), 1.1), ((0.5, 1.0), 2.0)):
        s = cd.System("free axisymmetric body")
        s.body("body", mass=1.0, inertia=(a, a, c), joint=cd.Ball(cd.Quaternion("e")))
        wp = 2.0
        ws = (a / c - 1) * np.cos(theta) * wp
        n = about([0, 1, 0], theta).T @ K  # the precession axis in the body at the start
        wd = s.compile().acceleration([np.cos(theta / 2), 0, np.sin(theta / 2), 0], wp * n + [0, 0, ws])
        # in the precessing frame w is constant: seen from the body, which turns by ws about e_3, wd = w x ws e_3
        yield wd, np.cross(wp * n, [0, 0, ws])


def plate() -> Pair:
    """Precession rate of a flat disk, theta = 1e-3, over its angular velocity, by the turning of its axis."""
    s = cd.System("plate")
    s.body("plate", mass=1.0, inertia=(0.5, 0.5, 1.0), joint=cd.Ball(cd.Quaternion("e")))
    theta, wp = 1e-3, 2.0
    ws = -wp / 2
    w = wp * (about([0, 1, 0], theta).T @ K) + [0, 0, ws]
    run = s.simulate(1.0, q=[np.cos(theta / 2), 0, np.sin(theta / 2), 0], v=w, **TIGHT)
    axis = run.rotation("plate")[:, :, 2]
    turned = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    return (turned[-1] - turned[0]) / np.linalg.norm(w), 2.0


def top_formula() -> Iterator[Check]:
    """In Euler angles 3-2-3 the row of the tilt, at a steady motion, is cos(theta) times the printed equation."""
    s = cd.System("heavy top by Euler angles")
    phi, tilt, psi = s.coordinates("phi tilt psi")
    m, g, h, i1, i3 = s.parameters(m=M, g=G, h=H, I1=I1, I3=I3)
    inertia = (i1 - m * h**2, i1 - m * h**2, i3)
    s.body("top", mass=m, inertia=inertia, com=(0, 0, h), joint=cd.Ball(cd.Euler("3-2-3", phi, tilt, psi)))
    s.gravity(-g * s.world.z)
    wp, ws = phi.dot, psi.dot
    still = {tilt.dot: 0, phi.ddot: 0, tilt.ddot: 0, psi.ddot: 0}
    row = rows(s.equations()).subs(still)
    # theta is above the horizontal, tilt from the vertical: sin(theta) = cos(tilt), cos(theta) = sin(tilt)
    printed = (i3 * ws * wp + (i3 - i1) * wp**2 * cos(tilt) - m * g * h) * sin(tilt)
    yield identity("mgh = I3 ws wp + (I3 - I1) wp^2 sin(theta)", "4/22, last line", row, [0, printed, 0])


def steady(s: cd.System) -> Iterator[Pair]:
    """wd of both steady motions, and (wp n) x (ws e_3) as seen from the body."""
    kernel = s.compile()
    for theta in (0.5, -0.3):
        for wp in precession(FAST, theta):
            at = start(theta, FAST, wp)
            n = np.array(at["v"]) - [0, 0, FAST]
            yield kernel.acceleration(at["q"], at["v"]), np.cross(n, [0, 0, FAST])


def cone(run: cd.Run, rate: float) -> Pair:
    """Directions of the axis, and the cone with the angle rate t."""
    angle = rate * run.t
    flat = np.cos(THETA) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return run.rotation("top")[:, :, 2], np.column_stack([flat, np.full(len(run), np.sin(THETA))])


def lazy(s: cd.System) -> bool:
    """Whether no precession of a spin below sqrt(4 mgh (I1 - I3) sin(theta)) / I3 = 61 rad/s is steady."""
    kernel = s.compile()
    left = []
    for wp in np.linspace(-100, 100, 801):
        at = start(THETA, 20.0, float(wp))
        steady_rate = np.cross(np.array(at["v"]) - [0, 0, 20.0], [0, 0, 20.0])
        left.append(np.linalg.norm(kernel.acceleration(at["q"], at["v"]) - steady_rate))
    return bool(min(left) > 1.0)


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
