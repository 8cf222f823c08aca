"""Identities that need no oracle: one motion said in two ways, and what derivatives, work and time must satisfy."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

import cardan as cd
from tools.soak import trees
from tools.soak.judging import Answer, Case, Family, Vector, answer

ALLOWED = 1e-6  # two runs at rtol 1e-9


def _started(case: Case, s: cd.System | None = None, **options: Any) -> cd.Run:
    unit_q, unit_v = trees.measures(case)
    q = np.concatenate([one["q"] for one in case["bodies"]]) * unit_q
    v = np.concatenate([one["v"] for one in case["bodies"]]) * unit_v
    settings = {"q": q, "v": v, "rtol": 1e-9, "atol": 1e-12} | options
    return (s or trees.in_cardan(case)).simulate(settings.pop("duration", trees.DURATION), **settings)


def draw(rng: np.random.Generator) -> Case:
    return {**trees.draw(rng), "units": [1.0] * 3}


def compare_acceleration(case: Case) -> Answer:
    """run.acceleration against central differences of run.v."""
    h = 1e-5
    t = np.array([0.2, 0.5])
    run = _started(case, times=np.sort(np.concatenate([t - h, t, t + h])), rtol=1e-12, atol=1e-14)
    slope = (run.v[2::3] - run.v[0::3]) / (2 * h)
    return answer(run, run.acceleration[1::3], slope, 1e-5, 1.0)  # differences leave h^2 and 1e-12 / h


def compare_work(case: Case) -> Answer:
    """T + V against the work of dampers, by Simpson's rule over run.power."""
    run = _started(case, times=np.linspace(0, trees.DURATION, 401))
    power = np.sum([*run.power.values(), np.zeros(len(run))], axis=0)
    h = trees.DURATION / 400
    work = h / 3 * (power[0] + 4 * np.sum(power[1:-1:2]) + 2 * np.sum(power[2:-1:2]) + power[-1])
    size = float(np.max(run.kinetic_energy))
    return answer(run, np.array([run.energy[-1] - run.energy[0]]), np.array([work]), ALLOWED, max(size, 1.0))


def compare_reversed(case: Case) -> Answer:
    """There and back."""
    s = trees.in_cardan(case)
    there = _started(case, s)
    back = s.simulate(-trees.DURATION, q=there.q[-1], v=there.v[-1], t0=trees.DURATION, rtol=1e-9, atol=1e-12)
    start = np.concatenate([there.q[0], there.v[0]])
    return answer(back, np.concatenate([back.q[-1], back.v[-1]]), start, ALLOWED, 1.0)


def compare_parts(case: Case) -> Answer:
    """One run against two, the second begun where the first ended."""
    s = trees.in_cardan(case)
    whole = _started(case, s)
    first = _started(case, s, duration=0.3)
    rest = s.simulate(trees.DURATION - 0.3, q=first.q[-1], v=first.v[-1], t0=0.3, rtol=1e-9, atol=1e-12)
    return answer(rest, np.concatenate([rest.q[-1], rest.v[-1]]), _end(whole), ALLOWED, 1.0)


def compare_threads(case: Case) -> Answer:
    """Four threads on one system not yet compiled against one after the other: the same bits."""
    s = trees.in_cardan(case)
    found: list[Vector] = [np.zeros(0)] * 4

    def work(k: int) -> None:
        found[k] = _end(_started(case, s))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    alone = _started(case)
    return answer(alone, np.concatenate(found), np.tile(_end(alone), 4), 0.0, 1.0)


def compare_orientations(case: Case) -> Answer:
    """A top on a ball joint: quaternion, Euler angles, and a free body on a connection."""
    top = case["bodies"][0]
    x = np.array([0.3, 0.5, -0.2])
    ends = []
    for kind in ("quaternion", "angles", "connection"):
        s = cd.System(kind)
        options: dict[str, Any] = {"mass": top["mass"], "inertia": top["inertia"], "com": tuple(top["com"])}
        angles = s.coordinates("a b c") if kind == "angles" else ()
        if kind == "quaternion":
            joint: cd.Joint = cd.Ball(cd.Quaternion("e"))
        elif kind == "angles":
            joint = cd.Ball(cd.Euler("3-1-3", *angles))
        else:
            joint = cd.Free(*s.coordinates("x y z"), cd.Quaternion("e"))
        body = s.body("top", joint=joint, **options)
        s.gravity(s.world.vector(*case["gravity"]))
        if kind == "connection":
            s.connect(s.world.origin, body.point(0, 0, 0), cd.Ball())
        a, b, c = x
        e = np.array([np.cos(b / 2) * np.cos((a + c) / 2), np.sin(b / 2) * np.cos((a - c) / 2),
                      np.sin(b / 2) * np.sin((a - c) / 2), np.cos(b / 2) * np.sin((a + c) / 2)])  # fmt: skip
        q = x if kind == "angles" else e if kind == "quaternion" else np.concatenate([np.zeros(3), e])
        run = s.simulate(trees.DURATION, q=q, rtol=1e-9, atol=1e-12)
        ends.append(run.position(body.point(0.3, -0.2, 0.5))[-1])
    return answer(run, np.concatenate(ends[1:]), np.tile(ends[0], 2), ALLOWED, 1.0)


def compare_renamed(case: Case) -> Answer:
    """The same chain with its hinges named, and declared, in another order."""
    bodies = [one for one in case["bodies"] if one["kind"] in ("hinge", "slide")] or [
        {**case["bodies"][0], "kind": "hinge", "q": [0.3], "v": [0.5], "parent": -1, "damping": 0.1, "stiffness": 1.0}
    ]
    ends = []
    for names in ([f"q{k}" for k in range(len(bodies))], [f"z{len(bodies) - k}" for k in range(len(bodies))]):
        s = cd.System("chain")
        q = {name: s.coordinate(name) for name in (names if names[0] == "q0" else names[::-1])}
        before: cd.Body | None = None
        for k, (one, name) in enumerate(zip(bodies, names, strict=True)):
            kind = cd.Revolute if one["kind"] == "hinge" else cd.Prismatic
            before = s.body(
                f"b{k}", mass=one["mass"], com=tuple(one["com"]), inertia=one["inertia"], parent=before,
                at=tuple(one["place"]), joint=kind(tuple(one["axis"]), q[name]),
            )  # fmt: skip
            s.damper(q[name], coefficient=one["damping"])
        s.gravity(s.world.vector(*case["gravity"]))
        start = {name: one["q"][0] for name, one in zip(names, bodies, strict=True)}
        speed = {name: one["v"][0] for name, one in zip(names, bodies, strict=True)}
        run = s.simulate(trees.DURATION, q=start, v=speed, rtol=1e-9, atol=1e-12)
        ends.append(np.array([run[name][-1] for name in names]))
    return answer(run, ends[1], ends[0], ALLOWED, 1.0)


def _end(run: cd.Run) -> Vector:
    return np.concatenate([run.q[-1], run.v[-1]])


def _family(name: str, words: str, compare: Any) -> Family:
    return Family(name, words, draw, compare, trees.simpler)


IDENTITIES = (
    _family("run.acceleration", "differences of run.v", compare_acceleration),
    _family("work and energy", "Simpson's rule over run.power", compare_work),
    _family("there and back", "time reversed returns", compare_reversed),
    _family("parts", "one run in two parts", compare_parts),
    _family("threads", "four threads, the same bits", compare_threads),
    _family("orientations", "quaternion, angles and a connection move alike", compare_orientations),
    _family("names and order", "coordinates renamed and reordered", compare_renamed),
)
