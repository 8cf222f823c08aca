"""R2: moments of inertia: the bodies of the notes, the planar theorem, and which moments are possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

import cardan as cd
from cardan.errors import ImpossibleInertia
from cardan.gallery.comparing import Pair, agreement, identity, near, refused, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, RED, panels, smooth
from cardan.gallery.sampling import Array, letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

START: Start = {"q": [1, 0, 0, 0], "v": [0.05, 3.0, 0.0]}
m, r = sp.symbols("m r", positive=True)


def system() -> cd.System:
    """The jack: three pairs of equal points on three crossed massless rods, m_i on axis i."""
    s = cd.System("jack")
    m1, m2, m3, d = s.parameters(m1=0.9, m2=0.5, m3=0.2, d=0.4)
    rods = s.frame("rods", joint=cd.Ball(cd.Quaternion("e")))
    for k, (mass, axis) in enumerate(zip((m1, m2, m3), (rods.x, rods.y, rods.z), strict=True), start=1):
        s.particle(f"P{k}", mass=mass, position=d * axis)
        s.particle(f"N{k}", mass=mass, position=-d * axis)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    m1, m2, m3, d = letters(s, "m1 m2 m3 d")
    jack = d**2 * sp.diag(2 * (m3 + m2), 2 * (m1 + m3), 2 * (m1 + m2))
    yield identity("jack, from its six particles", "2/25, masses by axis", s.equations().mass_matrix, jack)
    w = sp.Matrix(s.model.v)
    yield identity("and its Euler equations", "2/27", s.equations().velocity_terms, w.cross(jack * w))
    yield agreement("any possible moments by a jack", "2/25", picked())
    yield from bodies()
    yield agreement("H = I w, particle by particle", "2/13, boxed", momenta())
    yield agreement("perpendicular axes of a planar body", "2/25", planar())
    yield agreement("I1 + I2 = I3 + 2 int z^2 dm", "2/25", triangle())
    yield refused(
        "moments that no body has", "2/25, triangle inequality", lambda: plate((1.0, 1.2, 2.3)), ImpossibleInertia,
        because="1.0 + 1.2 < 2.3",
    )  # fmt: skip
    yield same("the limit, a planar body, is accepted", "2/25", plate((1.0, 1.2, 2.2)).name, "plate")
    yield near(
        "the computed tumble keeps H in space", "2/25", *kept(s), within=1e-8, because="10 times rtol, |H| near 1"
    )


def plate(moments: tuple[float, float, float]) -> cd.System:
    s = cd.System("plate")
    s.body("plate", mass=1.0, inertia=moments, joint=cd.Ball(cd.Quaternion("e")))
    return s


def bodies() -> Iterator[Check]:
    """Point, dumbbell along y, hoop, disk (polar moment corrected) and sphere (also by the integral of the notes)."""
    inertia = cd.geometry.inertia
    yield identity("point mass", "2/25", inertia.point_masses([(m, (1, 2, 3))]).inertia, sp.zeros(3))
    pair = inertia.point_masses([(m / 2, (0, r, 0)), (m / 2, (0, -r, 0))]).inertia
    yield identity("dumbbell", "2/25", pair, sp.diag(m * r**2, 0, m * r**2))
    yield identity("hoop", "2/25", inertia.hoop(m, r), sp.diag(m * r**2 / 2, m * r**2 / 2, m * r**2))
    disk = sp.diag(m * r**2 / 4, m * r**2 / 4, m * r**2 / 2)
    yield identity("disk", "2/25, polar moment corrected", inertia.disc(m, r), disk)
    a = sp.Symbol("a", positive=True)
    shells = sp.Rational(2, 3) * sp.integrate(
        a**2 * 4 * sp.pi * a**2 * m / (sp.Rational(4, 3) * sp.pi * r**3), (a, 0, r)
    )
    yield identity("sphere, by shells", "2/25", inertia.sphere(m, r), shells * sp.eye(3))


def clouds(count: int = 12) -> Iterator[tuple[Array, Array]]:
    """Masses and places of six random particles."""
    draw = np.random.default_rng(25)
    for _ in range(count):
        yield draw.uniform(0.1, 1, 6), draw.uniform(-1, 1, (6, 3))


def gathered(masses: Array, places: Array) -> tuple[Array, Array]:
    """(inertia matrix about the centre of mass, centre of mass) by Cardan."""
    body = cd.geometry.inertia.point_masses(list(zip(masses.tolist(), places, strict=True)))
    return np.asarray(body.inertia, dtype=np.float64), np.asarray(body.com, dtype=np.float64)


def momenta() -> Iterator[Pair]:
    """I w, and the sum of m r x (w x r) about the centre of mass."""
    w = np.array([0.3, -1.1, 0.7])
    for masses, places in clouds():
        inertia, G = gathered(masses, places)
        arms = places - G
        yield inertia @ w, np.sum(masses[:, None] * np.cross(arms, np.cross(w, arms)), axis=0)


def planar() -> Iterator[Pair]:
    """I_zz and I_xx + I_yy of particles in the plane z = 0; I_xy need not vanish."""
    for masses, places in clouds():
        inertia, _ = gathered(masses, places * [1, 1, 0])
        yield inertia[2, 2], inertia[0, 0] + inertia[1, 1]
        yield abs(inertia[0, 1]) > 1e-3, True


def triangle() -> Iterator[Pair]:
    """I_xx + I_yy - I_zz of any cloud, and 2 sum m z^2."""
    for masses, places in clouds():
        inertia, G = gathered(masses, places)
        yield inertia[0, 0] + inertia[1, 1] - inertia[2, 2], 2 * masses @ (places[:, 2] - G[2]) ** 2


def picked() -> Iterator[Pair]:
    """Moments of jacks whose masses were solved for, and the moments wanted."""
    draw = np.random.default_rng(6)
    for _ in range(12):
        a, b = draw.uniform(0.5, 1.0, 2)
        wanted = (float(a), float(b), float(draw.uniform(abs(a - b), a + b)))
        masses = cd.geometry.inertia.jack_masses(wanted, 0.3)
        yield np.diag(np.array(cd.geometry.inertia.jack(masses, 0.3), dtype=float)), wanted


def kept(s: cd.System) -> Pair:
    """R I w at the end of the tumble with I of the jack by hand, and at its start."""
    run = s.simulate(8.0, **START)
    moments = 2 * 0.4**2 * np.array([0.5 + 0.2, 0.9 + 0.2, 0.9 + 0.5])
    R = np.stack([run.position(f"P{k}") for k in (1, 2, 3)], axis=2) / 0.4  # arms along the axes of the rods
    H = np.einsum("tij,tj->ti", R, run.v * moments)
    return H[-1], H[0]


def picture(run: cd.Run) -> Figure:
    """Paths of two arms of the jack, and the moments that bodies can have."""
    with panels("tumbling jack", "possible moments", spatial=(0,), size=(9.0, 4.0)) as (figure, (scene, plane)):
        at = smooth(run)
        for name, label in (("P1", "$m_1$"), ("P3", "$m_3$")):
            scene.plot(*at.position(name).T, label=f"path of {label}", lw=1)
        for k in "123":
            ends = np.stack([at.position(f"P{k}")[0], at.position(f"N{k}")[0]])
            scene.plot(*ends.T, "-o", color=DARK, lw=1.5)
        scene.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", box_aspect=(1, 1, 1))
        scene.legend(loc="upper left", fontsize=9)
        plane.fill([0, 1, 1], [1, 1, 0], color="#dcebf5", label="possible: $I_1 + I_2 \\geq I_3$")
        for name, x, y, shift in (
            ("dumbbell", 0, 1, (8, -14)),
            ("disk, hoop", 0.5, 0.5, (-62, -6)),
            ("sphere", 1, 1, (-44, -14)),
            ("this jack", 0.5, 11 / 14, (-50, 6)),
        ):
            plane.plot([x], [y], "o", color=RED)
            plane.annotate(name, (x, y), shift, textcoords="offset points")
        plane.set(xlabel="$I_1 / I_3$", ylabel="$I_2 / I_3$ ($I_3$ the largest)", aspect="equal")
        plane.legend(loc="lower left", fontsize=9)
    return figure


ENTRY = Entry(
    id="R2",
    where="lectures 2/13 and 2/25",
    lesson=(
        "The inertia matrix is where the shape of a body enters its dynamics, and six numbers are all that is left "
        "of the shape: a jack of six points can stand for any body. The moments are not free numbers. Two of them "
        "together are never less than the third, since each is a sum of squares that the others share; equality "
        "means that the body lies in a plane, which is the perpendicular-axis theorem. A program that accepts "
        "moments outside this triangle moves a body that cannot be built, so Cardan refuses them where they are "
        "typed."
    ),
    system=system,
    checks=checks,
    start={"duration": 8.0, **START},
    picture=picture,
    caption="A jack spun about its intermediate axis, and the triangle of possible moments of inertia.",
    erratum=(
        "2/25: the polar moment of the disk is m r^2/2 (the planar theorem two lines above gives it); a planar body "
        "may have I_xy; the moments printed for the jack have m_2 on axis 3 and m_3 on axis 2, here m_i is on axis "
        "i."
    ),
)
