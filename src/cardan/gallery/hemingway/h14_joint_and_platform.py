"""H14: the Cardan joint of two shafts, the platform of a craft, and a top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

import cardan as cd
from cardan.diagnosis.findings import Task
from cardan.equations.equations import Equations
from cardan.gallery.comparing import agreement, near, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.pictures import RED, angle_ticks, panels
from cardan.model.bodies import Body
from cardan.model.frames import Frame

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


def platform(gimbals: int) -> tuple[cd.System, Body]:
    """A platform in three or four gimbals on a craft that pitches; `disturbance` acts across the innermost gimbal."""
    s = cd.System(f"inertial platform in {gimbals} gimbals")
    pitch = s.parameters(pitch=0.2)
    carrier: Frame | Body = s.frame("craft", joint=cd.Revolute("y", pitch * s.time))
    names, axes = ["roll", "outer", "inner", "platform"][4 - gimbals :], ["x", "z", "x", "z"][4 - gimbals :]
    angles = s.coordinates(" ".join(f"q_{name}" for name in names), on="S1")
    bodies = []
    for name, axis, angle in zip(names, axes, angles, strict=True):
        inertia = 0.2 if name == "platform" else 0.05
        carrier = s.body(name, inertia=inertia, parent=carrier, joint=cd.Revolute(axis, angle))
        bodies.append(carrier)
    s.moment("disturbance", on=bodies[-1], along=bodies[-2].y)
    return s, bodies[-1]


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
    upright = [0.4, 0.0, -0.7]
    yield same("manifold of the top", "appendix A", str(top("angles").manifold()), "RP^3")
    kinds = top("angles").diagnose(upright).kinds
    yield same("the upright top in Euler angles", "appendix A", kinds, {"coordinate-singularity"})
    yield same("the upright top by a quaternion", "appendix A", top("quaternion").diagnose([1, 0, 0, 0]).kinds, set())
    run = top("quaternion").simulate(2.0, q=[np.cos(0.15), np.sin(0.15), 0, 0], v=[-1.0, 0.0, 12.0], rtol=1e-10)
    own = run.omega("top")
    vertical = np.einsum("kij,kj->ki", run.rotation("top"), own * np.array([0.26, 0.26, 0.06]))[:, 2]
    kept = np.stack([own[:, 2], vertical, run.energy], axis=1)
    yield near(
        "spin, vertical momentum and energy of the top", "appendix A", kept, np.broadcast_to(kept[0], kept.shape),
        within=1e-7, because="1000 times the tolerance of the run",
    )  # fmt: skip


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


def held(s: cd.System, q: list[float], body: Body) -> Task:
    """What the gimbals can do about the velocity of the platform."""
    found = s.diagnose(q, task=body).task
    assert found is not None  # a task was asked for
    return found


def craft() -> Iterator[Check]:
    """Three gimbals in one plane lose a direction; a fourth one, kept across, gives it back."""
    s, body = platform(3)
    flat = held(s, [0.0, 0.0, 0.3], body)
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
    s, body = platform(4)
    yield same("with a fourth gimbal across the others", "section 1", held(s, [0.0, PI / 2, 0.0, 0.3], body).rank, 3)
    yield same("with all four in a plane", "section 1", held(s, [0.0, 0.0, 0.0, 0.3], body).rank, 2)


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
    sketched=True,
    caption="Dots: the constrained mechanism. Lines: the textbook ratio, which tends to zero as the bend tends to 90°.",
)
