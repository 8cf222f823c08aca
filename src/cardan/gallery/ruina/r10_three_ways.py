"""R10: one free body three ways: rotation matrix, Euler angles by angular momentum, Euler angles by Lagrange."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near
from cardan.gallery.entry import Check, Entry, Tolerances
from cardan.gallery.pictures import panels, smooth
from cardan.gallery.ruina.vectors import Array, about, skew
from cardan.gallery.sampling import ANGLE, body_of, letters, numbers, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

I_REF = np.array([[0.5, 0.04, -0.03], [0.04, 0.4, 0.05], [-0.03, 0.05, 0.3]])
W_0 = np.array([2.0, 0.8, -0.5])
RATES = [float(W_0[2]), float(W_0[1]), float(W_0[0])]  # at zero angles phid, thetad, psid are about z, y, x
DURATION, STEP = 2.0, 0.002
RANGES = [ANGLE, (-1.2, 1.2), ANGLE]
TIGHT: Tolerances = {"rtol": 1e-11, "atol": 1e-13}


def system() -> cd.System:
    """The third way: Lagrange's equations in 3-2-1 Euler angles."""
    s = cd.System("free body by Euler angles")
    phi, theta, psi = s.coordinates("phi theta psi")
    s.body("body", mass=1.0, inertia=I_REF, joint=cd.Ball(cd.Euler("3-2-1", phi, theta, psi)))
    return s


def rotation_and_axes(angles: Sequence[float] | Array) -> tuple[Array, Array]:
    """R = R(e_3, phi) R(e_2, theta) R(e_1, psi), and A with [w] = A (phid, thetad, psid), as on 4/15."""
    phi, theta, psi = angles
    e1, e2, e3 = np.eye(3)
    first, second, third = about(e3, phi), about(e2, theta), about(e1, psi)
    return first @ second @ third, np.stack([e3, first @ e2, first @ second @ e1], axis=1)


def method_1(angles: Sequence[float] | Array, rates: Sequence[float] | Array) -> Array:
    """Phidd = A^-1 (wd - Ad Phid), wd = I^-1 (-w x I w); the columns of A turn with the axes that carry them."""
    R, A = rotation_and_axes(angles)
    w, inertia = A @ rates, R @ I_REF @ R.T
    wd = np.linalg.solve(inertia, -np.cross(w, inertia @ w))
    turning = [np.zeros(3), rates[0] * A[:, 0], rates[0] * A[:, 0] + rates[1] * A[:, 1]]
    Ad = np.stack([np.cross(turning[k], A[:, k]) for k in range(3)], axis=1)
    return np.asarray(np.linalg.solve(A, wd - Ad @ rates))


def by_matrix(y: Array) -> Array:
    """Rd = S(w) R and wd = I^-1 (-w x I w), all in the fixed frame."""
    R, w = y[:9].reshape(3, 3), y[9:]
    inertia = R @ I_REF @ R.T
    return np.concatenate([(skew(w) @ R).ravel(), np.linalg.solve(inertia, -np.cross(w, inertia @ w))])


def march(derivative: Callable[[Array], Array], y: Array) -> Array:
    """States of the classical Runge-Kutta method, fourth order."""
    found, h = [y], STEP
    for _ in range(round(DURATION / STEP)):
        k1 = derivative(y)
        k2 = derivative(y + h / 2 * k1)
        k3 = derivative(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + derivative(y + h * k3))
        found.append(y)
    return np.array(found)


@cache
def three_rotations() -> tuple[Array, Array, Array]:
    """(times, R by the matrix, R by method 1)."""
    matrix = march(by_matrix, np.concatenate([np.eye(3).ravel(), W_0]))[:, :9].reshape(-1, 3, 3)
    start = np.concatenate([np.zeros(3), RATES])
    angles = march(lambda y: np.concatenate([y[3:], method_1(y[:3], y[3:])]), start)
    return (
        np.linspace(0, DURATION, len(matrix)),
        np.asarray(matrix),
        np.array([rotation_and_axes(one[:3])[0] for one in angles]),
    )


def checks(s: cd.System) -> Iterator[Check]:
    phi, theta, psi = letters(s, "phi theta psi")
    turn = [
        sp.Matrix([[cos(phi), -sin(phi), 0], [sin(phi), cos(phi), 0], [0, 0, 1]]),
        sp.Matrix([[cos(theta), 0, sin(theta)], [0, 1, 0], [-sin(theta), 0, cos(theta)]]),
        sp.Matrix([[1, 0, 0], [0, cos(psi), -sin(psi)], [0, sin(psi), cos(psi)]]),
    ]
    angles = (phi, theta, psi)
    found = cd.geometry.euler.matrix("3-2-1", angles)
    yield identity("R with no primes", "4/15", found, turn[0] * turn[1] * turn[2])
    yield agreement("A: axes of the three angles", "4/15, [w] = A (phid, thetad, psid)", axes(s))
    yield agreement("method 1 and Lagrange: the same accelerations", "4/15, methods 1 and 2", accelerations(s))
    run = s.simulate(DURATION, q=[0, 0, 0], v=RATES, **TIGHT)
    times, matrix, method = three_rotations()
    because = "h^4 = 1e-11 of the Runge-Kutta method times w^5 = 50 and the duration"
    lagrange = run.at(times).rotation("body")
    yield near("matrix and Lagrange move alike", "4/15, homework", lagrange, matrix, within=1e-8, because=because)
    yield near("method 1 and Lagrange move alike", "4/15, homework", lagrange, method, within=1e-8, because=because)
    yield from all_three()
    w = run.omega("body")
    E = 0.5 * np.einsum("ti,ij,tj->t", w, I_REF, w)
    yield near("E_K = w . I . w / 2 stays", "4/15, corrected", run.energy, np.full(len(run), 0.5 * W_0 @ I_REF @ W_0),
               within=1e-9, because="100 times rtol")  # fmt: skip
    yield near("and is Cardan's energy", "4/15, corrected", run.energy, E)


def by_rotation() -> cd.System:
    """The first way: Euler's equations with the rotation itself."""
    s = cd.System("free body by its rotation")
    s.body("body", mass=1.0, inertia=I_REF, joint=cd.Ball(cd.Quaternion("e")))
    return s


def by_lagrangian() -> cd.System:
    """The third way with E_K typed: [w] along the body's axes from the rates of its angles, E_K = w . I . w / 2."""
    s = cd.System("free body by its energy")
    phi, theta, psi = s.coordinates("phi theta psi")
    w = sp.Matrix([
        psi.dot - phi.dot * sin(theta),
        theta.dot * cos(psi) + phi.dot * cos(theta) * sin(psi),
        -theta.dot * sin(psi) + phi.dot * cos(theta) * cos(psi),
    ])  # fmt: skip
    s.lagrangian((w.T * sp.Matrix(I_REF) * w)[0, 0] / 2)
    return s


def all_three() -> Iterator[Check]:
    """All three ways in Cardan: the rotation's wd, angles that follow from it by method 1, and the energy typed.

    Method 1 solves A Phidd + Ad Phid = wd with the body's angular acceleration in words, which is linear in Phidd.
    """
    rotation, energy, angles = by_rotation(), by_lagrangian(), system()
    turning, typed = rotation.compile(), energy.compile()
    alpha = numbers(angles, list(body_of(angles, "body").alpha.components(angles.world)))
    lagrange, method, first = [], [], []
    for at in states(angles, RANGES):
        R, A = rotation_and_axes(at.q)
        e = cd.rotations.from_matrix(R.tolist()).quaternion
        w = R.T @ A @ at.v
        wd = turning.acceleration(e, w)
        first.append((wd, np.linalg.solve(I_REF, -np.cross(w, I_REF @ w))))
        rest = alpha(at)
        columns = np.stack([alpha(at, unit) - rest for unit in np.eye(3)], axis=1)
        method.append((np.linalg.solve(columns, R @ wd - rest), method_1(at.q, at.v)))
        lagrange.append((typed.acceleration(at.q, at.v), method_1(at.q, at.v)))
    yield agreement("the rotation: wd = I^-1 (- w x I w)", "4/15, corrected", first)
    yield agreement("method 1 by Cardan's wd and A", "4/15, method 1", method)
    yield agreement("method 2 by the energy typed", "4/15, method 2", lagrange)
    times = np.linspace(0, DURATION, 9)
    R = rotation.simulate(DURATION, q=[1, 0, 0, 0], v=W_0, times=times, **TIGHT).rotation("body")
    found = energy.simulate(DURATION, q=[0, 0, 0], v=RATES, times=times, **TIGHT)
    read = np.array([rotation_and_axes(q)[0] for q in found.q])
    yield near("rotation and energy move alike", "4/15, homework", R, read, within=1e-9, because="100 times rtol")


def axes(s: cd.System) -> Iterator[Pair]:
    """Angular velocity in space by Cardan for unit rates, and the columns of A."""
    for at in states(s, RANGES):
        R, A = rotation_and_axes(at.q)
        found = [R @ cd.geometry.euler.angular_velocity("3-2-1", at.q.tolist(), unit) for unit in np.eye(3).tolist()]
        yield np.stack(found, axis=1), A


def accelerations(s: cd.System) -> Iterator[Pair]:
    eq, kernel = s.equations(), s.compile()
    for at in states(s, RANGES):
        expected = method_1(at.q, at.v)
        yield eq.at(at.q, at.v).acceleration, expected
        yield kernel.acceleration(at.q, at.v), expected


def picture(run: cd.Run) -> Figure:
    """The angles of all three, and how far the rotations differ."""
    times, matrix, method = three_rotations()
    with panels("Euler angles", "difference of the rotations", size=(9.2, 3.7)) as (figure, (graph, gap)):
        at = smooth(run)
        some = slice(None, None, 100)
        for name in ("phi", "theta", "psi"):
            (line,) = graph.plot(at.t, at[name], label=rf"$\{name}$")
            found = [cd.geometry.euler.angles_from("3-2-1", R.tolist()).angles for R in matrix[some]]
            value = np.unwrap(np.array(found)[:, ("phi", "theta", "psi").index(name)])
            graph.plot(times[some], value, "o", ms=4, color=line.get_color())
        graph.set(xlabel="time [s]", ylabel="angle [rad] (dots: rotation matrix)")
        graph.legend(fontsize=9)
        exact = run.at(times).rotation("body")
        for name, R in (("rotation matrix", matrix), ("method 1", method)):
            gap.semilogy(times[1:], np.abs(R - exact).max(axis=(1, 2))[1:], label=f"{name} and Lagrange")
        gap.set(xlabel="time [s]", ylabel="largest difference of an entry")
        gap.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="R10",
    where="lecture 4/15",
    lesson=(
        "Three derivations, one motion. The rotation matrix carries nine numbers and a balance of angular momentum "
        "written in fixed axes. Euler angles need the matrix A of their three axes: its inverse turns the same "
        "balance into second rates of angles, and it does not exist where the first and the last axis meet. "
        "Lagrange's equations never mention momentum and arrive at the same accelerations, number for number. A "
        "student who has two of the three in a program has a test for the third, which is why the homework asks for "
        "all."
    ),
    system=system,
    checks=checks,
    start={"duration": DURATION, "q": [0, 0, 0], "v": RATES, **TIGHT},
    picture=picture,
    caption="Lagrange's angles (lines), the rotation matrix read as angles (dots), and what separates the three.",
    erratum="4/15: the minus before w x (I w) is lost, and E_K = w . I . w / 2.",
)
