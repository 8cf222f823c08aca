"""R1: rotations: axis and angle, matrices, composition, 24 conventions of Euler angles, angular velocity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, panels, smooth
from cardan.gallery.ruina.vectors import Array, about, random_axes, skew

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INERTIA = (0.5, 0.9, 1.2)
START: Start = {"q": [1, 0, 0, 0], "v": [0.6, 2.0, 0.9]}
theta, theta1, theta2, theta3 = sp.symbols("theta theta1 theta2 theta3", real=True)


def system() -> cd.System:
    """A body that tumbles freely, so that its rotation goes everywhere."""
    s = cd.System("tumbling body")
    s.body("body", mass=1.0, inertia=INERTIA, joint=cd.Ball(cd.Quaternion("e")))
    return s


def checks(s: cd.System) -> Iterator[Check]:
    yield agreement("a vector turned about an axis", "1/28, boxed", turned_vectors())
    yield from components()
    yield agreement("angle from the trace, axis from the eigenvector", "2/11", axes_and_angles())
    half = cd.rotations.from_matrix(about([0, 1, 0], np.pi).tolist())
    yield near("a half turn keeps its axis", "1/28, corrected", [*np.abs(half.axis), half.angle], [0, 1, 0, np.pi])
    yield from two_rotations()
    yield agreement("one turn does it all, from points before and after", "1/23, Euler's theorem", from_points())
    yield agreement("the fixed point of perpendicular bisectors", "1/23, Euler's theorem", bisectors())
    yield from fixed_axis()
    yield agreement("components of a tensor, [D]_B = C D C^T", "2/13", tensors())
    yield agreement("axis and angle of two rotations in a row", "2/11, puzzle", composed())
    yield identity("all 24 conventions", "2/6", *conventions())
    yield same("how many there are", "2/6", len(cd.rotations.conventions()), 24)
    yield from small_rotations()
    run = s.simulate(4.0, **START, rtol=1e-11, atol=1e-13)
    yield near(
        "along the motion Rd R^T = S(omega)", "2/13, 2/25", *rates(run), within=1e-7,
        because="differences of order h^4 over h = 1e-3: dense output 1e-10 / h",
    )  # fmt: skip
    yield near(
        "transport theorem for the angular momentum", "2/13", *transport(run), within=1e-7, because="as above"
    )  # fmt: skip
    yield agreement("every convention reads the same motion", "2/6", readings(run))


def turned_vectors() -> Iterator[Pair]:
    """R r0, and n n.r0 + cos (r0 - n (n.r0)) + sin n x r0."""
    for n, angle, r0 in random_axes(20):
        R: Array = np.array(cd.rotations.about(n.tolist(), angle).matrix)
        along = n * (n @ r0)
        yield R @ r0, along + np.cos(angle) * (r0 - along) + np.sin(angle) * np.cross(n, r0)


def components() -> Iterator[Check]:
    """R_ij of 2/11 (sign corrected), and the direction cosines of 2/4, whose C is our R^T."""
    n = sp.symbols("n1:4", real=True)
    R = sp.Matrix(cd.geometry.rotation.about(n, theta))

    def entry(i: int, j: int) -> sp.Expr:
        eps = sum(sp.LeviCivita(i, j, k) * n[k] for k in range(3))
        return n[i] * n[j] + cos(theta) * (sp.KroneckerDelta(i, j) - n[i] * n[j]) - sin(theta) * eps

    yield identity("components of R", "2/11, sign corrected", R, sp.Matrix(3, 3, entry))
    n1, n2, n3 = n
    c, s = cos(theta), sin(theta)
    printed = [c + n1**2 * (1 - c), n1 * n2 * (1 - c) + n3 * s, -n3 * s + n1 * n2 * (1 - c)]
    yield identity("direction cosines C11, C12, C21", "2/4", [R.T[0, 0], R.T[0, 1], R.T[1, 0]], printed)
    for k, C in elementary(theta).items():
        found = sp.Matrix(cd.geometry.rotation.about("xyz"[k - 1], theta)).T
        yield identity(f"direction cosines about axis {k}", "2/4", found, C)


def elementary(angle: sp.Expr) -> dict[int, sp.Matrix]:
    """C of 2/4 about the axes 1, 2, 3."""
    c, s = cos(angle), sin(angle)
    return {
        1: sp.Matrix([[1, 0, 0], [0, c, s], [0, -s, c]]),
        2: sp.Matrix([[c, 0, -s], [0, 1, 0], [s, 0, c]]),
        3: sp.Matrix([[c, s, 0], [-s, c, 0], [0, 0, 1]]),
    }


def axes_and_angles() -> Iterator[Pair]:
    """axis_angle(R), and arccos((trace - 1)/2) with the eigenvector of 1, its sign from the skew part."""
    for n, angle, _ in random_axes(20):
        R = about(n, angle)
        found = cd.rotations.from_matrix(R.tolist())
        values, vectors = np.linalg.eig(R)
        e = np.real(vectors[:, np.argmin(np.abs(values - 1))])
        e = e * np.sign(e @ [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        yield [*found.axis, found.angle], [*e, np.arccos((np.trace(R) - 1) / 2)]


def two_rotations() -> Iterator[Check]:
    """2/6: body 3 then 1 (entry (2, 3) corrected), and space 3 then 1 with the second axis fixed."""
    turn = cd.rotations
    c1, s1, c2, s2 = cos(theta1), sin(theta1), cos(theta2), sin(theta2)
    body = sp.Matrix((turn.about("z", theta1) @ turn.about("x", theta2)).direction_cosines)
    printed = sp.Matrix([[c1, s1, 0], [-s1 * c2, c1 * c2, s2], [s1 * s2, -s2 * c1, c2]])
    yield identity("body axes, 3 then 1", "2/6, entry (2,3) corrected", body, printed)
    space = sp.Matrix((turn.about("x", theta2) @ turn.about("z", theta1)).direction_cosines)
    yield identity(
        "space axes, 3 then 1", "2/6", space, sp.Matrix([[c1, s1 * c2, s1 * s2], [-s1, c1 * c2, c1 * s2], [0, -s2, c2]])
    )


def composed() -> Iterator[Pair]:
    """cos(t/2) = c1 c2 - s1 s2 n1.n2 and sin(t/2) n = s2 c1 n2 + c2 s1 n1 + s1 s2 n2 x n1 (Rodrigues)."""
    turn = cd.rotations
    for (n1, angle1, _), (n2, angle2, _) in pairwise(random_axes(20)):
        net = turn.about(n2.tolist(), angle2) @ turn.about(n1.tolist(), angle1)
        axis, angle = net.axis, net.angle
        c1, s1, c2, s2 = np.cos(angle1 / 2), np.sin(angle1 / 2), np.cos(angle2 / 2), np.sin(angle2 / 2)
        w = c1 * c2 - s1 * s2 * (n1 @ n2)
        v = s2 * c1 * n2 + c2 * s1 * n1 + s1 * s2 * np.cross(n2, n1)
        sign = 1.0 if w >= 0 else -1.0
        yield [np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis))], [sign * w, *(sign * v)]


def from_points() -> Iterator[Pair]:
    """Axis and angle found from four points of a body before and after three turns in a row about drawn axes.

    The axis of the product is its fixed vector, the angle that by which a vector across it is turned.
    """
    draws, points = random_axes(15), np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0.5, 0, 1.5]])
    for (n1, angle1, shift), (n2, angle2, _), (n3, angle3, _) in zip(draws[::3], draws[1::3], draws[2::3], strict=True):
        R = about(n3, angle3) @ about(n2, angle2) @ about(n1, angle1)
        found = cd.rotations.displacement(points.tolist(), (points @ R.T + shift).tolist())
        n = np.array(found.axis)
        across = np.cross(n, [0.3, -0.8, 0.5])
        turned = np.arctan2(n @ np.cross(across, R @ across), across @ R @ across)
        yield [*n, found.angle, *found.translation], [*(R @ n), turned, *shift]


def bisectors() -> Iterator[Pair]:
    """A goes to B and B to D on the unit sphere: P lies on the perpendicular bisectors of AB and BD, angle APB.

    The planes through the centre across AB and BD have the normals B - A and D - B; their line is the axis.
    """
    for n, angle, r0 in random_axes(8, seed=23):
        A = r0 / np.linalg.norm(r0)
        B = about(n, angle) @ A
        D = about(n, angle) @ B
        P = np.cross(B - A, D - B)
        P /= np.linalg.norm(P)
        a, b = A - P * (P @ A), B - P * (P @ B)
        APB = np.arctan2(P @ np.cross(a, b), a @ b)
        third = np.cross(A, B)  # goes where B x D points: a body of three points, turned about the origin
        before, after = np.array([np.zeros(3), A, B, third]), np.array([np.zeros(3), B, D, np.cross(B, D)])
        found = cd.rotations.displacement(before.tolist(), after.tolist())
        yield [*found.axis, found.angle], [*P, APB]


def fixed_axis() -> Iterator[Check]:
    """2/6: a second turn about the first axis of space, whose components in B are (c1, -s1, 0): the printed matrix."""
    c1, s1, c2, s2 = cos(theta1), sin(theta1), cos(theta2), sin(theta2)
    printed = sp.Matrix([
        [s1**2 * c2 + c1**2, -s1 * c1 * (1 - c2), s2 * s1],
        [-(1 - c2) * s1 * c1, s1**2 + c1**2 * c2, s2 * c1],
        [-s2 * s1, -s2 * c1, c2],
    ])  # fmt: skip
    found = sp.Matrix(cd.geometry.rotation.about((c1, -s1, sp.S.Zero), theta2)).T
    yield identity("direction cosines about an axis of space", "2/6, C of B and C", found, printed)
    first = sp.Matrix([[c1, s1, 0], [-s1, c1, 0], [0, 0, 1]])
    both = sp.Matrix([[c1, s1 * c2, s1 * s2], [-s1, c1 * c2, c1 * s2], [0, -s2, c2]])
    yield identity("and its product with the first turn", "2/6, C of A and C", printed * first, both)
    again = sp.Matrix((cd.rotations.about("z", theta1) @ cd.rotations.about("z", theta2)).direction_cosines)
    turn = theta1 + theta2
    once = sp.Matrix([[cos(turn), sin(turn), 0], [-sin(turn), cos(turn), 0], [0, 0, 1]])
    yield identity("twice about one axis is once", "2/6", again, once)


def tensors() -> Iterator[Pair]:
    """Components along turned axes b_i of D as b_i . D b_j, with b_i typed by Rodrigues' formula; and C D C^T."""
    for n, angle, r in random_axes(5):
        D = np.outer(r, r) + np.diag([1.0, 2.0, 3.0])
        b = about(n, angle).T  # rows are the turned axes
        expected = [[b[i] @ D @ b[j] for j in range(3)] for i in range(3)]
        back = cd.rotations.about(n.tolist(), angle).inverse
        yield back.tensor(D.tolist()), expected


def conventions() -> Pair:
    """Cardan's R of every convention, and products of the printed C transposed: body axes to the right, space left."""
    found, expected = [], []
    for axes in product((1, 2, 3), repeat=3):
        if axes[0] == axes[1] or axes[1] == axes[2]:
            continue
        a, b, c = (elementary(angle)[k].T for k, angle in zip(axes, (theta1, theta2, theta3), strict=True))
        for space in (False, True):
            name = "-".join(map(str, axes))
            found += list(sp.Matrix(cd.rotations.euler(name, theta1, theta2, theta3, space=space).matrix))
            expected += list(c * b * a if space else a * b * c)
    return found, expected


def small_rotations() -> Iterator[Check]:
    """R = 1 + theta S(n) to first order, and two small rotations add."""
    n, m, e = sp.symbols("n1:4"), sp.symbols("m1:4"), sp.Symbol("e")
    S_n, S_m = (sp.Matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]) for a in (n, m))
    first = sp.Matrix(cd.geometry.rotation.about(n, e)).diff(e).subs(e, 0)
    yield identity("small rotations", "2/13", first, S_n)
    small = cd.geometry.rotation.small
    both = sp.Matrix(small([e * x for x in m])) * sp.Matrix(small([e * x for x in n]))
    yield identity("small rotations add", "2/13", both.diff(e).subs(e, 0), S_n + S_m)


H, TIMES = 1e-3, np.linspace(0.1, 3.9, 30)


def slope(values: Sequence[Array]) -> Array:
    """Rates from values at t - 2h, t - h, t + h, t + 2h."""
    return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * H)


def rates(run: cd.Run) -> Pair:
    """Rd R^T along the run, and S(omega)."""
    Rd = slope([run.at(TIMES + k * H).rotation("body") for k in (-2, -1, 1, 2)])
    here = run.at(TIMES)
    expected = np.array([skew(w) for w in here.omega("body", expressed_in="world")])
    return np.einsum("tij,tkj->tik", Rd, here.rotation("body")), expected


def transport(run: cd.Run) -> Pair:
    """Rate of H seen from the body plus omega x H, and its rate seen from space, which is the moment: zero."""
    Hd = slope([run.at(TIMES + k * H).omega("body") * INERTIA for k in (-2, -1, 1, 2)])
    w = run.at(TIMES).omega("body")
    return Hd + np.cross(w, w * INERTIA), np.zeros((len(TIMES), 3))


def readings(run: cd.Run) -> Iterator[Pair]:
    """R rebuilt from the angles of each convention along the run, and R."""
    for R in run.at(TIMES[::3]).rotation("body"):
        for one in cd.rotations.conventions():
            angles = cd.rotations.from_matrix(R.tolist()).angles(one).angles
            yield cd.rotations.euler(one, *angles).matrix, R


def picture(run: cd.Run) -> Figure:
    """The tips of the body axes on the unit sphere, and the angle of the rotation from the start."""
    with panels("tips of the body axes", "one angle about one axis", spatial=(0,), size=(9.0, 4.0)) as (figure, axes):
        at = smooth(run)
        R = at.rotation("body")
        a, b = np.meshgrid(np.linspace(0, np.pi, 13), np.linspace(0, 2 * np.pi, 25))
        axes[0].plot_wireframe(np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a), color="#dcdcdc", lw=0.5)
        for k, name in enumerate("xyz"):
            axes[0].plot(*R[:, :, k].T, label=f"$e_{name}$")
        axes[0].set(xlabel="x", ylabel="y", zlabel="z", box_aspect=(1, 1, 1))
        axes[0].legend(loc="upper left", fontsize=9)
        found = [cd.rotations.from_matrix(one.tolist()) for one in R]
        axes[1].plot(at.t, [one.angle for one in found], color=DARK, label="angle [rad]")
        for k, name in enumerate("xyz"):
            axes[1].plot(at.t, [one.axis[k] for one in found], lw=1.0, label=f"$n_{name}$")
        axes[1].set(xlabel="time [s]", ylabel="angle [rad], components of the axis")
        axes[1].legend(fontsize=9, ncols=2)
    return figure


ENTRY = Entry(
    id="R1",
    where="lectures 1/23 to 2/25",
    lesson=(
        "Whatever a rigid body has done, one turn about one axis would have done it: Euler's theorem. From the axis "
        "and the angle follow the matrix, the dyad and the direction cosines, and back from the matrix the angle by "
        "its trace and the axis as the vector it leaves alone. Rotations do not add, they multiply, and the order "
        "matters; turning about axes that move with the body multiplies on one side, about fixed axes on the other, "
        "which makes 24 conventions out of three angles. Only small rotations add like vectors, and that is why "
        "angular velocity is a vector although rotation is none. In the picture the axis jumps where the angle "
        "reaches half a turn."
    ),
    system=system,
    checks=checks,
    start={"duration": 4.0, **START},
    picture=picture,
    caption="One free tumble: where the body axes go, and the single turn that leads there from the start.",
    erratum=(
        "1/28: (sin(theta) n, cos(theta)) loses n at theta = pi; 2/4: c_ij = b_i . a_j; 2/6: entry (2,3) is "
        "sin(theta_2); 2/11: R_ij has - sin(theta) eps_ijk n_k."
    ),
)
