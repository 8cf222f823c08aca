"""B4: where a constraint distribution is singular: a cart with two wheels that are steered independently."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from sympy import cos, sin

import cardan as cd
from cardan.diagnosis.sets.sets import SingularSet
from cardan.gallery.briggs.balances import allowed, drift, freedoms, solved
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, panels, smooth
from cardan.gallery.sampling import body_of, letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
LENGTH = 0.8
START: Start = {"q": [0, 0, 0, 0.2, -0.5], "v": {"x": 1.0, "phi1": 0.7, "phi2": -0.5}}
QUARTERS = np.linspace(-np.pi, np.pi, 5)  # -180, -90, 0, 90, 180 degrees


def system() -> cd.System:
    """Front and rear wheel turn by phi1 and phi2; neither slips along its axle."""
    s = cd.System("cart with two steered wheels")
    x, y = s.coordinates("x y")
    theta, phi1, phi2 = s.coordinates("theta phi1 phi2", on="S1")
    length = s.parameters(l=LENGTH)
    cart = s.body("cart", mass=2.0, inertia=0.2, joint=cd.Planar(x, y, theta))
    front = s.body("front", mass=0.3, inertia=0.01, parent=cart, at=(length / 2, 0, 0), joint=cd.Revolute("z", phi1))
    rear = s.body("rear", mass=0.3, inertia=0.01, parent=cart, at=(-length / 2, 0, 0), joint=cd.Revolute("z", phi2))
    s.no_slip(on=front, along=front.y, name="front_wheel")
    s.no_slip(on=rear, along=rear.y, name="rear_wheel")
    return s


def tied(ratio: float | None = None) -> cd.System:
    """The same with phi2 = ratio phi1; -1 is the snake cart of section 1.2, which is built without a parameter."""
    s = cd.System("snake cart" if ratio is None else "cart with tied wheels")
    x, y = s.coordinates("x y")
    theta, phi = s.coordinates("theta phi", on="S1")
    turn = -phi if ratio is None else s.parameters(ratio=ratio) * phi
    cart = s.body("cart", mass=2.0, inertia=0.2, joint=cd.Planar(x, y, theta))
    front = s.body("front", mass=0.3, inertia=0.01, parent=cart, at=(LENGTH / 2, 0, 0), joint=cd.Revolute("z", phi))
    rear = s.body("rear", mass=0.3, inertia=0.01, parent=cart, at=(-LENGTH / 2, 0, 0), joint=cd.Revolute("z", turn))
    s.no_slip(on=front, along=front.y, name="front_wheel")
    s.no_slip(on=rear, along=rear.y, name="rear_wheel")
    return s


def by_hand(theta: float, phi1: float, phi2: float) -> Array:
    """Lambda of (5.2.1) by (5.1.2): the velocity v + w x arm of each hub along its axle."""
    found = []
    for turn, side in ((theta + phi1, 1), (theta + phi2, -1)):
        axle = np.array([-np.sin(turn), np.cos(turn)])
        arm = side * LENGTH / 2 * np.array([np.cos(theta), np.sin(theta)])
        found.append([*axle, axle @ [-arm[1], arm[0]], 0.0, 0.0])
    return np.array(found)


def checks(s: cd.System) -> Iterator[Check]:
    theta, phi1, phi2, length = letters(s, "theta phi1 phi2 l")
    printed = sp.Matrix(
        [
            [-sin(theta + phi1), cos(theta + phi1), length / 2 * cos(phi1), 0, 0],
            [-sin(theta + phi2), cos(theta + phi2), -length / 2 * cos(phi2), 0, 0],
        ]
    )
    yield identity("Lambda", "(5.1.2), (5.2.1)", s.equations().constraint_matrix, printed)
    yield agreement("dim D = dim ker Lambda on a grid", "definition 5.2", dimensions(s))
    yield agreement("it only ever increases at a singularity", "proposition 5.4, corollary 5.5", around(s))
    (found,) = [one for one in s.singular_set() if one.kind == "constraint-degeneracy"]
    yield same("the set, at all quarter turns of both wheels", "corollary 5.5", *conditions(s, found))
    yield same("it has codimension two", "corollary 5.5", found.dimension, 3)
    yield from several_carts()
    yield from dynamics(s)
    run = s.simulate(3.0, **START)
    yield same("steered independently, they pass beside it", "corollary 5.5", [one.kind for one in run.events], [])
    yield near("and no wheel slips", "definition 5.2", *slipping(run), within=1e-9, because="projected after each step")


def trailer() -> cd.System:
    """A snake cart that pulls a trailer with one fixed axle, hitched at its rear: two bodies interconnected."""
    s = tied()
    cart = body_of(s, "cart")
    psi = s.coordinates("psi", on="S1")
    hitch = s.body("trailer", mass=1.0, inertia=0.1, com=(-0.5, 0, 0), at=(-LENGTH / 2, 0, 0), parent=cart,
                   joint=cd.Revolute("z", psi))  # fmt: skip
    s.no_slip(on=hitch, point=hitch.point(-0.7, 0, 0), along=hitch.y, name="axle")
    return s


def several_carts() -> Iterator[Check]:
    """Where Cor. 5.5 finds rank D larger: on a grid of phi, both rows say the same where both cosines vanish."""
    sets = [one.text for one in tied().singular_set() if one.kind == "constraint-degeneracy"]
    yield same("tied together, the wheels must cross it", "section 1.2", sets, ["cos(phi) = 0"])
    ties, angles = tied(1.0), [k * np.pi / 4 for k in range(-3, 5)]
    for ratio, name in ((-1.0, "snake"), (1.0, "crab"), (3.0, "rear thrice"), (0.5, "rear half"), (0.0, "rear fixed")):
        cart, pairs = ties.with_values(ratio=ratio), []
        for phi in angles:
            rank = int(np.linalg.matrix_rank(by_hand(0.3, phi, ratio * phi), tol=1e-9))
            pairs.append((freedoms(cart.diagnose([0.1, 0.2, 0.3, phi])), 4 - rank))
        yield agreement(f"dim D of a cart, {name}", "corollary 5.5", pairs)
        singular = [phi for phi, (left, _) in zip(angles, pairs, strict=True) if left > 2]
        expected = [phi for phi in angles if abs(np.cos(phi)) + abs(np.cos(ratio * phi)) < 1e-9]
        yield same(f"rank D increases where both axles point ahead, {name}", "corollary 5.5", singular, expected)
    pulled, pairs = trailer(), []
    for phi, psi in ((0.4, 0.2), (np.pi / 2, 0.2), (np.pi / 2, np.pi / 2), (0.4, np.pi / 2)):
        rows = np.zeros((3, 5))
        rows[:2, :4] = by_hand(0.3, phi, -phi)[:, :4]
        rows[2] = axle_by_hand(0.3, psi)
        pairs.append((freedoms(pulled.diagnose([0.1, 0.2, 0.3, phi, psi])), 5 - int(np.linalg.matrix_rank(rows))))
    yield agreement("dim D of a cart with a trailer", "corollary 5.5, interconnected", pairs)
    yield same("2, and 3 at 90 degrees", "corollary 5.5, interconnected", [one for one, _ in pairs], [2, 3, 3, 2])


def axle_by_hand(theta: float, psi: float) -> Array:
    """The velocity of the trailer's axle along itself, on (xd, yd, thetad, phid, psid)."""
    turn = theta + psi
    arm = -LENGTH / 2 * np.array([np.cos(theta), np.sin(theta)])
    back = -0.7 * np.array([np.cos(turn), np.sin(turn)])
    axle = np.array([-np.sin(turn), np.cos(turn)])
    whole, own = arm + back, back
    return np.array([*axle, axle @ [-whole[1], whole[0]], 0.0, axle @ [-own[1], own[0]]])


def dynamics(s: cd.System) -> Iterator[Check]:
    """Accelerations and both multipliers under torques on the wheels, from T by hand and the rows differentiated.

    T = (m_b + 2 m_w) (xd^2 + yd^2)/2 + (J_b + l^2 m_w/2) thetad^2/2 + J_w ((thetad + phi1d)^2 + (thetad + phi2d)^2)/2.
    """
    for name in ("front", "rear"):
        s.moment(f"tau_{name}", on=body_of(s, name), along=s.world.z, against=body_of(s, "cart"))
    M = np.diag([2.6, 2.6, 0.2 + LENGTH**2 * 0.3 / 2 + 2 * 0.01, 0.01, 0.01])
    M[2, 3:] = M[3:, 2] = 0.01

    def rows(q: Array) -> Array:
        return by_hand(q[2], q[3], q[4])

    eq, draw, pairs = s.equations(), np.random.default_rng(5), []
    for phi1, phi2 in draw.uniform(-1.3, 1.3, (6, 2)):
        q = np.array([0.1, 0.2, 0.3, phi1, phi2])
        v, torques = allowed(rows(q), draw), draw.uniform(-1, 1, 2)
        a, lam = solved(M, np.array([0, 0, 0, *torques]), rows(q), drift(rows, q, v))
        at = eq.at(q, v, loads=dict(zip(("tau_front", "tau_rear"), torques, strict=True)))
        pairs.append(([*at.acceleration, at.multipliers["front_wheel"], at.multipliers["rear_wheel"]], [*a, *lam]))
    yield agreement(
        "accelerations and forces of the wheels, from the balances", "(5.2.1), by hand", pairs, within=1e-9,
        because="rows by differences of order h^4 over h = 1e-4: 1e-16 / h times accelerations of a hundred",
    )  # fmt: skip


def dimensions(s: cd.System) -> Iterator[Pair]:
    """Velocity freedoms by Cardan, and 5 - rank of Lambda by hand, for all quarter turns."""
    for phi1, phi2 in product(QUARTERS[:-1], repeat=2):
        d = s.diagnose([0.1, 0.2, 0.3, phi1, phi2])
        rank = int(np.linalg.matrix_rank(by_hand(0.3, phi1, phi2), tol=1e-9))
        yield np.array([d.velocity_dof, d.constraint_rank], float), [5 - rank, rank]


def around(s: cd.System) -> Iterator[Pair]:
    """dim D at the singular configuration and at eight neighbours: 4, then 3."""
    for a, b in product((-1e-3, 0.0, 1e-3), repeat=2):
        d = s.diagnose([0.1, 0.2, 0.3, np.pi / 2 + a, np.pi / 2 + b])
        yield np.array(d.velocity_dof, float), 4 if a == b == 0 else 3


def conditions(s: cd.System, found: SingularSet) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Quarter turns at which the found condition holds, and those with both cosines zero."""
    theta, phi1, phi2 = letters(s, "theta phi1 phi2")
    assert found.condition is not None
    sides = [one.lhs - one.rhs for one in found.condition.atoms(sp.Eq)]
    value = sp.lambdify([theta, phi1, phi2], sides)
    holds, expected = set(), set()
    for i, j in product(range(4), repeat=2):
        a, b = QUARTERS[i], QUARTERS[j]
        if max(abs(x) for x in value(0.3, a, b)) < 1e-12:
            holds.add((i, j))
        if abs(np.cos(a)) < 1e-12 and abs(np.cos(b)) < 1e-12:
            expected.add((i, j))
    return holds, expected


def slipping(run: cd.Run) -> Pair:
    """Lambda by hand times the velocities along the run, and zero."""
    slip = [by_hand(*q[2:]) @ v for q, v in zip(run.q, run.v, strict=True)]
    return slip, np.zeros((len(run), 2))


def picture(run: cd.Run) -> Figure:
    """The smallest singular value of Lambda over both steering angles, with the run and the snake cart's line."""
    with panels("smaller singular value of $\\Lambda$", "path of the cart", size=(9.8, 4.2)) as (figure, (plane, path)):
        angles = np.linspace(-np.pi, np.pi, 121)
        values = [[np.linalg.svd(by_hand(0.0, a, b), compute_uv=False)[1] for a in angles] for b in angles]
        image = plane.pcolormesh(np.degrees(angles), np.degrees(angles), values, cmap="cividis", shading="gouraud")
        figure.colorbar(image, ax=plane)
        at = smooth(run)
        plane.plot(np.degrees(angles), -np.degrees(angles), "--", color="white", lw=1.2, label="snake cart")
        plane.plot(np.degrees(at["phi1"]), np.degrees(at["phi2"]), color="#ff9d84", lw=2, label="this run")
        for a, b in product((-90, 90), repeat=2):
            plane.plot(
                [a], [b], "o", color="white", ms=7, mec="black", label="dim D = 4" if (a, b) == (90, 90) else None
            )
        plane.set(
            xlabel=r"$\varphi_1$ [degrees]",
            ylabel=r"$\varphi_2$ [degrees]",
            aspect="equal",
            xlim=(-180, 180),
            ylim=(-180, 180),
        )
        plane.set_xticks([-180, -90, 0, 90, 180])
        plane.set_yticks([-180, -90, 0, 90, 180])
        plane.legend(fontsize=8, loc="lower left", frameon=True)
        path.plot(at["x"], at["y"], lw=1)
        for x, y, theta, phi1, phi2 in run.at(np.linspace(0, run.t[-1], 7)).q:
            ends = np.array([x, y]) + np.outer([LENGTH / 2, -LENGTH / 2], [np.cos(theta), np.sin(theta)])
            path.plot(*ends.T, color="#9a9a9a", lw=1)
            for end, turn in zip(ends, (theta + phi1, theta + phi2), strict=True):
                wheel = 0.1 * np.array([np.cos(turn), np.sin(turn)])
                path.plot(*np.stack([end - wheel, end + wheel]).T, color=DARK, lw=2.5)
        path.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    return figure


ENTRY = Entry(
    id="B4",
    where="chapter 5, equations (5.1.1) to (5.2.1), definitions 5.2 and 5.3, proposition 5.4, corollary 5.5",
    lesson=(
        "The velocities that all constraints allow form a space D at every configuration, and its dimension can jump "
        "only upwards: independent rows stay independent nearby, dependent ones need not stay dependent. So the "
        "singular configurations are exactly those where freedom is gained. How much of the configuration space they "
        "fill decides whether a motion meets them. With two wheels steered independently they are isolated points in "
        "the plane of steering angles, and a motion passes beside them; tie the wheels together, as the snake cart "
        "does, and the line of allowed angles goes straight through. Cardan finds the set as a condition, not only "
        "at a given point."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.5, **START},
    picture=picture,
    caption="Where two steered wheels lose rank: four points. The snake cart's line runs through two of them.",
    erratum="Definition 5.3: Phi_0 lies in Q.",
)
