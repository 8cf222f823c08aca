"""H13: rotations and Euler bases, and the constrained bodies of Fig. 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import agreement, identity, same
from cardan.gallery.entry import Check, Entry, Plate
from cardan.gallery.hemingway.h10_fixed_point import rotation as rotation_313
from cardan.gallery.hemingway.h10_fixed_point import skwt
from cardan.gallery.pictures import BLUE, RED, panels, smooth
from cardan.gallery.plates import Shown, text_figure
from cardan.gallery.sampling import ANGLE, column, letters, states
from cardan.geometry import euler, matrix, rotation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NU = nu1, nu2, nu3 = sp.symbols("nu1:4", real=True)
theta = sp.Symbol("theta", real=True)
p = column(sp.Rational(2, 7), sp.Rational(-3, 7), sp.Rational(6, 7))  # a unit vector in fractions
E_1, E_2, E_3 = (sp.Matrix(sp.eye(3)[:, k]) for k in range(3))


def system() -> cd.System:
    """Fig. 1(a): a body pinned to a whirling shaft. Its third 3-1-3 angle is zero."""
    s = cd.System("whirling pinned body")
    nu1, nu2 = s.coordinates("nu1 nu2", on="S1")
    m, h, J1, J2, J3, g = s.parameters(m=1.2, h=0.3, J1=0.04, J2=0.035, J3=0.02, g=9.81)
    shaft = s.frame("shaft", joint=cd.Revolute("z", nu1))
    shape = cd.Bar((0, 0, 0), (0, 0, 2 * h), h / 8)
    s.body("body", mass=m, inertia=(J1, J2, J3), com=(0, 0, h), parent=shaft, joint=cd.Revolute("x", nu2), shape=shape)
    s.gravity(-g * s.world.z)
    return s


def sliding_cylinder() -> cd.System:
    """Fig. 1(b): a cylinder that slides and rolls about on a plane, its axis staying horizontal."""
    s = cd.System("sliding cylinder")
    (x, y), (nu1, nu2) = s.coordinates("x y"), s.coordinates("nu1 nu2", on="S1")
    carriage = s.frame("carriage", joint=cd.Planar(x, y, nu1))
    shape = cd.Cylinder(0.1, 0.5, axis="x")
    s.body(
        "cylinder",
        mass=1.2,
        inertia=(0.2, 0.4, 0.4),
        parent=carriage,
        at=(0, 0, 0.1),
        joint=cd.Revolute("x", nu2),
        shape=shape,
    )
    return s


def one_angle_held(which: int) -> cd.System:
    """A.1: a body in 3-1-3 angles, one of which is held."""
    s = cd.System("one Euler angle held")
    nu = s.coordinates("nu1 nu2 nu3", on="S1")
    s.body("body", mass=1.0, inertia=(0.4, 0.5, 0.6), joint=cd.Ball(cd.Euler("3-1-3", *nu)))
    s.constrain(nu[which] - sp.Rational(3, 10), name="held")
    return s


def fixed_axis() -> cd.System:
    """A.2: a body on a hinge."""
    s = cd.System("fixed axis")
    angle = s.coordinates("theta", on="S1")
    s.body("body", mass=1.0, inertia=(0.4, 0.5, 0.6), joint=cd.Revolute((2 / 7, -3 / 7, 6 / 7), angle))
    return s


def rotation_321() -> sp.Matrix:
    """(110), letter by letter."""
    c1, s1, c2, s2, c3, s3 = cos(nu1), sin(nu1), cos(nu2), sin(nu2), cos(nu3), sin(nu3)
    return sp.Matrix([
        [c1 * c2, c1 * s2 * s3 - s1 * c3, c1 * s2 * c3 + s1 * s3],
        [s1 * c2, s1 * s2 * s3 + c1 * c3, s1 * s2 * c3 - c1 * s3],
        [-s2, c2 * s3, c2 * c3],
    ])  # fmt: skip


def turned(angle: sp.Expr, axis: sp.Matrix) -> sp.Matrix:
    """L(theta, p) of (104)."""
    dyad = axis * axis.T
    return cos(angle) * (sp.eye(3) - dyad) + sin(angle) * skwt(axis) + dyad


def checks(s: cd.System) -> Iterator[Check]:
    yield from formulas()
    yield from euler_angles()
    yield from whirling(s)
    yield from held()


def formulas() -> Iterator[Check]:
    """(104) to (107) and (114)."""
    Q = sp.Matrix(rotation.about(tuple(p), theta))
    yield identity("Euler's formula", "(104)", Q, turned(theta, p))
    yield identity("Q is proper orthogonal", "after (105)", [*(Q * Q.T), Q.det()], [*sp.eye(3), 1])
    w, a = sp.Matrix(sp.symbols("w1:4")), sp.Matrix(sp.symbols("a1:4"))
    skew = sp.Matrix(3, 3, lambda i, j: -sum(sp.LeviCivita(i, j, k) * w[k] for k in range(3)))
    yield identity("skew tensor of a vector", "(105)", sp.Matrix(matrix.skew(tuple(w))), skew)
    axial = [-sum(sp.LeviCivita(i, j, k) * skew[j, k] for j in range(3) for k in range(3)) / 2 for i in range(3)]
    yield identity("axial vector", "(106)", list(matrix.unskew(matrix.skew(tuple(w)))), axial)
    yield identity("Omega a = omega x a", "(107)", sp.Matrix(matrix.skew(tuple(w))) * a, w.cross(a))
    tangent = -sin(theta) * (sp.eye(3) - p * p.T) + cos(theta) * skwt(p)
    yield identity("tangent to the circle of rotations", "(114)", Q.diff(theta), tangent)


def euler_angles() -> Iterator[Check]:
    """(77) and (108) to (113), for 3-2-1 and 3-1-3."""
    for convention, Q in (("3-2-1", rotation_321()), ("3-1-3", rotation_313(*NU))):
        number = "(110)" if convention == "3-2-1" else "(111)"
        yield identity(f"components for {convention}", number, sp.Matrix(euler.matrix(convention, NU)), Q)
        g = [sp.Matrix(one) for one in euler.basis(convention, NU)]
        skews = sp.Matrix([skwt(one) for one in g])
        derivatives = sp.Matrix([Q.diff(x) * Q.T for x in NU])
        yield identity(f"Euler basis from the derivatives of Q, {convention}", "(112)", skews, derivatives)
        dual = [sp.Matrix(one) for one in euler.dual_basis(convention, NU)]
        products = sp.Matrix(3, 3, lambda i, j, g=g, dual=dual: (g[i].T * dual[j])[0])
        yield identity(f"dual basis of {convention}", "(109)", products, sp.eye(3))
        at = {nu1: sp.Rational(3, 10), nu2: sp.Rational(11, 10), nu3: sp.Rational(-7, 10)}
        product = (turned(nu3, g[2]) * turned(nu2, g[1]) * turned(nu1, g[0])).subs(at)
        pair = (np.array(product.evalf(), dtype=float), np.array(Q.subs(at).evalf(), dtype=float))
        yield agreement(f"three rotations about the Euler basis, {convention}", "(108)", [pair])
    for second, sign in ((0, 1), (sp.pi, -1)):
        Q = sp.Matrix(euler.matrix("3-1-3", (nu1, second, nu3)))
        moved = Q.subs({nu1: nu1 + theta, nu3: nu3 - sign * theta}, simultaneous=True)
        what = "sum" if sign == 1 else "difference"
        yield identity(f"at nu2 = {second} only the {what} matters", "after (77), corrected", moved, Q)
    e_1 = cos(nu1) * E_1 + sin(nu1) * E_2
    two = sp.Matrix(euler.matrix("3-1-3", (nu1, nu2, 0)))
    yield identity("two rotations when nu3 = 0", "(113)", two, turned(nu2, e_1) * turned(nu1, E_3))


def whirling(s: cd.System) -> Iterator[Check]:
    """Fig. 1(a): its energy in closed form, its manifold, and nothing singular at nu2 = 0 and pi."""
    a, b, m, h, J1, J2, J3 = letters(s, "nu1 nu2 m h J1 J2 J3")
    turning = ((J2 + m * h**2) * sin(b) ** 2 + J3 * cos(b) ** 2) * a.dot**2
    T = ((J1 + m * h**2) * b.dot**2 + turning) / 2
    yield identity("energy, with w = nu1d E_3 + nu2d e_1", "of (113)", s.equations().kinetic_energy, T)
    run = s.simulate(1.0, q=[0.3, 0.5], v=[3.0, 1.0])
    poses = []
    for k in np.linspace(0, len(run) - 1, 5).astype(int):
        values = {nu1: run["nu1"][k], nu2: run["nu2"][k], nu3: 0}
        poses.append((run.rotation("body")[k], np.array(rotation_313(*NU).subs(values), dtype=float)))
    yield agreement("rotation of the whirling body", "(113)", poses)
    yield same("manifold of the whirling body", "Fig. 1(a)", str(s.manifold()), "T^2")
    for at, name in ((0.0, "0"), (np.pi, "pi")):
        yield same(f"nothing singular at nu2 = {name}", "A.1", s.diagnose([0.4, at]).kinds, set())
    yield same("manifold of the sliding cylinder", "Fig. 1(b)", str(sliding_cylinder().manifold()), "E^2 x T^2")


def held() -> Iterator[Check]:
    """A.1 and A.2."""
    for which, name in ((0, "first"), (2, "third")):
        s = one_angle_held(which)
        yield same(f"manifold with the {name} angle held", "A.1", str(s.manifold()), "T^2")
        q = [0.4, 0.0, 0.4]
        q[which] = 0.3
        yield same(f"nothing singular with the {name} angle held", "A.1", s.diagnose(q).kinds, set())
    s = fixed_axis()
    yield same("manifold of a fixed axis", "A.2", str(s.manifold()), "S^1")
    eq, pairs = s.equations(), []
    for at in states(s, [ANGLE], count=5):
        tangent = -np.sin(at.q[0]) * (np.eye(3) - np.array(p * p.T, float)) + np.cos(at.q[0]) * np.array(skwt(p), float)
        pairs.append((eq.at(at.q).basis.ravel()[3:], tangent.T.ravel()))
    yield agreement("basis of the circle of rotations", "(114)", pairs)


def picture(run: cd.Run) -> Figure:
    """The path of the pinned body's centre of mass, and its angles."""
    along = smooth(run, 1500)
    R = along.rotation("body")
    with panels("centre of mass", "nutation", spatial=(0,)) as (figure, (space, angle)):
        space.plot(*(0.3 * R[:, :, 2]).T, color=BLUE, lw=1.0)
        space.plot([0, 0], [0, 0], [-0.3, 0.3], color=RED, lw=1.2)
        space.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", box_aspect=(1, 1, 1))
        angle.plot(along.t, np.degrees(along["nu2"]))
        for level in range(0, int(np.degrees(along["nu2"][-1])), 180):
            angle.axhline(level, color=RED, lw=0.9, ls=":")
        angle.set(xlabel="time [s]", ylabel=r"$\nu^2_e$ [degrees]")
    return figure


def plates() -> Iterator[Plate]:
    """Fig. 1: both bodies, and of their manifolds the two angles."""
    pinned, sliding = system(), sliding_cylinder()
    shown = {
        "(a) whirling, pinned": pinned.simulate(1e-3, q=[0.4, 2.2]),
        "(b) sliding cylinder": sliding.simulate(1e-3, q=[0.3, 0.2, 0.5, 0.7]),
    }
    manifolds: dict[str, Shown] = {"(a)": pinned, "(b)": (sliding, "nu1", "nu2")}
    yield from text_figure(1, "constrained bodies whose angles have no singular place.", shown, manifolds)


ENTRY = Entry(
    id="H13",
    where="appendix A, equations (104) to (114), and Fig. 1",
    lesson=(
        "Everything that the paper needs about rotations fits on two pages: Euler's formula, the skew tensor and its "
        "axial vector, rotation matrices of two sets of Euler angles, and the Euler basis, whose vectors are the "
        "derivatives of the rotation. The point of the appendix is what a constraint does. Hold the first or the third "
        "angle, as a pin or a plane does for the two bodies of Fig. 1, and the rest is a torus that two angles "
        "describe without any singular place, provided that the second one runs round the whole circle: a pen on a "
        "table can be rolled all the way."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.5, "q": {"nu1": 0.0, "nu2": 0.6}, "v": {"nu1": 2.0, "nu2": 6.0}},
    picture=picture,
    plates=plates,
    sketched=True,
    caption="The whirling body goes over the top and under the bottom, where nu2 passes multiples of 180 degrees.",
    erratum="After (77): at nu2 = 0 the sum nu1 + nu3 is determined and the difference ambiguous; reversed at pi.",
)
