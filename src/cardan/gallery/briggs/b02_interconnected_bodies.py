"""B2: bodies joined at points: the tangent space of their configurations is the kernel of iota."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import cardan as cd
from cardan.gallery.briggs.balances import solved
from cardan.gallery.comparing import agreement, near, same
from cardan.gallery.entry import Check, Entry, Ordered
from cardan.gallery.pictures import BLUE, DARK, GREEN, RED, panels, smooth

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
LOOSE = "100 times the rounding of a solve with numbers near one, at states projected to 1e-12"
Pair = tuple[int, int, tuple[float, ...], tuple[float, ...]]
AHEAD, BEHIND = (0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)
CHAIN: tuple[int, list[Pair]] = (3, [(k, k + 1, (0.5, 0.1, 0.0), (-0.5, 0.0, 0.1)) for k in range(2)])
SYSTEMS: dict[str, tuple[int, list[Pair]]] = {
    "one interconnection": (2, [(0, 1, (0.5, 0.1, -0.2), (-0.3, 0.2, 0.4))]),
    "two of the same bodies": (2, [(0, 1, (0.3, 0, 0), (0.2, 0.3, 0)), (0, 1, (0, 0.4, 0), (0.2, -0.2, 0))]),
    "a chain of three": CHAIN,
    "a loop of three": (3, [(0, 1, AHEAD, BEHIND), (1, 2, AHEAD, BEHIND), (0, 2, BEHIND, AHEAD)]),
}
FREEDOMS = {"one interconnection": 9, "two of the same bodies": 7, "a chain of three": 12, "a loop of three": 9}


def bodies(name: str) -> cd.System:
    """Free bodies on quaternions, their points connected by balls."""
    count, pairs = SYSTEMS[name]
    s = cd.System(name)
    made = []
    for k in range(count):
        x, y, z = s.coordinates(f"x{k} y{k} z{k}")
        joint = cd.Free(x, y, z, cd.Quaternion(f"e{k}"))
        made.append(s.body(f"B{k}", mass=1.0 + k, inertia=(0.3, 0.4, 0.5), joint=joint))
    for j, (a, b, X_a, X_b) in enumerate(pairs):
        s.connect(made[a].point(*X_a), made[b].point(*X_b), cd.Ball(), name=f"i{j}")
    return s


def system() -> cd.System:
    return bodies("a chain of three")


def skew(w: Sequence[float] | Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]], dtype=np.float64)


def rotation(e: Array) -> Array:
    """R of a unit quaternion (w, x, y, z)."""
    S = skew(e[1:])
    return np.asarray(np.eye(3) + 2 * e[0] * S + 2 * S @ S)


def iota(name: str, q: Array) -> Array:
    """(3.1.2) for every pair on (v_0, w_0, v_1, w_1, ...): A (X - X_0) = Rd X = R (w x X), w along the body's axes."""
    count, pairs = SYSTEMS[name]
    parts = []
    for a, b, X_a, X_b in pairs:
        row = np.zeros((3, 6 * count))
        for body, X, sign in ((a, X_a, 1.0), (b, X_b, -1.0)):
            R = rotation(q[7 * body + 3 : 7 * body + 7])
            row[:, 6 * body : 6 * body + 3] = sign * np.eye(3)
            row[:, 6 * body + 3 : 6 * body + 6] = -sign * R @ skew(X)
        parts.append(row)
    return np.vstack(parts)


def kernel_of(matrix: Array) -> Array:
    _, sizes, Vt = np.linalg.svd(matrix)
    rank = int(np.sum(sizes > 1e-10 * sizes[0]))
    return np.asarray(Vt[rank:].T)


def anywhere(name: str, seed: int) -> Array:
    """A configuration of the free bodies, not interconnected."""
    draw, parts = np.random.default_rng(seed), []
    for _ in range(SYSTEMS[name][0]):
        e = draw.normal(size=4)
        parts += [draw.uniform(-1, 1, 3), e / np.linalg.norm(e)]
    return np.concatenate(parts)


def gap(name: str, q: Array) -> Array:
    """Phi_a(X_a) - Phi_b(X_b) of every pair."""
    found = []
    for a, b, X_a, X_b in SYSTEMS[name][1]:
        ends = [q[7 * k : 7 * k + 3] + rotation(q[7 * k + 3 : 7 * k + 7]) @ X for k, X in ((a, X_a), (b, X_b))]
        found.append(ends[0] - ends[1])
    return np.concatenate(found)


def checks(s: cd.System) -> Iterator[Check]:
    chain = "a chain of three"
    q = anywhere(chain, 3)
    yield near("constraint matrix of the chain is - iota", "(3.1.2), 3.2", s.equations().at(q).A, -iota(chain, q))
    for name, freedoms in FREEDOMS.items():
        one = s if name == chain else bodies(name)
        assembled = np.asarray(one.assemble(anywhere(name, 1), seeds=1)[0].q)
        allowed = kernel_of(iota(name, assembled))
        at = one.equations().at(assembled)
        yield same(f"dim ker(iota): {name}", "section 3.2", allowed.shape[1], freedoms)
        yield near(f"P keeps ker(iota): {name}", "T Q = ker(iota)", at.P @ allowed, allowed)
        yield near(f"and nothing else: trace of P, {name}", "T Q = ker(iota)", np.trace(at.P), freedoms)
    yield from moving(s, chain)
    yield from newton_euler(s, chain)
    yield from folded()
    yield from remarks()


def moving(s: cd.System, name: str) -> Iterator[Check]:
    """The chain thrown: its start lies in ker(iota), the points stay together and the internal forces cancel."""
    begin = start()
    slip = iota(name, np.array(begin["q"])) @ begin["v"]
    yield near("velocities of the start are in ker(iota)", "(3.1.1)", slip, np.zeros(6))
    run = s.simulate(2.0, **begin, rtol=1e-9, atol=1e-11)
    yield near("joined points stay together", "(3.1.1)", gap(name, run.q[-1]), 0.0, within=1e-12,
               because="projected after each step")  # fmt: skip
    reactions = [run.reactions[f"B{k}"] for k in range(SYSTEMS[name][0])]
    total = np.sum([one.force for one in reactions], axis=0)
    yield near("their forces cancel", "internal", total, np.zeros_like(total), within=1e-10, because="one solve")
    momentum = np.sum([(1.0 + k) * run.v[:, 6 * k : 6 * k + 3] for k in range(SYSTEMS[name][0])], axis=0)
    yield near("momentum stays", "internal", momentum, np.broadcast_to(momentum[0], momentum.shape), within=1e-8,
               because="rtol over some hundred steps")  # fmt: skip


def newton_euler(s: cd.System, name: str) -> Iterator[Check]:
    """m a and I wd + w x I w of every body with the forces of its joints, and (3.1.1) differentiated twice."""
    count, pairs = SYSTEMS[name]
    run = s.simulate(2.0, **start(), rtol=1e-9, atol=1e-11, times=np.linspace(0, 2, 9))
    inertia = np.diag([0.3, 0.4, 0.5])
    moved, forces = [], []
    for k, (q, v) in enumerate(zip(run.q, run.v, strict=True)):
        R = [rotation(q[7 * k + 3 : 7 * k + 7]) for k in range(count)]
        w = [v[6 * k + 3 : 6 * k + 6] for k in range(count)]
        M = np.zeros((6 * count, 6 * count))
        Q, target = np.zeros(6 * count), []
        for k_body in range(count):
            at = 6 * k_body
            M[at : at + 3, at : at + 3] = (1.0 + k_body) * np.eye(3)
            M[at + 3 : at + 6, at + 3 : at + 6] = inertia
            Q[at + 3 : at + 6] = -np.cross(w[k_body], inertia @ w[k_body])
        for a, b, X_a, X_b in pairs:
            inward = [R[one] @ np.cross(w[one], np.cross(w[one], X)) for one, X in ((a, X_a), (b, X_b))]
            target.append(inward[1] - inward[0])
        acceleration, lam = solved(M, Q, iota(name, q), np.concatenate(target))
        moved.append((run.acceleration[k], acceleration))
        onto = np.zeros((count, 3))
        for j, (one, other, _, _) in enumerate(pairs):
            onto[one] += lam[3 * j : 3 * j + 3]
            onto[other] -= lam[3 * j : 3 * j + 3]
        forces.append(([run.reactions[f"B{k_body}"].force[k] for k_body in range(count)], onto))
    yield agreement("accelerations of the chain, body by body", "balances, (3.1.1)", moved, within=1e-10, because=LOOSE)
    yield agreement("forces of the joints on each body", "balances, (3.1.1)", forces, within=1e-10, because=LOOSE)


def remarks() -> Iterator[Check]:
    """3.3: a plane is no interconnection, and with an obstacle Q is no submanifold: it has an edge, where v jumps."""
    plane = cd.System("disc beside a wall")
    x, y = plane.coordinates("x y")
    theta = plane.coordinates("theta", on="S1")
    plane.body("disc", mass=1.3, inertia=0.1, joint=cd.Planar(x, y, theta))
    yield same("restricted to a plane", "section 3.3", str(plane.manifold()), "E^2 x S^1")
    one = cd.System("one body, held in a plane")
    a, b, c = one.coordinates("a b c")
    held = one.body("B", mass=1, inertia=(0.3, 0.4, 0.5), joint=cd.Free(a, b, c, cd.Quaternion("e")))
    one.no_slip(on=held, along=one.world.z, name="height")
    for axis, name in ((one.world.x, "x"), (one.world.y, "y")):
        one.no_spin(on=held, about=axis, name=f"tilt_{name}")
    found = one.diagnose({"e": (1.0, 0.0, 0.0, 0.0)})
    counts = (found.constraint_rank, found.velocity_dof, len(plane.model.v))
    yield same("by coordinates, or by three more constraints on a free body", "section 3.3", counts, (3, 3, 3))
    plane.stop(x - 0.2, restitution=0.5, name="wall")
    yield same("beside an obstacle Q has an edge", "section 3.3", str(plane.manifold()), "H^2 x S^1")
    there = plane.diagnose([0.2, 0.0, 0.3]).kinds
    yield same("which is a boundary", "section 3.3", "boundary" in there, True)
    run = plane.simulate(1.0, q=[0.7, 0, 0], v=[-1.0, 0.4, 2.0], rtol=1e-11, atol=1e-13)
    (hit,) = [event for event in run.events if event.kind == "impact"]
    after = [hit.t, *(hit.v + hit.facts["velocity_jump"])]
    yield near("and where the velocity jumps", "section 3.3", after, [0.5, 0.5, 0.4, 2.0], within=1e-10,
               because="an event located to 1e-11")  # fmt: skip


def start() -> Ordered:
    """The chain laid out straight, thrown so that each body turns in its own way and the joined points go together."""
    turning = np.array([[1.0, -2.0, 0.5], [0.0, 1.5, 2.0], [-1.5, 0.0, -2.5]])
    place, velocity = np.zeros(3), np.array([0.3, 0.0, 1.0])
    q, v = [*place, 1, 0, 0, 0], [*velocity, *turning[0]]
    for a, b, X_a, X_b in CHAIN[1]:
        place = place + np.array(X_a) - np.array(X_b)
        velocity = velocity + np.cross(turning[a], X_a) - np.cross(turning[b], X_b)
        q, v = [*q, *place, 1, 0, 0, 0], [*v, *velocity, *turning[b]]
    return {"q": [float(one) for one in q], "v": [float(one) for one in v]}


def folded() -> Iterator[Check]:
    """A parallelogram laid flat: ker(iota) has dimension two while its configurations are two curves that cross."""
    s = cd.System("parallelogram")
    a, b, c = s.coordinates("a b c", on="S1")
    rod = partial(s.body, mass=1.0, inertia=1 / 12, com=(0.5, 0, 0))
    crank = rod("crank", joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=2.0, inertia=2 / 3, com=(1, 0, 0), at=(1, 0, 0), joint=cd.Revolute("z", b), parent=crank
    )
    rocker = rod("rocker", at=(2, 0, 0), joint=cd.Revolute("z", c))
    s.connect(coupler.point(2, 0, 0), rocker.point(1, 0, 0), cd.Revolute("z"), name="pin")
    freedoms = [s.diagnose([angle, -angle, angle]).velocity_dof for angle in (0.7, 0.0)]
    yield same("a folded parallelogram has a larger kernel", "3.2, needs constant rank", freedoms, [1, 2])
    found = s.branches([0.0, 0.0, 0.0]).found
    yield same("but no larger space of motions: two curves", "3.2, needs constant rank",
               [len(found), *(np.linalg.matrix_rank(one.tangents) for one in found)], [2, 1, 1])  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """The chain in flight, and how its bodies share their momentum."""
    with panels("a chain of three in flight", "momentum of each body", spatial=(0,), size=(9.4, 4.1)) as (figure, axes):
        scene, graph = axes
        at = smooth(run)
        ends = [[(-0.5, 0, 0), (0.5, 0.1, 0)], [(-0.5, 0, 0.1), (0.5, 0.1, 0)], [(-0.5, 0, 0.1), (0.5, 0, 0)]]
        for moment in np.linspace(0, len(at.t) - 1, 6).astype(int):
            for k, colour in zip(range(3), (BLUE, RED, GREEN), strict=True):
                q = at.q[moment, 7 * k : 7 * k + 7]
                line = q[:3] + np.array(ends[k], dtype=float) @ rotation(q[3:]).T
                scene.plot(*line.T, "-o", ms=3, color=colour, alpha=0.25 + 0.75 * moment / len(at.t))
        scene.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", aspect="equal")
        scene.locator_params(nbins=4)
        total = np.zeros(len(at.t))
        for k in range(3):
            p = (1.0 + k) * at.v[:, 6 * k]
            graph.plot(at.t, p, label=f"body {k}")
            total += p
        graph.plot(at.t, total, "--", color=DARK, label="all")
        graph.set(xlabel="time [s]", ylabel="momentum along x [kg m/s]")
        graph.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="B2",
    where="chapter 3, equations (3.1.1) and (3.1.2)",
    lesson=(
        "Joining two bodies at a point costs three freedoms, and the velocities that keep them joined are those that "
        "give both points the same velocity: the kernel of one linear map, or of several stacked. It is also the "
        "space that the configurations span, as long as the rank of the map is constant. Redundancy does not disturb "
        "this: two balls between the same two bodies leave a hinge, one row of six being implied. A change of rank "
        "does. A parallelogram laid flat has a kernel of dimension two, although only two curves pass there; "
        "velocities between them are allowed by every constraint and belong to no motion."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.0, **start()},
    picture=picture,
    caption="Three bodies joined by balls, thrown: they pass momentum to each other and keep the sum.",
    erratum="Section 3.2: iota acts on T Q_free, and its kernel is T Q only where its rank is constant.",
)
