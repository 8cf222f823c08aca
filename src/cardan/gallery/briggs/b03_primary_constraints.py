"""B3: primary velocity constraints on one body: what they allow, and when several of them are too few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import cos, sin

import cardan as cd
from cardan.diagnosis.findings import Diagnosis
from cardan.gallery.briggs.balances import allowed, drift, freedoms, solved
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import BLUE, DARK, RED, panels, smooth
from cardan.gallery.sampling import body_of, letters
from cardan.model.bodies import Body

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Primary = tuple[str, tuple[float, ...], tuple[float, ...]]
ORIGIN = (0.0, 0.0, 0.0)
ARM, SPIN = 0.5, 1.0
START: Start = {"q": [0, 0, -1.0], "v": {"theta": SPIN}}


def system() -> cd.System:
    """A body on a plane: one point may not move along x of the world, another not along x of the body."""
    s = cd.System("body held at two points")
    x, y = s.coordinates("x y")
    theta = s.coordinates("theta", on="S1")
    body = s.body("body", mass=1.3, inertia=0.2, joint=cd.Planar(x, y, theta))
    d = s.parameters(d=ARM)
    s.no_slip(on=body, point=body.point(d, 0, 0), along=s.world.x, name="one")
    s.no_slip(on=body, point=body.point(-d, 0, 0), along=body.x, name="two")
    return s


def free_body(primaries: list[Primary]) -> tuple[cd.System, Body]:
    """A free body at the identity with constraints ("turn", axis, ...) or ("slide", direction, point)."""
    s = cd.System("free body with primary constraints")
    x, y, z = s.coordinates("x y z")
    joint = cd.Free(x, y, z, cd.Quaternion("e"))
    body = s.body("body", mass=1.3, inertia=(0.2, 0.3, 0.25), joint=joint)
    for k, (kind, direction, point) in enumerate(primaries, start=1):
        along = s.world.vector(*direction)
        if kind == "turn":
            s.no_spin(on=body, about=along, name=f"c{k}")
        else:
            s.no_slip(on=body, point=body.point(*point), along=along, name=f"c{k}")
    return s, body


def diagnosis(primaries: list[Primary]) -> tuple[Diagnosis, Body]:
    s, body = free_body(primaries)
    return s.diagnose({"x": 0.0, "y": 0.0, "z": 0.0, "e": (1.0, 0.0, 0.0, 0.0)}), body


def printed(primaries: list[Primary], x: ArrayLike) -> Array:
    """Rows (mu_j, 0) and (u_j x Delta_j, u_j) of Theorem 4.6, Delta_j = x - x_j, in the text's order (w, v)."""
    found = []
    for kind, direction, point in primaries:
        u = np.array(direction, dtype=float)
        arm = np.cross(u, np.asarray(x) - np.array(point, dtype=float))
        found.append(np.concatenate([u, np.zeros(3)] if kind == "turn" else [arm, u]))
    return np.array(found)


PIN: list[Primary] = [("slide", axis, (0.1, 0.2, 0)) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
SETS: dict[str, list[Primary]] = {
    "one angular": [("turn", (0, 0, 1), ORIGIN)],
    "one translational": [("slide", (1, 0, 0), (0.3, 0.1, 0))],
    "two angular": [("turn", (0, 0, 1), ORIGIN), ("turn", (0, 1, 0), ORIGIN)],
    "one of each": [("turn", (0, 0, 1), ORIGIN), ("slide", (0.6, 0.8, 0), (0.3, 0.1, 0.2))],
    "two parallel lines and their moment": [
        ("slide", (1, 0, 0), (0, 0.2, 0)),
        ("slide", (1, 0, 0), (0, -0.2, 0)),
        ("turn", (0, 0, 1), ORIGIN),
    ],
    "four normals of a plane": [
        ("slide", (0, 0, 1), (p, q, 0)) for p, q in ((0.3, 0), (-0.2, 0.3), (0, -0.3), (0.1, 0.1))
    ],
}


def checks(s: cd.System) -> Iterator[Check]:
    for name, primaries in SETS.items():
        yield agreement(f"allowable velocities: {name}", "(4.2.3), Theorem 4.6", allowable(primaries))
    yield from hinge()
    yield from dimensions()
    yield from theorem_4_5()
    yield from theorem_4_6()
    yield from passing(s)
    yield from pushed(s)


def allowable(primaries: list[Primary]) -> Iterator[Pair]:
    """Dimension and membership of Cardan's allowable velocities at two points of the body."""
    d, body = diagnosis(primaries)
    for point in (ORIGIN, (0.2, -0.4, 0.3)):
        rows = printed(primaries, point)
        found = d.allowable_velocities(body, point)  # v over w
        swapped = np.vstack([found[3:], found[:3]])
        yield found.shape[1], 6 - int(np.linalg.matrix_rank(rows))
        yield rows @ swapped, np.zeros((len(rows), swapped.shape[1]))


def hinge() -> Iterator[Check]:
    """Two angular primaries and a pin leave one rotation, about the axis across both, through the pin."""
    d, body = diagnosis([("turn", (1, 0, 0), ORIGIN), ("turn", (0, 1, 0), ORIGIN), *PIN])
    (screw,) = d.screws(body)
    yield near("a hinge is two angular primaries and a pin", "section 4.1",
               [*np.abs(screw.axis), *screw.point[:2], screw.pitch], [0, 0, 1, 0.1, 0.2, 0])  # fmt: skip


def parametric(turns: int, slides: int) -> cd.System:
    """A free body at the identity with so many constraints of each kind; directions and points are parameters."""
    s = cd.System("free body with primary constraints")
    x, y, z = s.coordinates("x y z")
    joint = cd.Free(x, y, z, cd.Quaternion("e"))
    body = s.body("body", mass=1.3, inertia=(0.2, 0.3, 0.25), joint=joint)
    for k in range(turns):
        s.no_spin(on=body, about=s.world.vector(*s.parameters(**dict.fromkeys((f"m{k}x", f"m{k}y", f"m{k}z"), 1.0))))
    for k in range(slides):
        along = s.parameters(**dict.fromkeys((f"u{k}x", f"u{k}y", f"u{k}z"), 1.0))
        point = s.parameters(**dict.fromkeys((f"p{k}x", f"p{k}y", f"p{k}z"), 0.0))
        s.no_slip(on=body, point=body.point(*point), along=s.world.vector(*along))
    return s


def dimension(s: cd.System, turns: Array, slides: Array, points: Array) -> int:
    """How many velocities are left, by Cardan."""
    values: dict[str, float] = {}
    for letter, rows in (("m", turns), ("u", slides), ("p", points)):
        for k, row in enumerate(rows):
            values |= {f"{letter}{k}{axis}": float(one) for axis, one in zip("xyz", row, strict=True)}
    return freedoms(s.with_values(**values).diagnose({"e": (1.0, 0.0, 0.0, 0.0)}))


def dimensions() -> Iterator[Check]:
    """Of constraints drawn at random, and of some whose vectors lie in a plane, which are too few."""
    draw = np.random.default_rng(44)
    formulas: dict[str, tuple[list[tuple[int, int]], Callable[[int, int], int]]] = {
        "(4.4.1)": ([(1, 0), (2, 0), (3, 0), (4, 0)], lambda n, m: max(6 - n, 3)),
        "(4.5.1)": ([(0, 1), (0, 3), (0, 6), (0, 7)], lambda n, m: max(6 - m, 0)),
        "(4.6.1)": ([(1, 2), (4, 2), (2, 5)], lambda n, m: max(6 - (min(n, 3) + min(m, 6)), 0)),
    }
    for number, (counts, formula) in formulas.items():
        generic, flat, found, criterion = [], [], [], []
        for n, m in counts:
            s, parts = parametric(n, m), [draw.normal(size=(k, 3)) for k in (n, m, m)]
            generic.append((dimension(s, *parts), formula(n, m)))
            turns, slides, points = (one * [1.0, 1.0, 0.0] for one in parts)  # axes, lines and points in one plane
            rows = np.vstack([np.hstack([turns, 0 * turns]), np.hstack([np.cross(slides, -points), slides])])
            rank, left = int(np.linalg.matrix_rank(rows)), dimension(s, turns, slides, points)
            flat.append((left, 6 - rank))
            found.append(left > formula(n, m))
            criterion.append(rank < min(min(n, 3) + min(m, 6), 6))
        yield agreement("dimension of the allowable velocities", number, generic)
        yield agreement("the same for axes and lines in one plane", f"{number}, Theorem 4.6", flat)
        theorem = "Theorem " + number[1:4]
        yield same("degenerate where the vectors are dependent", f"{number}, {theorem}", found, criterion)


def theorem_4_5() -> Iterator[Check]:
    """n = 2: degenerate when collinear. n = 3: by the reciprocal screws, 4 instead of 6 - 3."""
    line: list[Primary] = [("slide", (1, 0, 0), (0.4, 0, 0)), ("slide", (1, 0, 0), (-0.4, 0, 0))]
    d, _ = diagnosis(line)
    beside, _ = diagnosis([line[0], ("slide", (1, 0, 0), (-0.4, 0.2, 0))])
    yield same("two on one line are one", "Theorem 4.5, n = 2", (d.constraint_rank, d.velocity_dof), (1, 5))
    yield same(
        "beside each other they are two", "Theorem 4.5, (ii)", (beside.constraint_rank, beside.velocity_dof), (2, 4)
    )
    lines: list[Primary] = [("slide", (0, 1, 0), (p, 0, 0)) for p in (0.4, -0.4, 0.1)]
    d, body = diagnosis(lines)
    screws = d.screws(body)
    yield same(
        "three parallel lines in a plane leave 4 screws", "Theorem 4.5, n = 3", (d.constraint_rank, len(screws)), (2, 4)
    )
    power = []
    for screw in screws:
        for _, u, p in lines:
            at = np.array(p, dtype=float)
            moving = (
                screw.axis
                if np.isinf(screw.pitch)
                else screw.pitch * screw.axis + np.cross(screw.axis, at - screw.point)
            )
            power.append(float(moving @ np.array(u, dtype=float)))
    yield near("each moves no held point along its line", "reciprocal screws", power, np.zeros(12), within=1e-9,
               because="axes and points of screws are cleaned at 1e-9")  # fmt: skip


def theorem_4_6() -> Iterator[Check]:
    """Two parallel lines already hold the rotation that a third, angular constraint forbids."""
    d, _ = diagnosis(SETS["two parallel lines and their moment"])
    other, _ = diagnosis([*SETS["two parallel lines and their moment"][:2], ("turn", (0, 1, 0), ORIGIN)])
    ranks = (d.constraint_rank, other.constraint_rank)
    yield same("a moment about z and one about y", "Theorem 4.6", ranks, (2, 3))


def passing(s: cd.System) -> Iterator[Check]:
    """The rows by hand, their loss at sin(theta) = 0, and the motion: a steady turn about the first point."""
    theta, d = letters(s, "theta d")
    A = s.equations().constraint_matrix
    yield identity(
        "rows of the planar body", "(4.2.2), sign corrected", A, [1, 0, -d * sin(theta), cos(theta), sin(theta), 0]
    )
    yield same(
        "dependent where both act on one line",
        "Theorem 4.5",
        [one.text for one in s.singular_set()],
        ["sin(theta) = 0"],
    )
    (finding,) = s.diagnose([0.1, 0.2, 0.0]).findings
    yield same("and said in words", "Theorem 4.5, n = 2", "same line" in finding.why, True)
    run = s.simulate(2.0, **START)
    (event,) = run.events
    yield near("the passage", "theta = 0", event.t, 1.0 / SPIN, within=1e-8, because="located to 1e-9 of the run")
    turned = run["theta"]
    held = run.q[:, :2] + ARM * np.stack([np.cos(turned), np.sin(turned)], axis=1)
    found = np.column_stack([held, turned])
    expected = np.column_stack([np.broadcast_to(held[0], held.shape), -1.0 + SPIN * run.t])
    yield near("a turn about the first point", "by hand", found, expected, within=1e-7, because="100 times rtol")


def pushed(s: cd.System) -> Iterator[Check]:
    """Accelerations and both constraint forces under a load, from m a, I thetadd and the rows differentiated."""

    def rows(q: Array) -> Array:
        c, n = np.cos(q[2]), np.sin(q[2])
        return np.array([[1.0, 0.0, -ARM * n], [c, n, 0.0]])  # d b_y . b_x = 0 in the second row

    s.force("F", on=body_of(s, "body"))
    s.moment("tau", on=body_of(s, "body"), along=s.world.z)
    eq, draw, pairs = s.equations(), np.random.default_rng(45), []
    for theta in (0.4, 1.1, -0.9, 2.3, -2.0, 2.9):
        q, (F_x, F_y, tau) = np.array([0.1, -0.2, theta]), draw.uniform(-2, 2, 3)
        v = allowed(rows(q), draw)
        a, lam = solved(np.diag([1.3, 1.3, 0.2]), np.array([F_x, F_y, tau]), rows(q), drift(rows, q, v))
        at = eq.at(q, v, loads={"F": [F_x, F_y, 0.0], "tau": tau})
        pairs.append(([*at.acceleration, at.multipliers["one"], at.multipliers["two"]], [*a, *lam]))
    yield agreement(
        "accelerations and forces, from the balances", "by hand", pairs, within=1e-9,
        because="rows by differences of order h^4 over h = 1e-4: 1e-16 / h, and a factor 1 / sin(theta)",
    )  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """The body with its two held directions, and the singular values of its constraints."""
    with panels("body held at two points", "singular values of A", size=(9.4, 4.0)) as (figure, (scene, graph)):
        at = smooth(run)
        for k, (x, y, theta) in enumerate(run.at(np.linspace(0, run.t[-1], 7)).q):
            e = ARM * np.array([np.cos(theta), np.sin(theta)])
            ends = np.array([x, y]) + np.outer([1, -1], e)
            scene.plot(*ends.T, "-o", color=DARK, lw=1, ms=4, alpha=0.4 + 0.1 * k)
            scene.annotate("", ends[1] + e / 2.5, ends[1], arrowprops={"arrowstyle": "->", "color": RED})
        scene.annotate("", ends[0] + [0.2, 0], ends[0], arrowprops={"arrowstyle": "->", "color": BLUE})
        scene.plot([], [], color=BLUE, label="held along x of the world")
        scene.plot([], [], color=RED, label="held along x of the body")
        scene.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", xlim=(-0.9, 0.6))
        figure.legend(*scene.get_legend_handles_labels(), loc="outside lower left", ncols=2, fontsize=9)
        eq = run.system.equations()
        values = np.array([np.linalg.svd(eq.at(q).A, compute_uv=False) for q in at.q[::10]])
        graph.plot(at.t[::10], values[:, 0], label="larger")
        graph.plot(at.t[::10], values[:, 1], label="smaller: rank is lost where it vanishes")
        graph.set(xlabel="time [s]", ylabel="singular value")
        graph.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="B3",
    where="chapter 4, equations (4.2.1) to (4.6.2), Theorems 4.4 to 4.6",
    lesson=(
        "Any velocity constraint on a rigid body is made of two kinds: an axis it may not turn about, or a point "
        "that may not move along a line. Each takes one dimension of six, and together they take fewer when the "
        "vectors (mu, 0) and (u x Delta, u) depend on each other. For axes this means parallel or in one plane; for "
        "two lines, the same line. For more the report leaves the meaning open. Statics knows it: the vectors are "
        "forces and couples, what is left free are the screws reciprocal to all of them, and there are more than 6 - "
        "n of these exactly when one constraint could be replaced by the others. Cardan names those screws, with "
        "axis and pitch."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.0, **START},
    picture=picture,
    caption="At theta = 0 both constraints hold the same line; the motion, a turn about one point, goes through.",
    erratum=(
        "(4.2.2), and with it 4.3 and the first line of the proof of Theorem 4.5: g(v - w x Delta_0, u_0); the "
        "vectors of Theorem 4.5 are right. Theorem 4.4 is about angular constraints."
    ),
)
