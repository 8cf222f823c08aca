"""One motion said in two ways: in other angles, in another order and unit, in two parts, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import cardan as cd
from tools.soak import closed_forms, loops, trees
from tools.soak.judging import Answer, Case, Family, Vector, answer
from tools.soak.turns import angles_of, quaternion_of, rates_of

# --- charts -----------------------------------------------------------------------------------------------------------

CHARTS = ("3-2-1", "3-1-3", "1-2-3", "2-3-2", "3-2-1 space", "1-2-3 space", "3-1-3 space")


def draw_charts(rng: np.random.Generator) -> Case:
    return {
        "mass": float(rng.uniform(0.3, 2)),
        "inertia": trees.inertia(rng.normal(size=(3, 3))),
        "com": rng.uniform(-0.3, 0.3, 3).tolist(),
        "hook": rng.uniform(-0.5, 0.5, 3).tolist(),  # of a spring to the origin
        "stiffness": float(rng.uniform(0, 20)),
        "gravity": rng.uniform(-8, 8, 3).tolist(),
        "turn": Rotation.random(random_state=rng).as_quat().tolist(),
        "v": rng.uniform(-1, 1, 3).tolist(),
        "omega": rng.uniform(-4, 4, 3).tolist(),  # in the world
        "chart": str(rng.choice(CHARTS)),
        "kept": bool(rng.random() < 0.3),  # the angles as they are typed, wherever the motion leads
    }


def compare_charts(case: Case) -> Answer:
    """A free body on a spring by quaternion and by angles; also where the angles come near their singular places."""
    turn, omega = Rotation.from_quat(case["turn"]), np.array(case["omega"])
    ends = []
    for chart in ("quaternion", case["chart"]):
        s = cd.System(chart)
        name, space = chart.split(" ")[0], chart.endswith("space")
        x = s.coordinates("x y z")
        if chart == "quaternion":
            orientation: Any = cd.Quaternion("e")
            place, speed = quaternion_of(turn), turn.inv().apply(omega)
        else:
            orientation = cd.Euler(name, *s.coordinates("a b c", on="S1"), space=space)
            place = angles_of(turn, name, space)
            speed = rates_of(place, omega, name, space)
        body = s.body(
            "body", mass=case["mass"], inertia=case["inertia"], com=tuple(case["com"]), joint=cd.Free(*x, orientation)
        )
        s.spring(body.point(*case["hook"]), s.world.origin, stiffness=case["stiffness"])
        s.gravity(s.world.vector(*case["gravity"]))
        kept = "typed" if case["kept"] else "auto"
        run = s.simulate(1.0, q=[0, 0, 0, *place], v=[*case["v"], *speed], rtol=1e-10, chart=kept)
        ends.append(np.concatenate([run.position(body.point(*p))[-1] for p in np.eye(3)]))
    return answer(run, ends[1], ends[0], 1e-6, 1.0)  # two runs at rtol 1e-10, perhaps through a change of chart


# --- loops ------------------------------------------------------------------------------------------------------------


def draw_loop(rng: np.random.Generator) -> Case:
    case = loops.draw(rng)
    return {
        "loop": case,
        "order": rng.permutation(len(case["bodies"])).tolist(),
        "joints": rng.permutation(len(case["joints"])).tolist(),
        "unit": float(10.0 ** rng.uniform(-6, 6)),
    }


def _said_otherwise(case: Case) -> Case:
    """Bodies and joints declared in another order, lengths in another unit."""
    loop, unit = case["loop"], case["unit"]
    at = {old: new for new, old in enumerate(case["order"])} | {-1: -1}

    def end(one: Any) -> Any:
        return {**one, "body": at[one["body"]], "place": (unit * np.array(one["place"])).tolist()}

    bodies = [
        {
            **loop["bodies"][k],
            "place": (unit * np.array(loop["bodies"][k]["place"])).tolist(),
            "inertia": (unit**2 * np.array(loop["bodies"][k]["inertia"])).tolist(),
        }
        for k in case["order"]
    ]
    joints = [{**loop["joints"][k], "ends": [end(one) for one in loop["joints"][k]["ends"]]} for k in case["joints"]]
    return {"bodies": bodies, "joints": joints, "gravity": (unit * np.array(loop["gravity"])).tolist()}


def _moved(case: Case) -> tuple[cd.Run, Vector]:
    start = loops.Maximal(case).start()[: 7 * len(case["bodies"])]
    run = loops.in_cardan(case).simulate(loops.DURATION, q=start, rtol=1e-9)
    return run, run.q[-1].reshape(-1, 7)


def compare_loop(case: Case) -> Answer:
    run, end = _moved(case["loop"])
    _, other = _moved(_said_otherwise(case))
    other = other / np.array([case["unit"]] * 3 + [1.0] * 4)
    return answer(run, other, end[case["order"]], loops.ALLOWED * loops.blurred(case["loop"]), 1.0)


# --- stops ------------------------------------------------------------------------------------------------------------


def draw_stops(rng: np.random.Generator) -> Case:
    case = closed_forms.draw_billiard(rng)
    restitution = [1.0] * len(case["walls"]) if rng.random() < 0.5 else case["restitution"]
    return {**case, "restitution": restitution, "cut": float(rng.uniform(0.1, 0.9))}


def compare_stops(case: Case) -> Answer:
    """In one run and in two; where all walls are elastic, also back with the velocity turned round."""
    unit, T = case["unit"], case["duration"]
    s = closed_forms.billiard_in_cardan(case)
    whole = s.simulate(T, q=[0, 0], v=[unit * one for one in case["v"]])
    first = s.simulate(case["cut"] * T, q=[0, 0], v=[unit * one for one in case["v"]])
    rest = s.simulate((1 - case["cut"]) * T, q=first.q[-1], v=first.v[-1], t0=case["cut"] * T)
    found, expected = [rest.q[-1], rest.v[-1]], [whole.q[-1], whole.v[-1]]
    if all(one == 1.0 for one in case["restitution"]):
        back = s.simulate(T, q=whole.q[-1], v=-whole.v[-1])
        found += [back.q[-1], -back.v[-1]]
        expected += [whole.q[0], whole.v[0]]
    least = closed_forms.bounced(case)[2]
    return answer(whole, np.concatenate(found) / unit, np.concatenate(expected) / unit, 1e-8 / max(least, 1e-6), 1.0)


def simpler_stops(case: Case) -> Iterator[Case]:
    yield from closed_forms.simpler_billiard(case)


SAMENESS = (
    Family("charts", "a free body by quaternion and by angles", draw_charts, compare_charts),
    Family(
        "loops said otherwise",
        "another order of bodies and joints, another unit",
        draw_loop,
        compare_loop,
        may_refuse=lambda case: loops.is_rigid(case["loop"]),
    ),
    Family(
        "stops in parts", "one run in two, and back where walls are elastic", draw_stops, compare_stops, simpler_stops
    ),
)
