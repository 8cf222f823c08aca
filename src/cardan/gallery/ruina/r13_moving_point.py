"""R13: angular momentum about a moving point: two definitions, and when their rate is the moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, panels
from cardan.gallery.sampling import AtState, State, column, letters, numbers, rate, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LENGTH, M1, M2, G = 1.3, 1.7, 0.6, 9.81
START: Start = {"q": [0, 0, 0, LENGTH, 0, 0], "v": [1.0, 0.0, 3.0, 1.0, 2.6, 5.0]}
POINTS = ("fixed", "uniform", "accelerated", "centre")


def system() -> cd.System:
    """Two masses on a rod, under their weight, with a force on the first: the rod's forces are internal."""
    s = cd.System("two particles on a rod")
    q = s.coordinates("x1 y1 z1 x2 y2 z2")
    m1, m2, length, g = s.parameters(m1=M1, m2=M2, L=LENGTH, g=G)
    first = s.particle("P1", mass=m1, position=s.world.vector(*q[:3]))
    second = s.particle("P2", mass=m2, position=s.world.vector(*q[3:]))
    s.force("F", on=first)
    s.gravity(-g * s.world.z)
    s.distance(first, second, length, name="rod")
    return s


def sides(s: cd.System, point: str) -> dict[str, AtState]:
    """M, J, dH_A/dt, dH_B/dt and what each rate lacks, about a point C of the given kind, as functions of a state."""
    m1, m2, g = letters(s, "m1 m2 g")
    q, t, total = letters(s, "x1 y1 z1 x2 y2 z2"), s.time, m1 + m2
    x1, x2, F, down = column(*q[:3]), column(*q[3:]), column(*letters(s, "F_x F_y F_z")), column(0, 0, -g)
    v1, v2 = rate(x1, q), rate(x2, q)
    centre = (m1 * x1 + m2 * x2) / total
    C = {
        "fixed": column(1, 2, 3),
        "uniform": column(1 + 2 * t, 2 - t, 3 * t),
        "accelerated": column(t**2, sp.sin(t), 1 - t**3),
        "centre": centre,
    }[point]

    def d(a: sp.Matrix) -> sp.Matrix:
        return rate(a, q) + sp.diff(a, s.model.time)

    v_C, v_G = d(C), (m1 * v1 + m2 * v2) / total
    H_A = m1 * (x1 - C).cross(v1 - v_C) + m2 * (x2 - C).cross(v2 - v_C)
    H_B = m1 * (x1 - C).cross(v1) + m2 * (x2 - C).cross(v2)
    parts = {
        "M": (x1 - C).cross(F + m1 * down) + (x2 - C).cross(m2 * down),
        "J": m1 * (x1 - C).cross(d(v1)) + m2 * (x2 - C).cross(d(v2)),
        "A": d(H_A),
        "B": d(H_B),
        "A lacks": -(centre - C).cross(total * d(v_C)),
        "B lacks": -v_C.cross(total * v_G),
    }
    return {name: numbers(s, value) for name, value in parts.items()}


def on_the_rod(at: State) -> State:
    """The state with its second particle at the rod's distance and no speed along the rod."""
    q, v = at.q.copy(), at.v.copy()
    along = (q[3:] - q[:3]) / np.linalg.norm(q[3:] - q[:3])
    q[3:] = q[:3] + LENGTH * along
    v[3:] -= along * (along @ (v[3:] - v[:3]))
    return State(q, v, at.t, at.signals)


def checks(s: cd.System) -> Iterator[Check]:
    eq = s.equations()
    table = {}
    for point in POINTS:
        value, found = sides(s, point), []
        for at in map(on_the_rod, states(s, [(-2.0, 2.0)] * 6)):
            vd = eq.at(at.q, at.v, at.t, loads=dict(at.signals)).acceleration
            found.append({name: one(at, vd) for name, one in value.items()})
        yield agreement(
            f"moment = J = sum r x m a, C {point}", "5/8, AMB", ((one["J"], one["M"]) for one in found),
            within=1e-11, because="moments of a rod force ten times larger cancel",
        )  # fmt: skip
        for kind, words in (("A", "M - r_G/C x m a_C"), ("B", "M - v_C x m v_G")):  # M, not J: of the applied forces
            yield agreement(
                f"dH_{kind}/dt = {words}, C {point}", f"5/8, def {kind}{' corrected' * (kind == 'B')}",
                ((one[kind], one["M"] + one[f"{kind} lacks"]) for one in found),
                within=1e-11, because="moments of a rod force ten times larger cancel",
            )  # fmt: skip
        table[point] = tuple(all(np.allclose(one[k], one["M"], atol=1e-9) for one in found) for k in "AB")
    printed = {"fixed": (True, True), "uniform": (True, False), "accelerated": (False, False), "centre": (True, True)}
    yield same("where dH/dt is the moment, by A and by B", "5/8, conditions", table, printed)
    yield from in_words(s)
    yield near(
        "H = I w + r x m v of a rigid body", "5/8, extra results", *rigid(s), within=1e-9, because="100 times rtol"
    )
    yield near("A also holds where a_C is along r_G/C", "5/8, last condition", *parallel(s), within=1e-9,
               because="100 times rtol")  # fmt: skip


def in_words(s: cd.System) -> Iterator[Check]:
    """Cardan's angular momentum about a point, by both definitions, and its rate along a run with a force."""
    m1, m2 = letters(s, "m1 m2")
    q, t = letters(s, "x1 y1 z1 x2 y2 z2"), s.time
    x1, x2, place = column(*q[:3]), column(*q[3:]), column(t**2, sp.sin(t), 1 - t**3)
    v1, v2, v_C = rate(x1, q), rate(x2, q), sp.diff(place, t)
    typed = {
        "A": m1 * (x1 - place).cross(v1 - v_C) + m2 * (x2 - place).cross(v2 - v_C),
        "B": m1 * (x1 - place).cross(v1) + m2 * (x2 - place).cross(v2),
    }
    run = s.simulate(0.8, **START, loads={"F": [2.0, -1.0, 3.0]}, rtol=1e-11, atol=1e-13)
    x = run.q.reshape(-1, 2, 3)
    down = np.array([0.0, 0.0, -G])
    C = np.stack([run.t**2, np.sin(run.t), 1 - run.t**3], axis=1)
    v_at, a_at = (np.stack(one, axis=1) for one in (
        [2 * run.t, np.cos(run.t), -3 * run.t**2], [2 + 0 * run.t, -np.sin(run.t), -6 * run.t]
    ))  # fmt: skip
    arms, total = x - C[:, None], M1 + M2
    moment = np.cross(arms[:, 0], [2.0, -1.0, 3.0] + M1 * down) + np.cross(arms[:, 1], M2 * down)
    centre = (M1 * x[:, 0] + M2 * x[:, 1]) / total - C
    v_G = (M1 * run.v[:, :3] + M2 * run.v[:, 3:]) / total
    lacks = {"A": -np.cross(centre, total * a_at), "B": -np.cross(v_at, total * v_G)}
    for kind in ("A", "B"):
        H = s.angular_momentum(about=s.world.vector(*place), definition=kind)
        yield identity(f"angular momentum in words, definition {kind}", "5/8", list(H.components(s.world)), typed[kind])
        found = run.evaluate(H.rate(s.world))
        yield near(f"its rate along a run, definition {kind}", f"5/8, def {kind}", found, moment + lacks[kind],
                   within=1e-9, because="100 times rtol, moments of a rod force cancel")  # fmt: skip


def rigid(s: cd.System) -> Pair:
    """H about the origin along a run by particles, and H_/G + r_G x m v_G with H_/G = mu L^2 (e x ed)."""
    run = s.simulate(1.0, **START, rtol=1e-11, atol=1e-13)
    x1, x2, v1, v2 = run.q[:, :3], run.q[:, 3:], run.v[:, :3], run.v[:, 3:]
    H = M1 * np.cross(x1, v1) + M2 * np.cross(x2, v2)
    total, reduced = M1 + M2, M1 * M2 / (M1 + M2)
    G_x, G_v = (M1 * x1 + M2 * x2) / total, (M1 * v1 + M2 * v2) / total
    e, ed = (x2 - x1) / LENGTH, (v2 - v1) / LENGTH
    return H, reduced * LENGTH**2 * np.cross(e, ed) + np.cross(G_x, total * G_v)


def parallel(s: cd.System) -> Pair:
    """H_A about a point C of the rod in free flight without gravity, whose acceleration is along the rod: constant."""
    run = s.with_values(g=0.0).simulate(1.0, **START, rtol=1e-11, atol=1e-13)
    x1, x2, v1, v2 = run.q[:, :3], run.q[:, 3:], run.v[:, :3], run.v[:, 3:]
    C, v_C = x1 + (x2 - x1) / 4, v1 + (v2 - v1) / 4
    H = M1 * np.cross(x1 - C, v1 - v_C) + M2 * np.cross(x2 - C, v2 - v_C)
    return H, np.broadcast_to(H[0], H.shape)


def picture(run: cd.Run) -> Figure:
    """The thrown rod, and the error of dH/dt = M by both definitions, for each kind of point."""
    s = run.system
    times = np.linspace(0, run.t[-1], 120)
    at = run.at(times)
    with panels("the throw", "definition A", "definition B", size=(11.5, 3.8)) as (figure, (scene, first, second)):
        for k in range(0, 120, 12):
            scene.plot(at.q[k, [0, 3]], at.q[k, [2, 5]], "-o", color=DARK, lw=1, ms=4)
        G_x = (M1 * at.q[:, :3] + M2 * at.q[:, 3:]) / (M1 + M2)
        scene.plot(G_x[:, 0], G_x[:, 2], label="centre of mass")
        scene.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
        scene.legend(fontsize=9)
        styles = dict(zip(POINTS, ("-", "-", "-", ":"), strict=True))
        for point in POINTS:
            value = sides(s, point)
            here = [State(q, v, t) for q, v, t in zip(at.q, at.v, times, strict=True)]
            for axes, name in ((first, "A"), (second, "B")):
                gap = [np.linalg.norm(value[name](one, a) - value["M"](one, a))
                       for one, a in zip(here, at.acceleration, strict=True)]  # fmt: skip
                axes.plot(times, gap, styles[point], label=f"C {point}")
        for axes in (first, second):
            axes.set(xlabel="time [s]", ylabel=r"$|\dot H - M|$ [N m]")
        first.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="R13",
    where="lecture 5/8",
    lesson=(
        "The moment about any point equals the sum of r x m a about it; that is Newton's law and needs no "
        "conditions. Whether it is also the rate of something called angular momentum depends on the something. With "
        "velocities relative to the point (definition A) it is, if the point is fixed, moves uniformly, is the "
        "centre of mass, or accelerates towards or away from it. With absolute velocities (B) a term v_C x m v_G is "
        "left over, so that even a point in uniform motion will not do. Cardan balances with the moments themselves, "
        "which always hold."
    ),
    system=system,
    checks=checks,
    start={"duration": 0.8, **START},
    picture=picture,
    caption="A thrown dumbbell: by how much the rate of angular momentum misses the moment, about four points.",
    erratum="5/8: definition B is printed like A and means absolute v_i; the last condition is a_C parallel to r_G/C.",
)
