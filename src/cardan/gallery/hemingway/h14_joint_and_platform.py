"""H14: the Cardan joint of two shafts, the platform of a craft, and a top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

import cardan as cd
from cardan.equations.equations import Equations
from cardan.gallery.comparing import Pair, agreement, near, same
from cardan.gallery.entry import Check, Entry, Plate
from cardan.gallery.hemingway.inertial_platform import controlled, craft, platform_inertias, scheme, tilt_of
from cardan.gallery.pictures import RED, angle_ticks, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PI = np.pi


def system() -> cd.System:
    """Two shafts joined by a cross; the bearing of the second one can be swung aside by the bend angle delta."""
    s = cd.System("Cardan joint")
    turn, arm, other, delta = s.coordinates("turn arm other delta", on="S1")
    J = s.parameters(J=0.3)
    shaft, beam = cd.Bar((0, 0, -0.9), (0, 0, 0), 0.05), cd.Bar((0, 0, 0), (0, 0, 0.9), 0.05)
    drive = s.body("drive", inertia=J, joint=cd.Revolute("z", turn), shape=shaft)
    cross = s.body("cross", inertia=J / 10, joint=cd.Revolute("x", arm), parent=drive, shape=cd.Box(0.36, 0.36, 0.06))
    output = s.body("output", inertia=J, joint=cd.Revolute("y", other), parent=cross, shape=beam)
    bed = s.body("bed", inertia=J / 2, joint=cd.Revolute("y", delta), shape=cd.Cylinder(0.1, 0.16, at=(0, 0, 0.8)))
    s.connect(bed.point(0, 0, 0), output.point(0, 0, 0), cd.Revolute("z"), name="shaft")
    s.moment("M", on=output, along=bed.z, against=bed)
    return s


def top(orientation: str) -> cd.System:
    """A Lagrange top on a ball and socket, by Euler angles or by a quaternion."""
    s = cd.System("Lagrange top")
    turned = cd.Quaternion("e") if orientation == "quaternion" else cd.Euler("3-1-3", *s.coordinates("psi theta phi"))
    s.body("top", mass=1.0, inertia=(0.1, 0.1, 0.06), com=(0, 0, 0.4), joint=cd.Ball(turned))
    s.gravity(-9.81 * s.world.z)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    yield from joint(s)
    yield from craft()
    yield from platform_inertias()
    yield from scheme()
    yield from tops()


def joint(s: cd.System) -> Iterator[Check]:
    """The textbook ratio of the two shafts, and lock when they are perpendicular."""
    eq, pairs = s.equations(), []
    for turn, delta in ((0.6, 0.5), (1.3, 0.9), (-0.4, 1.2)):
        ratio = np.cos(delta) / (1 - np.sin(delta) ** 2 * np.cos(turn) ** 2)
        pairs.append((speed_ratio(s, eq, turn, delta), ratio))
    yield agreement(
        "speed of the driven shaft", "textbook: cos d / (1 - sin^2 d cos^2 t)", pairs, within=1e-9,
        because="the start is assembled to 1e-12, and near lock the ratio amplifies that",
    )  # fmt: skip
    locked = s.diagnose([PI / 2, PI / 2, 0.0, PI / 2], loads={"M": 1.0})
    yield same("perpendicular shafts", "sections 1 and 7", locked.kinds, {"gimbal-lock"})
    yield same("shafts in line", "sections 1 and 7", s.diagnose([0.7, 0.0, 0.0, 0.0], loads={"M": 1.0}).kinds, set())
    carried = locked.findings[0].evidence["carried_by"] if locked.findings else {}
    hinges = ("hinge of output on cross", "hinge of cross on drive", "hinge of drive on the ground")
    found = [float(np.linalg.norm(carried[name].moment)) if name in carried else 0.0 for name in hinges]
    yield near("the hinges carry the whole moment of 1 N m", "section 7", found, [1.0, 1.0, 1.0])


def speed_ratio(s: cd.System, eq: Equations, turn: float, delta: float) -> float:
    """Spin of the driven shaft about its own axis for a unit spin of the driving one, the bed standing still."""
    start = s.assemble(q={"turn": turn, "delta": delta}, seeds=5)[0].q
    rows = np.vstack([eq.at(list(start), [0.0] * 4).A, [0.0, 0.0, 0.0, 1.0]])
    allowed = np.linalg.svd(rows)[2][-1]
    run = s.simulate(1e-3, q=start, v=allowed / allowed[0])
    return float(run.omega("output", expressed_in="world")[0] @ [np.sin(delta), 0.0, np.cos(delta)])


def tops() -> Iterator[Check]:
    """The upright top is singular in its Euler angles only; what it keeps, and how it precesses."""
    upright = [0.4, 0.0, -0.7]
    angles, quaternion = top("angles"), top("quaternion")
    yield same("manifold of the top", "appendix A", str(angles.manifold()), "RP^3")
    kinds = angles.diagnose(upright).kinds
    yield same("the upright top in Euler angles", "appendix A", kinds, {"coordinate-singularity"})
    yield same("the upright top by a quaternion", "appendix A", quaternion.diagnose([1, 0, 0, 0]).kinds, set())
    run = quaternion.simulate(2.0, q=[np.cos(0.15), np.sin(0.15), 0, 0], v=[-1.0, 0.0, 12.0], rtol=1e-10)
    own = run.omega("top")
    vertical = np.einsum("kij,kj->ki", run.rotation("top"), own * np.array([0.26, 0.26, 0.06]))[:, 2]
    kept = np.stack([own[:, 2], vertical, run.energy], axis=1)
    yield near(
        "spin, vertical momentum and energy of the top", "appendix A", kept, np.broadcast_to(kept[0], kept.shape),
        within=1e-7, because="1000 times the tolerance of the run",
    )  # fmt: skip
    for name, s, q in (("quaternion", quaternion, [np.cos(0.15), np.sin(0.15), 0, 0]), ("angles", angles, [0, 0.3, 0])):
        yield near(
            f"its axis precesses steadily round a cone, by {name}", "textbook, appendix A", *precession(s, q),
            within=1e-7, because="1000 times the tolerance of the run",
        )  # fmt: skip


def precession(s: cd.System, q: list[float]) -> Pair:
    """The axis along two seconds, and a cone about the vertical with the rate p.

    About the pivot dH/dt = p E_3 x H is the moment of the weight: m g h = I3 n p - I1 p^2 cos(tilt), n the spin about
    the axis, p sin(tilt) across it.
    """
    I1, I3, weight, tilt, n = 0.26, 0.06, 1.0 * 9.81 * 0.4, 0.3, 60.0
    p = (I3 * n - np.sqrt((I3 * n) ** 2 - 4 * I1 * np.cos(tilt) * weight)) / (2 * I1 * np.cos(tilt))
    own = [0.0, p * np.sin(tilt), n]  # the axis is tilted about E_1, so that E_3 = sin(tilt) e_2 + cos(tilt) e_3
    rates = own if len(s.model.v) == len(q) - 1 else [p, 0.0, n - p * np.cos(tilt)]
    run = s.simulate(2.0, q=q, v=rates, rtol=1e-10, atol=1e-12)
    round_ = p * run.t - PI / 2
    cone = [np.sin(tilt) * np.cos(round_), np.sin(tilt) * np.sin(round_), np.full(len(run), np.cos(tilt))]
    return run.rotation("top")[:, :, 2], np.stack(cone, axis=1)


def picture(run: cd.Run) -> Figure:
    """The ratio of the speeds over a turn for several bends, and its extremes as the bend grows to lock."""
    turns, bends = np.linspace(0, 2 * PI, 13), np.radians([20.0, 45.0, 65.0])
    with panels("one turn of the driving shaft", "towards lock") as (figure, (ratio, extremes)):
        fine, eq = np.linspace(0, 2 * PI, 400), run.system.equations()
        for bend in bends:
            formula = np.cos(bend) / (1 - np.sin(bend) ** 2 * np.cos(fine) ** 2)
            (curve,) = ratio.plot(fine, formula, label=f"bend {np.degrees(bend):.0f}°")
            found = [speed_ratio(run.system, eq, float(turn), float(bend)) for turn in turns]
            ratio.plot(turns, found, "o", ms=3, color=curve.get_color())
        ratio.set_ylim(0, 3.1)
        ratio.legend(loc="upper center", ncols=3, columnspacing=1.0, handlelength=1.2)
        angle_ticks(ratio, 2, "turn of the driving shaft [rad]", "speed ratio [-]")
        bend = np.linspace(0, PI / 2, 200)
        extremes.plot(np.degrees(bend), np.cos(bend), label="smallest ratio over a turn")
        extremes.plot([90], [0], "o", color=RED, label="gimbal lock")
        extremes.set(xlabel="bend of the joint [degrees]", ylabel="speed ratio [-]")
        extremes.legend(loc="best")
    return figure


def plates() -> Iterator[Plate]:
    """How well platforms are held while the craft rolls by a quarter turn and back."""
    with panels("angle of the inner gimbal", "platform, turned away by") as (figure, (inner, away)):
        for gimbals in (3, 4):
            run = controlled(gimbals)
            inner.plot(run.t, np.degrees(run["q_inner"]), label=f"{gimbals} gimbals")
            away.plot(run.t, tilt_of(run), label=f"{gimbals} gimbals")
        inner.axhline(0, color=RED, lw=0.9, ls=":", label="three axes in a plane")
        inner.set(xlabel="time [s]", ylabel="angle [degrees]")
        away.set(xlabel="time [s]", ylabel="angle [degrees]")
        inner.legend(loc="best")
        away.legend(loc="best")
    caption = (
        "The scheme of section 1: a fourth motor follows the inner gimbal and keeps three axes at right angles; "
        "without it they come into one plane, and the craft takes the platform along."
    )
    yield Plate("scheme", caption, figure)


ENTRY = Entry(
    id="H14",
    where="sections 1 and 7, appendix A",
    lesson=(
        "Three machines from the paper's introduction. A Cardan joint turns one shaft by another; when the shafts are "
        "perpendicular, a moment along the driven one is orthogonal to everything the joint can do, the hinges carry "
        "it, and the joint is locked. The platform of a spacecraft hangs in three gimbals; when these come to lie in "
        "one plane no motor can turn it about the normal, and a craft that turns about it takes the platform along. A "
        "fourth gimbal, kept across the others, is the remedy. A top that stands upright is the contrast: its Euler "
        "angles are singular, the top is not, and with a quaternion nothing happens at all."
    ),
    system=system,
    checks=checks,
    start={"duration": 3.0, "q": {"turn": 0.3, "delta": 0.6}, "v": {"turn": 4.0, "delta": 0.0}},
    picture=picture,
    plates=plates,
    sketched=True,
    caption="Dots: the constrained mechanism. Lines: the textbook ratio, which tends to zero as the bend tends to 90°.",
)
