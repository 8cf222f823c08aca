"""R6: what constraint forces may not do (Postulate A), and the action of a motion, which is stationary."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, panels
from cardan.gallery.ruina.vectors import Array, about, skew

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MASSES = np.array([1.0, 0.6, 0.8, 0.4])
PLACES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.9, 0.0], [0.4, 0.3, 0.8]])
DOWN = np.array([0.0, 0.0, -9.81])
DURATION = 0.8
SPIN, SPEED = np.array([1.5, -2.5, 3.0]), np.array([1.0, 0.0, 3.0])


def system() -> cd.System:
    """A rigid object made of four particles and six rods, thrown."""
    s = cd.System("tetrahedron of rods")
    points = []
    for k, mass in enumerate(MASSES, start=1):
        place = s.coordinates(f"x{k} y{k} z{k}")
        points.append(s.particle(f"P{k}", mass=float(mass), position=s.world.vector(*place)))
    for (i, a), (j, b) in combinations(enumerate(points), 2):
        s.distance(a, b, float(np.linalg.norm(PLACES[i] - PLACES[j])), name=f"rod{i + 1}{j + 1}")
    s.gravity(-9.81 * s.world.z)
    return s


def start() -> Start:
    """Thrown with SPEED and turning with SPIN."""
    return {"q": PLACES.ravel().tolist(), "v": (SPEED + np.cross(SPIN, PLACES)).ravel().tolist()}


@cache
def grid() -> tuple[Array, Array]:
    """Times and weights of Gauss' rule over the motion, 60 points: exact to rounding for these smooth motions."""
    x, w = np.polynomial.legendre.leggauss(60)
    return np.asarray(DURATION * (x + 1) / 2), np.asarray(DURATION * w / 2)


def checks(s: cd.System) -> Iterator[Check]:
    times, weights = grid()
    run = s.simulate(DURATION, **start(), rtol=1e-12, atol=1e-14).at(times)
    x, v = run.q.reshape(-1, 4, 3), run.v.reshape(-1, 4, 3)
    inner = np.stack([run.reactions[f"P{k}"].force for k in (1, 2, 3, 4)], axis=1)
    yield same("the rods do pull and push", "3/18", bool(np.abs(inner).max() > 1.0), True)
    yield near("internal forces have no net force", "3/18", inner.sum(axis=1), np.zeros((60, 3)), within=1e-11)
    moment = np.cross(x, inner).sum(axis=1)
    yield near(
        "and no net moment", "3/18", moment, np.zeros((60, 3)), within=1e-11, because="sums of products of size ten"
    )
    yield agreement("they do no work in any rigid motion", "3/18, Postulate A", powers(x, inner))
    yield near(
        "real motion: m a = F + weight, particle by particle", "3/20", *newton(run, inner), within=1e-10,
        because="one solve with six multipliers of size ten",
    )  # fmt: skip
    yield agreement(
        "the action is stationary for variations that keep the rods", "3/20, boxed", first_variations(x, v, weights),
        within=1e-9, because="differences of order eps^4 = 1e-12, and rounding of actions of size ten over eps = 1e-3",
    )  # fmt: skip
    yield same("and is not constant there", "3/20", bool(second_variation(x, v, weights) > 1e-2), True)
    yield near(
        "breaking a rod, the variation is minus the work of the rods", "3/20", *broken(x, v, inner, weights),
        within=1e-9, because="the action is quadratic in this variation; rounding of a difference over eps",
    )  # fmt: skip
    yield from principle(s)
    yield from conserved(s)


def principle(s: cd.System) -> Iterator[Check]:
    """The same asked of ``s.action``: sines of every coordinate, as far as the rods allow them."""
    run = s.simulate(DURATION, **start(), rtol=1e-12, atol=1e-14)
    times, weights = grid()
    at, found = run.at(times), s.action(run)
    by_hand = action(at.q.reshape(-1, 4, 3), at.v.reshape(-1, 4, 3), weights)
    yield near("the action of the motion", "3/20", found.value, by_hand, within=1e-10,
               because="Simpson's rule of 2001 points beside Gauss' of 60")  # fmt: skip
    yield near("which 48 variations that keep the rods do not change", "3/20, boxed", found.variations,
               np.zeros((4, 12)), within=1e-9, because="parts of size twenty, a motion followed to 1e-12")  # fmt: skip


def conserved(s: cd.System) -> Iterator[Check]:
    """What ``s.invariants`` finds: energy, and with gravity along z only P_x, P_y, L_z and H_G, in some combination."""
    found = s.invariants()
    yield same("what is conserved", "3/18 and 3/20", [one.kind for one in found], ["momentum"] * 6 + ["energy"])
    draw = np.random.default_rng(6)
    x, v = draw.normal(size=(2, 25, 4, 3))
    told = np.stack([evaluated(s, one.expression, x, v) for one in found])
    V, K = -np.einsum("k,tki,i->t", MASSES, x, DOWN), 0.5 * np.einsum("k,tki,tki->t", MASSES, v, v)
    yield near("energy", "3/20", told[-1], K + V, within=1e-11, because="sums of size 50")
    hand = momenta(x, v)
    shares, *_ = np.linalg.lstsq(told[:-1].T, hand.T, rcond=None)
    yield near("momentum across gravity, angular momentum along it and about G", "3/18", (told[:-1].T @ shares).T, hand,
               within=1e-10, because="six unknowns from 25 states, values of size ten")  # fmt: skip
    yield same("none of them twice", "3/18", int(np.linalg.matrix_rank(told[:-1], tol=1e-6)), 6)


def evaluated(s: cd.System, expression: sp.Expr, x: Array, v: Array) -> Array:
    """An expression of coordinates and velocities at states."""
    value = sp.lambdify([*s.model.q, *s.model.v], expression, "numpy")
    return np.asarray(value(*x.reshape(-1, 12).T, *v.reshape(-1, 12).T))


def momenta(x: Array, v: Array) -> Array:
    """P_x, P_y, L_z and the three of H_G, of particles at x with velocities v; one row each."""
    m = MASSES[:, None]
    P, G = (m * v).sum(axis=1), (m * x).sum(axis=1) / MASSES.sum()
    L, H = (np.cross(one, m * v).sum(axis=1) for one in (x, x - G[:, None]))
    return np.asarray(np.vstack([P[:, :2].T, L[:, 2], H.T]))


def powers(x: Array, inner: Array) -> Iterator[Pair]:
    """Sum of F . (dv_G + dw x r) for random dv and dw, and zero."""
    draw = np.random.default_rng(18)
    for dv, dw in draw.uniform(-1, 1, (10, 2, 3)):
        yield np.einsum("tki,tki->t", inner, dv + np.cross(dw, x)), np.zeros(len(x))


def newton(run: cd.Run, inner: Array) -> Pair:
    a = run.acceleration.reshape(-1, 4, 3)
    return MASSES[:, None] * a, inner + MASSES[:, None] * DOWN


def action(x: Array, v: Array, weights: Array) -> float:
    """The integral of T - V."""
    T = 0.5 * np.einsum("k,tki,tki->t", MASSES, v, v)
    V = -np.einsum("k,tki,i->t", MASSES, x, DOWN)
    return float(weights @ (T - V))


def bump(kind: int) -> tuple[Array, Array]:
    """A function that vanishes at both ends, and its rate: t^k (D - t), scaled."""
    t, _ = grid()
    size = DURATION ** (kind + 1) / 4
    return t**kind * (DURATION - t) / size, (kind * t ** (kind - 1) * (DURATION - t) - t**kind) / size


def varied(x: Array, v: Array, eps: float, axis: Array, shift: Array, kind: int) -> tuple[Array, Array]:
    """The motion turned about its first particle by eps b(t) axis and moved by eps b(t) shift: the rods stay."""
    b, bd = bump(kind)
    R = np.stack([about(axis, eps * one) for one in b])
    turned, moving = (np.einsum("tij,tkj->tki", R, one - one[:, :1]) for one in (x, v))
    extra = eps * bd[:, None, None] * (turned @ skew(axis).T)
    place = x[:, :1] + turned + eps * b[:, None, None] * shift
    return place, v[:, :1] + moving + extra + eps * bd[:, None, None] * shift


def first_variations(x: Array, v: Array, weights: Array, eps: float = 1e-3) -> Iterator[Pair]:
    """dS/deps at eps = 0 of random variations, by four values, and zero."""
    draw = np.random.default_rng(20)
    for k in range(12):
        axis, shift = draw.normal(size=3), draw.normal(size=3)
        axis /= np.linalg.norm(axis)
        S = [action(*varied(x, v, e * eps, axis, shift, 1 + k % 3), weights) for e in (-2, -1, 1, 2)]
        yield (S[0] - 8 * S[1] + 8 * S[2] - S[3]) / (12 * eps), 0.0


def second_variation(x: Array, v: Array, weights: Array, eps: float = 1e-2) -> float:
    """(S(eps) + S(-eps) - 2 S(0)) / eps^2 of one variation."""
    axis, shift = np.array([0.0, 0.6, 0.8]), np.array([1.0, 0.0, 0.0])
    up, down = (action(*varied(x, v, e, axis, shift, 1), weights) for e in (eps, -eps))
    return (up + down - 2 * action(x, v, weights)) / eps**2


def broken(x: Array, v: Array, inner: Array, weights: Array, eps: float = 1e-3) -> Pair:
    """dS/deps where only the fourth particle is moved, and minus the integral of its constraint force times that."""
    b, bd = bump(1)
    only = np.zeros((4, 3))
    only[3] = [0.6, 0.0, 0.8]
    up, down = (action(x + e * b[:, None, None] * only, v + e * bd[:, None, None] * only, weights) for e in (eps, -eps))
    return (up - down) / (2 * eps), -float(weights @ (b * (inner[:, 3] @ only[3])))


def picture(run: cd.Run) -> Figure:
    """The throw, and the action of varied motions against the size of the variation."""
    times, weights = grid()
    with panels("the throw", "action of varied motions", spatial=(0,), size=(9.2, 4.0)) as (figure, (scene, graph)):
        at = run.at(np.linspace(0, DURATION, 200))
        for k in (1, 2, 3, 4):
            scene.plot(*at.position(f"P{k}").T, lw=1)
        for moment in (0, 99, 199):
            for i, j in combinations((1, 2, 3, 4), 2):
                scene.plot(*np.stack([at.position(f"P{i}")[moment], at.position(f"P{j}")[moment]]).T, color=DARK, lw=1)
        scene.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", aspect="equal")
        scene.locator_params(nbins=4)
        at = run.at(times)
        x, v = at.q.reshape(-1, 4, 3), at.v.reshape(-1, 4, 3)
        sizes, best = np.linspace(-0.3, 0.3, 61), action(x, v, weights)
        axis, shift = np.array([0.0, 0.6, 0.8]), np.array([0.5, 0.0, 0.0])
        for kind in (1, 2):
            values = [action(*varied(x, v, e, axis, shift, kind), weights) - best for e in sizes]
            graph.plot(sizes, values, label=f"rods kept, variation {kind}")
        b, bd = bump(1)
        only = np.zeros((4, 3))
        only[3] = [0.6, 0.0, 0.8]
        values = [
            action(x + e * b[:, None, None] * only, v + e * bd[:, None, None] * only, weights) - best for e in sizes
        ]
        graph.plot(sizes, values, "--", label="a rod broken")
        graph.set(xlabel=r"size $\epsilon$ of the variation [m, rad]", ylabel="action less that of the motion [J s]")
        graph.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="R6",
    where="lectures 3/18 and 3/20",
    lesson=(
        "Lagrange's mechanics rests on one assumption about forces nobody wants to know: those of the constraints do "
        "no work in any motion the constraints allow, real or imagined. For a rigid object this makes the internal "
        "forces cancel in sum and in moment without any appeal to Newton's third law. Then the sum of (F - m a) . dx "
        "vanishes with the applied forces alone, and, integrated in time, it is the variation of the action: of all "
        "motions that keep the rods and share both ends, the real one makes the action stationary. A variation that "
        "breaks a rod changes it to first order, by exactly the work of the forces that were left out. What the weight "
        "leaves alone is conserved: the energy, momentum across gravity, and angular momentum along it and about G."
    ),
    system=system,
    checks=checks,
    start={"duration": DURATION, **start(), "rtol": 1e-12, "atol": 1e-14},
    picture=picture,
    caption="A thrown tetrahedron of rods: its action is stationary as long as the variation keeps the rods.",
)
