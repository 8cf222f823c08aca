"""R12: a double pendulum in three dimensions, hinges not parallel, and three ways to its mass matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, panels, smooth
from cardan.gallery.sampling import ANGLE, Array, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Numbers: TypeAlias = NDArray[np.object_] | Array  # SymPy's expressions, or floats
Letters: TypeAlias = Sequence[sp.Expr] | Array
Hinges: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]

TENTH = sp.Rational(1, 10)
HINGE_0, HINGE_1 = (1, 0, 0), (0, 1, 0)  # of the reference configuration
R_1, R_C, R_2 = (1, -1, -5), (2, 1, -8), (-1, 1, -4)  # O to G1, O to C, C to G2, in tenths
I_1, I_2 = [[5, 1, -1], [1, 4, 1], [-1, 1, 3]], [[3, -1, 0], [-1, 4, 1], [0, 1, 4]]  # in tenths
M_1, M_2, G = 17 * TENTH, 9 * TENTH, sp.Rational(981, 100)


def tenths(value: ArrayLike) -> Numbers:
    """Exact tenths as an array of SymPy numbers."""
    return np.asarray(np.vectorize(lambda x: x * TENTH, otypes=[object])(np.array(value)))


def system(hinges: Hinges = (HINGE_0, HINGE_1)) -> cd.System:
    s = cd.System("double pendulum in space")
    theta1, theta2 = s.coordinates("theta1 theta2", on="S1")
    upper = s.body("upper", mass=M_1, inertia=tenths(I_1), com=tuple(tenths(R_1)), joint=cd.Revolute(hinges[0], theta1))
    joint = cd.Revolute(hinges[1], theta2)
    s.body(
        "lower", mass=M_2, inertia=tenths(I_2), com=tuple(tenths(R_2)), at=tuple(tenths(R_C)), joint=joint, parent=upper
    )
    s.gravity(-G * s.world.z)
    return s


def turn(n: Numbers, angle: sp.Expr, maths: ModuleType) -> Numbers:
    """Rodrigues' formula, for numbers and for symbols."""
    S = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    turned: Numbers = np.eye(3, dtype=int) + maths.sin(angle) * S + (1 - maths.cos(angle)) * (S @ S)
    return turned


def unbalance(
    q: Letters, v: Letters, vd: Letters, maths: ModuleType = np, hinges: Hinges = (HINGE_0, HINGE_1)
) -> Numbers:
    """{Hd_/0 - M_/0} . lambda_0 of both bodies and {Hd_/C - M_/C} . lambda_1 of the second, as printed."""
    return balances(q, v, vd, maths, hinges)[0]


def balances(q: Letters, v: Letters, vd: Letters, maths: ModuleType, hinges: Hinges) -> tuple[Numbers, ...]:
    """The two moments about the hinges; m (a_G + g k) and Hd_/G of the first body, and of the second, in space."""
    exact = maths is sp
    r1, rc, r2, i1, i2 = (tenths(x) if exact else np.array(x) / 10 for x in (R_1, R_C, R_2, I_1, I_2))
    m1, m2, g = (M_1, M_2, G) if exact else (float(M_1), float(M_2), float(G))
    cross, k, hinge_0 = np.cross, np.array([0, 0, 1]), np.array(hinges[0])
    R1 = turn(hinge_0, q[0], maths)
    hinge_1 = R1 @ np.array(hinges[1])
    R2 = turn(hinge_1, q[1], maths) @ R1
    r1, rc, r2, i1, i2 = R1 @ r1, R1 @ rc, R2 @ r2, R1 @ i1 @ R1.T, R2 @ i2 @ R2.T
    w1, alpha1 = v[0] * hinge_0, vd[0] * hinge_0
    w2 = w1 + v[1] * hinge_1
    alpha2 = alpha1 + vd[1] * hinge_1 + v[0] * v[1] * cross(hinge_0, hinge_1)
    a1 = cross(alpha1, r1) + cross(w1, cross(w1, r1))
    a2 = cross(alpha1, rc) + cross(w1, cross(w1, rc)) + cross(alpha2, r2) + cross(w2, cross(w2, r2))
    second = i2 @ alpha2 + cross(w2, i2 @ w2)
    first = i1 @ alpha1 + cross(w1, i1 @ w1)
    f1, f2 = m1 * (a1 + g * k), m2 * (a2 + g * k)
    about_c = cross(r2, f2) + second
    about_0 = cross(r1, f1) + first + cross(rc + r2, f2) + second
    return np.array([about_0 @ hinge_0, about_c @ hinge_1]), f1, first, f2, second


def by_numbers(equations: Callable[[tuple[float, float]], Numbers]) -> tuple[Array, Array]:
    """Method 3, numbers and no symbols: thetadd = (0, 0), (1, 0), (0, 1) give the columns of M and the rest."""
    rest, first, second = (np.asarray(equations(vd), dtype=float) for vd in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    return np.stack([first - rest, second - rest], axis=1), rest


def checks(s: cd.System) -> Iterator[Check]:
    eq, q, v = s.equations(), s.model.q, s.model.v
    vd = [one.dot for one in v]
    balance = sp.Matrix(unbalance(q, v, vd, sp))
    yield identity("method 1: M is the Jacobian of the balance", "4/29, (1)", eq.mass_matrix, balance.jacobian(vd))
    still = {**dict.fromkeys(v, 0), **dict.fromkeys(vd, 0)}
    yield identity("gravity", "4/29", eq.potential_terms, balance.subs(still))
    rates = balance.subs(dict.fromkeys(vd, 0)) - balance.subs(still)
    yield identity("velocity terms", "4/29", eq.velocity_terms, rates)
    yield agreement("method 2: composite bodies in native code", "4/29, (2)", composite(s))
    yield agreement("method 3: three runs of inverse dynamics", "4/29, (3)", numbers_only(s))
    yield from oblique()
    yield near(
        "energy of a motion stays", "4/29", *energy(s), within=1e-9, because="100 times rtol, energies of ten joules"
    )
    yield near(
        "the motion satisfies the balance", "4/29", *satisfied(s), within=1e-6,
        because="velocities to 1e-10 by differences over h = 1e-3, times inertias near one",
    )  # fmt: skip


def composite(s: cd.System) -> Iterator[Pair]:
    kernel = s.compile()
    for at in states(s, [ANGLE, ANGLE]):
        M, rest = by_numbers(partial(unbalance, at.q, at.v))
        yield kernel.mass_matrix(at.q), M
        yield kernel.acceleration(at.q, at.v), np.linalg.solve(M, -rest)


def numbers_only(s: cd.System) -> Iterator[Pair]:
    kernel = s.compile()
    for at in states(s, [ANGLE, ANGLE], seed=1):
        found = by_numbers(partial(kernel.inverse_dynamics, at.q, at.v))
        expected = by_numbers(partial(unbalance, at.q, at.v))
        yield from zip(found, expected, strict=True)


OBLIQUE: Hinges = ((2 / 7, 3 / 7, 6 / 7), (6 / 7, -2 / 7, 3 / 7))


def oblique() -> Iterator[Check]:
    """Hinges at any angle: accelerations, and what the hinges do to each body by the balances of that body."""
    s = system(OBLIQUE)
    eq, kernel, moved, carried = s.equations(), s.compile(), [], []
    for at in states(s, [ANGLE, ANGLE], seed=2):
        M, rest = by_numbers(partial(unbalance, at.q, at.v, hinges=OBLIQUE))
        vd: Array = np.asarray(np.linalg.solve(M, -rest), dtype=np.float64)
        moved += [(kernel.acceleration(at.q, at.v), vd), (kernel.mass_matrix(at.q), M)]
        expected = np.concatenate(balances(at.q, at.v, vd, np, OBLIQUE)[1:])
        found = eq.at(at.q, at.v).reactions
        carried.append(
            (np.concatenate([[*found[one].force, *found[one].moment] for one in ("upper", "lower")]), expected)
        )
    yield agreement("oblique hinges: M and accelerations", "4/29, FBDs", moved)
    yield agreement("oblique hinges: reactions of both bodies", "4/29, LMB and AMB", carried)


START: Start = {"q": [1.5, -0.8], "v": [0.5, 1.0]}


def energy(s: cd.System) -> Pair:
    run = s.simulate(4.0, **START, rtol=1e-11, atol=1e-13)
    return run.energy, np.full(len(run), run.energy[0])


def satisfied(s: cd.System) -> Pair:
    """The unbalance along the motion with accelerations by differences of the computed velocities."""
    run, h, left = s.simulate(4.0, **START, rtol=1e-11, atol=1e-13), 1e-3, []
    for t in np.linspace(0.1, 3.9, 12):
        near_t = run.at([t - 2 * h, t - h, t, t + h, t + 2 * h])
        vd = (near_t.v[0] - 8 * near_t.v[1] + 8 * near_t.v[3] - near_t.v[4]) / (12 * h)
        left.append(unbalance(near_t.q[2], near_t.v[2], vd))
    return left, np.zeros((12, 2))


def picture(run: cd.Run) -> Figure:
    """Where hinge C and the centre of the second body go, and the entries of M along the way."""
    with panels("paths", "mass matrix along the motion", spatial=(0,), size=(9.4, 4.0)) as (figure, (scene, graph)):
        at = smooth(run, 1500)
        kernel = run.system.compile()
        upper, lower = at.position("upper"), at.position("lower")
        centre = np.array([p + R @ (np.array(R_2) / 10) for p, R in zip(lower, at.rotation("lower"), strict=True)])
        scene.plot(*lower.T, lw=1, label="hinge C")
        scene.plot(*centre.T, lw=1, label="centre of the second body")
        scene.plot(*np.stack([upper[0], lower[0], centre[0]]).T, "-o", color=DARK, ms=4)
        scene.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", aspect="equal")
        scene.set_xticks([0.0, 0.5])
        scene.legend(loc="upper left", fontsize=9)
        M = np.array([kernel.mass_matrix(q) for q in at.q])
        for i, j in ((0, 0), (0, 1), (1, 1)):
            graph.plot(at.t, M[:, i, j], label=f"$M_{{{i + 1}{j + 1}}}$")
        graph.set(xlabel="time [s]", ylabel="kg m²")
        graph.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="R12",
    where="lecture 4/29, double pendulum in three dimensions",
    lesson=(
        "Two hinges that are not parallel make a system nobody wants to expand by hand, and nobody has to. The "
        "balance of angular momentum of everything about the first hinge, and of the second body about the second, "
        "are two numbers for any guess of the accelerations, linear in that guess. So M is the Jacobian of symbols, "
        "or comes from composite bodies as in Featherstone's algorithm, or, with no symbols at all, from three "
        "evaluations with accelerations (0, 0), (1, 0) and (0, 1): differences are its columns. All three agree, and "
        "the last one works for any mechanism whose inverse dynamics can be computed."
    ),
    system=system,
    checks=checks,
    start={"duration": 8.0, **START},
    picture=picture,
    caption="A double pendulum with hinges along x and y of the reference configuration.",
    erratum="4/29: R_2 = R(lambda_1, theta_2) . R_1, and the third run of the numerical method has thetadd = (0, 1).",
)
