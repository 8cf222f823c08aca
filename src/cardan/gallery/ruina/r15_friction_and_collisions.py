"""R15: Coulomb friction, restitution, and collisions at once. The notes announce them and print no formula."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import BLUE, DARK, RED, panels, smooth
from cardan.trajectory.run_event import RunEvent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

G, RADIUS, E, MU = 9.81, 0.1, 0.6, 0.2
START: Start = {"q": [0.0, 1.1, 0.0], "v": [2.0, 0.0, 40.0]}  # backspin: the lowest point moves ahead faster
FALL = 1.0  # metres to the floor


def ball(friction: float = MU, gravity: float = G) -> cd.System:
    """A uniform ball in a vertical plane above a floor: I = 2/5 m R^2, slip u = vx + R w at its lowest point."""
    s = cd.System("bouncing ball")
    x, y, a = s.coordinates("x y a")
    body = s.body("ball", mass=1, inertia=0.4 * RADIUS**2, joint=cd.Planar(x, y, a))
    s.gravity(-gravity * s.world.y)
    floor = cd.Plane(s.world, "y")
    s.contact(body, on=floor, shape=cd.Sphere(RADIUS), restitution=E, friction=friction, name="floor")
    return s


def system() -> cd.System:
    return ball()


def block(mu: float, pull: float = 0.0) -> cd.System:
    """A block of 2 kg on the floor, pulled along x by ``pull`` newtons per kilogram."""
    s = cd.System("block")
    x, y, z = s.coordinates("x y z")
    mu, pull = s.parameters(mu=mu, pull=pull)
    body = s.particle("P", mass=2, position=s.world.vector(x, y, z))
    s.gravity(-G * s.world.z + pull * s.world.x)
    s.contact(body, on=s.world, restitution=0, friction=mu, name="floor")
    return s


def cradle(n: int, restitution: float = 1.0) -> cd.System:
    """Equal balls on a line that touch."""
    s = cd.System("cradle")
    x = s.coordinates(" ".join(f"x{k}" for k in range(n)))
    for k in range(n):
        s.particle(f"ball{k}", mass=1, position=x[k] * s.world.x)
    for k in range(n - 1):
        s.stop(x[k + 1] - x[k], restitution=restitution, name=f"pair{k}")
    return s


def impacts(run: cd.Run) -> list[RunEvent]:
    return [event for event in run.events if event.kind == "impact"]


def checks(s: cd.System) -> Iterator[Check]:
    yield from bouncing(s)
    yield agreement("impulses of friction, sticking and slipping", "Coulomb, by hand", friction_impulses())
    yield from in_space()
    yield from sliding()
    yield from together()


def bouncing(s: cd.System) -> Iterator[Check]:
    """Fall for sqrt(2 h / g), return with e v; the bounces end after t1 + 2 e v1 / (g (1 - e))."""
    run = s.simulate(4.0, **START)
    first, second = impacts(run)[:2]
    t1, v1 = np.sqrt(2 * FALL / G), np.sqrt(2 * G * FALL)
    yield near(
        "time of the first impact", "free fall", first.t, t1, within=1e-9, because="crossings are located to 1e-11"
    )
    yield near("and of the second", "Newton's restitution", second.t - first.t, 2 * E * v1 / G, within=1e-9,
               because="crossings are located to 1e-11")  # fmt: skip
    yield near("its normal impulse (1 + e) m v", "Newton's restitution", first.facts["impulse"]["floor"], (1 + E) * v1,
               within=1e-8, because="rtol of the fall, and one product")  # fmt: skip
    rest = [event.t for event in run.events if event.kind == "zeno"]
    yield near("infinitely many bounces end", "geometric series", rest[:1], [t1 + 2 * E * v1 / (G * (1 - E))],
               within=1e-6, because="the series is summed from its first bounces below the tolerance")  # fmt: skip
    slip = run["x_dot"] + RADIUS * run["a_dot"]
    yield near(
        "at the end the ball rolls", "no slip", slip[-1], 0.0, within=1e-9, because="held by the sticking contact"
    )
    # moments about the floor: R m vx - I w changes by nothing that the floor does
    about_floor = RADIUS * run["x_dot"] - 0.4 * RADIUS**2 * run["a_dot"]
    yield near("angular momentum about the floor stays", "by hand", about_floor, np.full(len(run), about_floor[0]),
               within=1e-9, because="friction acts at the floor: rtol of the run")  # fmt: skip


def friction_impulses() -> Iterator[Pair]:
    """Sticking takes -(2/7) m u, slipping mu (1 + e) m v against the slip, whichever is less."""
    for mu, vx, vy, w in (
        (5.0, 1.0, -2.0, 30.0),
        (5.0, 1.0, -2.0, -60.0),
        (0.05, 1.0, -2.0, 0.0),
        (0.05, -1.0, -3.0, 0.0),
    ):
        run = ball(mu, gravity=0.0).simulate(0.02, q=[0.0, 0.11, 0.0], v=[vx, vy, w])
        slip, normal = vx + RADIUS * w, (1 + E) * abs(vy)
        friction = -np.sign(slip) * min(2 / 7 * abs(slip), mu * normal)
        found = impacts(run)[0].facts["impulse"]
        yield [found["floor"], found["floor_slip1"]], [normal, friction]


def ball_in_space() -> cd.System:
    """The ball free in space above the floor z = 0; its friction is a parameter."""
    s = cd.System("ball in space")
    mu = s.parameters(mu=MU)
    x, y, z = s.coordinates("x y z")
    body = s.body("ball", mass=1, inertia=0.4 * RADIUS**2, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.contact(body, on=s.world, shape=cd.Sphere(RADIUS), restitution=E, friction=mu, name="floor")
    return s


def in_space() -> Iterator[Check]:
    """Friction opposes the slip u = v + w x (-R k) in the plane of the floor; two smooth balls meet obliquely."""
    ball, pairs = ball_in_space(), []
    for mu in (5.0, 0.05):
        s = ball.with_values(mu=mu)
        for v, w in (([1.0, -2.0, -2.0], [30.0, 10.0, 5.0]), ([0.3, 0.7, -3.0], [-20.0, 15.0, -8.0])):
            run = s.simulate(0.02, q={"z": 0.11}, v={"x": v[0], "y": v[1], "z": v[2], "e": w})
            k, arm = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -RADIUS])
            slip = (np.array(v) + np.cross(w, arm)) * [1.0, 1.0, 0.0]
            normal, size = (1 + E) * abs(v[2]), float(np.linalg.norm(slip))
            push = normal * k - slip / size * min(2 / 7 * size, mu * normal)
            after = np.array(v) + push, np.array(w) + np.cross(arm, push) / (0.4 * RADIUS**2)
            spin = run.omega("ball", expressed_in="world")[-1]
            pairs += [
                (run.impulses[0].bodies["ball"].force, push),
                (run.velocity("ball")[-1], after[0]),
                (spin, after[1]),
            ]
    yield agreement("impulses and velocities of a spinning ball in space", "Coulomb, by hand", pairs, within=1e-9,
                    because="an impact located to 1e-11 with spins of 30 rad/s")  # fmt: skip
    yield from oblique_balls()


def oblique_balls() -> Iterator[Check]:
    """Along the line of centres v2 - v1 turns about, e times; across it nothing changes."""
    s = cd.System("two balls in space")
    q, r = s.coordinates("x1 y1 z1 x2 y2 z2"), 0.2
    for k, (name, mass) in enumerate((("one", 1.3), ("two", 0.5))):
        s.particle(name, mass=mass, position=s.world.vector(*q[3 * k : 3 * k + 3]))
    s.stop(sp.sqrt(sum((a - b) ** 2 for a, b in zip(q[:3], q[3:], strict=True))) - r, restitution=E, name="balls")
    start, v = np.array([0, 0, 0, 1.0, 0.1, -0.05]), np.array([2.0, 0.3, 0.1, -1.0, 0.2, 0.3])
    run = s.simulate(1.0, q=start, v=v, rtol=1e-11, atol=1e-13)
    gap, rate = start[3:] - start[:3], v[3:] - v[:3]
    b, c = gap @ rate, gap @ gap - r**2
    t = (-b - np.sqrt(b**2 - (rate @ rate) * c)) / (rate @ rate)  # |gap + rate t| = r
    n = (gap + rate * t) / r
    push = (1 + E) * (rate @ n) / (1 / 1.3 + 1 / 0.5) * n  # on the first
    expected = [t, *(v[:3] + push / 1.3), *(v[3:] - push / 0.5)]
    yield near("two smooth balls meet obliquely", "momentum and restitution", [impacts(run)[0].t, *run.v[-1]], expected,
               within=1e-9, because="an impact located to 1e-11")  # fmt: skip


def sliding() -> Iterator[Check]:
    """A block stops after v / (mu g) and stays; pulled, it moves if and only if the pull exceeds mu g."""
    run = block(0.3).simulate(3.0, v=[3.0, 4.0, 0.0])
    where = 5.0**2 / (2 * 0.3 * G) * np.array([0.6, 0.8, 0.0])
    yield same(
        "a sliding block comes to stick", "Coulomb", [one.facts["state"] for one in run.events], ["sliding", "sticking"]
    )
    yield near("when", "v / (mu g)", run.events[1].t, 5.0 / (0.3 * G))
    yield near("where", "v^2 / (2 mu g)", run.q[-1], where, within=1e-10, because="a parabola, up to the event's time")

    def pulled() -> Iterator[Pair]:
        for pull in (2.0, 2.9, 3.0, 4.0):
            moved = block(0.3, pull).simulate(1.0)
            yield moved.q[-1, 0], max(0.0, (pull - 0.3 * G) / 2)
            forces = np.hypot(moved.multipliers["floor_slip1"][-1], moved.multipliers["floor_slip2"][-1])
            yield forces, 2 * min(pull, 0.3 * G)

    yield agreement("held below mu g, sliding above", "Coulomb", pulled(), within=1e-11, because="constant forces")


def together() -> Iterator[Check]:
    """Three balls: one after the other gives (0, 0, 1), at once (-1/3, 2/3, 2/3); both keep momentum and energy."""
    for law, after in (("sequential", [0, 0, 1]), ("simultaneous", [-1 / 3, 2 / 3, 2 / 3])):
        run = cradle(3).simulate(2.0, q=[-1.0, 0.0, 0.0], v=[1.0, 0.0, 0.0], impact_law=law)
        yield near(f"three balls in touch, {law}", "momentum and restitution", run.v[-1], after)
        yield same(
            f"and the record says it is a choice, {law}", "rigid impact", impacts(run)[0].facts["determined"], False
        )
    run = cradle(5, 0.0).simulate(2.0, q=[-1.0, 0, 0, 0, 0], v=[1.0, 0, 0, 0, 0], impact_law="simultaneous")
    yield near("five plastic balls move on together", "momentum", run.v[-1], np.full(5, 0.2))
    outcomes = []
    for law in ("sequential", "simultaneous"):
        corner = cd.System("square corner")
        x, y = corner.coordinates("x y")
        corner.particle("P", mass=1.3, position=x * corner.world.x + y * corner.world.y)
        corner.stop(x, restitution=1, name="wall")
        corner.stop(y, restitution=1, name="floor")
        run = corner.simulate(2.0, q=[1.0, 0.3], v=[-1.0, -0.3], impact_law=law)
        outcomes.append([*run.v[-1], float(impacts(run)[0].facts["determined"])])
    yield near("in a square corner every law gives the same", "orthogonal normals", outcomes, [[1.0, 0.3, 1.0]] * 2)


def picture(run: cd.Run) -> Figure:
    """The bouncing ball, its slip, and three balls under two laws."""
    titles = ("backspin on a floor", "speed and spin", "three balls hit by one")
    with panels(*titles, size=(11.5, 3.8)) as (figure, (path, graph, balls)):
        at = smooth(run, 2000)
        path.plot(at["x"], at["y"])
        path.axhline(0, color=DARK, lw=2)
        path.set(xlabel="x [m]", ylabel="y [m]")
        graph.plot(at.t, at["x_dot"], label=r"$v_x$")
        graph.plot(at.t, -RADIUS * at["a_dot"], label=r"$-R\omega$ (equal: it rolls)")
        graph.set(xlabel="time [s]", ylabel="m/s")
        graph.legend(fontsize=9)
        width = 0.35
        for k, (law, shift) in enumerate((("sequential", -width / 2), ("simultaneous", width / 2))):
            one = cradle(3).simulate(2.0, q=[-1.0, 0.0, 0.0], v=[1.0, 0.0, 0.0], impact_law=law)
            balls.bar(np.arange(1, 4) + shift, one.v[-1], width, label=law, color=(BLUE, RED)[k])
        balls.set(xlabel="ball", ylabel="velocity after, of 1 m/s before", xticks=[1, 2, 3])
        balls.axhline(0, color=DARK, lw=1)
        balls.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="R15",
    where="course outline, part IV: no formulas printed; closed forms derived here",
    lesson=(
        "Friction and impact are where rigid-body mechanics stops being a theory of forces and becomes a choice of "
        "laws. Coulomb's says that sticking costs whatever it needs up to mu N, and slipping exactly that; "
        "restitution says what becomes of the speed of approach and nothing about forces. Together they make a ball "
        "with backspin check at its first bounce, infinitely many bounces end in finite time, and leave it rolling. "
        "When bodies touch several others at once the rigid model no longer decides: hitting one after the other and "
        "all at once both keep momentum and energy and differ, unless the contacts are orthogonal. Cardan asks which "
        "law, and writes into the record that it was a choice."
    ),
    system=system,
    checks=checks,
    start={"duration": 3.0, **START},
    picture=picture,
    caption="A ball with backspin bounces until it rolls; three balls in touch have two answers.",
)
