"""What every method of the table promises. A new one is found here by itself: docs/how-to/add-a-method.md."""

from __future__ import annotations

import re
from functools import cache
from math import pi
from pathlib import Path

import numpy as np
import pytest
from sympy import cos

import cardan as cd
from cardan.errors import SimulationError
from cardan.simulation import integrate
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.table import ALL, BY_NAME
from cardan.trajectory.prepared import Prepared
from support.close import assert_close
from support.four_bars import chain

ROOT = Path(__file__).parents[2]
OFFERED = [one for one in ALL if one.is_offered]
STEPPING = [one for one in OFFERED if not one.is_time_stepping]
every_method = pytest.mark.parametrize("method", OFFERED, ids=lambda one: one.name)
every_stepping = pytest.mark.parametrize("method", STEPPING, ids=lambda one: one.name)


def simulate(system: cd.System, method: Method, duration: float, step: float = 5e-3, **start: object) -> cd.Run:
    """A run, by steps of this length where the method does not choose its own."""
    return system.simulate(duration, method=method.name, step=None if method.is_adaptive else step, **start)


# --- facts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ALL, ids=lambda one: one.name)
def test_facts_do_not_contradict_each_other(method):
    assert method.order >= 1
    assert 1 <= method.dense_order <= method.order
    assert not method.is_held_at_rank_loss or method.is_carried_across_rank_loss, "held back from what?"
    assert not method.keeps_constraints or method.needs_own_coordinates, "constraints are those of the user"
    assert not (method.is_adaptive and (method.is_symplectic or method.conserves_energy)), "these need equal steps"
    assert not (method.needs and method.solves_friction), "kernels of energies know no force of a multiplier"
    assert not method.is_time_stepping or not (method.loop or method.is_adaptive), "it makes the whole run itself"
    assert not method.keeps_pace or method.is_adaptive, "a fixed step has its pace anyway"


def test_what_stands_for_others_names_methods_that_make_steps():
    for method in ALL:
        for name in (method.stands_for, method.when_stiff):
            assert not name or BY_NAME[name].loop is not None
        assert not method.when_stiff or method.stands_for, f"{method.name} gives way but makes no steps"


def test_the_names_are_different():
    assert len(BY_NAME) == len(ALL)


# --- order ----------------------------------------------------------------------------------------------------------


@cache
def small_swings() -> Prepared:
    """A pendulum of small swings, q'' = -q: linear, so that implicit steps are solved exactly."""
    s = cd.System("small swings")
    q = s.coordinates("q")
    s.lagrangian((q.dot**2 - q**2) / 2)
    return Prepared(s.compile())


def errors(method: Method, h: float) -> tuple[float, float]:
    """At the end of the run and between its steps, by steps of one length: tolerances refuse none of them."""
    run = integrate(
        small_swings(), 0.0, 4.0, [1.0, 0.0], method=method.name, step=h, max_step=h, rtol=1e3, atol=1e3
    )  # fmt: skip
    between = np.concatenate([run.steps[:-1] + x * np.diff(run.steps) for x in (0.3, 0.5, 0.8)])
    exact = np.column_stack([np.cos(between), -np.sin(between)])
    end = [np.cos(4.0), -np.sin(4.0)]
    return float(np.abs(run.y_final - end).max()), float(np.abs(run.at(between) - exact).max())


@every_stepping
def test_it_converges_at_its_order_on_a_pendulum(method):
    """Errors are made large enough to be told from rounding: h^order is about 1/200."""
    h = 4.0 / round(4.0 / (0.8 * 200 ** (-1 / method.order)))
    coarse, fine = errors(method, h), errors(method, h / 2)
    at_ends, between = np.log2(np.divide(coarse, fine))
    because = "the next term of the expansion, h times as large"
    assert_close(at_ends, method.order, within=0.6, because=because)
    assert_close(between, method.dense_order, within=0.6, because=because)


def test_time_stepping_converges_at_its_order_across_impacts():
    """A ball dropped from 1 m with e = 0.8: two bounces in a second, each decided to within a step."""
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("ball", mass=1.0, position=s.world.z * z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, name="floor", restitution=0.8)
    (method,) = (one for one in ALL if one.is_time_stepping)
    exact = s.simulate(1.0, q=[1.0]).q[-1, 0]
    steps = 10.0 ** -np.arange(2.0, 5.0)
    found = [abs(s.simulate(1.0, q=[1.0], method=method.name, step=h).q[-1, 0] - exact) for h in steps]
    slope = np.polyfit(np.log(steps), np.log(found), 1)[0]
    assert_close(slope, method.order, within=0.3, because="where in a step an impact falls is chance")


# --- through simulate -----------------------------------------------------------------------------------------------


@cache
def on_a_rod() -> cd.System:
    s = cd.System("on a rod")
    x, y = s.coordinates("x y")
    s.particle("bob", mass=1.0, position=s.world.x * x + s.world.y * y)
    s.gravity(-9.81 * s.world.y)
    s.constrain(x**2 + y**2 - 1, name="rod")
    return s


@every_method
def test_constraints_are_kept_or_refused_with_a_reason(method):
    """Half a second of a fall from the side; the angle by a pendulum without constraints."""
    if method.is_time_stepping or (method.needs and not method.keeps_constraints):
        with pytest.raises(SimulationError, match=f"Method {method.name!r}.* Use method="):
            simulate(on_a_rod(), method, 0.5, q=[1.0, 0.0])
        return
    s = cd.System("pendulum")
    a = s.coordinates("a")
    s.lagrangian(a.dot**2 / 2 + 9.81 * cos(a))
    angle = s.simulate(0.5, q=[pi / 2]).q[-1, 0] - pi / 2
    run = simulate(on_a_rod(), method, 0.5, q=[1.0, 0.0])
    assert_close(
        run.q[-1], [np.cos(angle), np.sin(angle)], within=1e-4, because="order 2 with steps of 5e-3 at 3 rad/s"
    )
    assert run.audit()["status"].verdict == "ok"


@cache
def tumbling() -> cd.System:
    s = cd.System("tumbling")
    s.body("brick", mass=1.0, inertia=(1.0, 2.0, 3.0), joint=cd.Ball(cd.Quaternion("e")))
    return s


@every_method
def test_quaternions_are_moved_or_refused_with_a_reason(method):
    if method.is_time_stepping or (method.needs and not method.keeps_constraints):
        with pytest.raises(SimulationError, match=f"Method {method.name!r}.* Use method="):
            simulate(tumbling(), method, 1.0, v=[0.1, 2.0, 0.1])
        return
    run = simulate(tumbling(), method, 1.0, v=[0.1, 2.0, 0.1])
    exact = tumbling().simulate(1.0, v=[0.1, 2.0, 0.1])
    assert_close(np.linalg.norm(run.q[-1]), 1.0, within=1e-6, because="normalised, or drifting by rtol per step")
    assert_close(run.q[-1], exact.q[-1], within=1e-4, because="order 2 with steps of 5e-3 at 2 rad/s")


@cache
def parallelogram() -> cd.System:
    return chain(1, [1.3, 2.4], [0.6])


@every_method
def test_a_fold_is_passed_as_the_facts_say(method):
    """From upright a parallelogram falls through the fold at a = 0, where it could turn into the other branch."""
    start = {"q": [pi / 2, pi / 2, 0], "v": [-1.0, -1.0, 0.0]}
    if method.is_time_stepping or (method.needs and not method.keeps_constraints):
        with pytest.raises(SimulationError, match=f"Method {method.name!r}.* Use method="):
            simulate(parallelogram(), method, 1.0, **start)
        return
    run = simulate(parallelogram(), method, 1.0, **start, throw=False)
    crossed = [one for one in run.events if one.kind == "rank-change"]
    assert bool(crossed) == method.is_carried_across_rank_loss
    assert run.audit().is_branch_certain == method.is_carried_across_rank_loss, str(run.audit())


@every_method
def test_friction_that_is_solved_for_is_refused_where_the_facts_say_so(method):
    if method.is_time_stepping:
        return  # refused for want of stops, as above
    s = cd.System("block")
    x, y = s.coordinates("x y")
    s.particle("block", mass=2.0, position=s.world.x * x + s.world.y * y)
    s.gravity(-9.81 * s.world.y)
    s.constrain(y, name="floor")
    s.friction(x, coefficient=0.3, normal="floor", name="rub")
    if not method.solves_friction:
        with pytest.raises(SimulationError, match=r"Friction rub has to be solved for.*Use method="):
            simulate(s, method, 0.1, v=[3.0, 0.0])
        return
    run = simulate(s, method, 0.1, v=[3.0, 0.0])
    assert_close(run.q[-1, 0], 0.3 - 0.3 * 9.81 * 0.1**2 / 2, within=1e-8, because="a parabola, rtol 1e-9")


# --- what others say of it ------------------------------------------------------------------------------------------


@every_stepping
def test_the_audit_knows_it(method):
    """Which of its promises the audit holds it to follows from the facts."""
    s = cd.System("pendulum")
    a = s.coordinates("a")
    s.lagrangian(a.dot**2 / 2 + cos(a))
    audit = simulate(s, method, 2.0, q=[1.0]).audit()
    assert audit.method == (method.stands_for or method.name)
    assert any(line.name == "tolerance" for line in audit.lines) == method.is_adaptive
    assert not method.conserves_energy or audit.energy_drift < 1e-12
    assert not audit.complaints, str(audit)


def documented() -> dict[str, str]:
    """Rows of the table in docs/audit.md by the names of methods: what it says of losses of rank."""
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    section = text.split("## What each method watches by itself")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE)
    return {name.strip(): words for names, words in rows for name in names.split(",")}


@every_method
def test_the_documentation_names_it_and_says_what_it_does_at_losses_of_rank(method):
    rows = documented()
    name = method.name if method.name in rows else method.name.rsplit("-", 1)[0]  # symplectic-4 is a symplectic
    assert name in rows, f"docs/audit.md says nothing about {method.name}"
    assert ("held back" in rows[name]) == method.is_held_at_rank_loss
    assert ("carried across" in rows[name]) == method.is_carried_across_rank_loss


def test_no_other_file_names_a_method_to_decide_something():
    """Rooms ask for facts. What remains are words for people, and the objects that stand for methods."""
    names = "|".join(re.escape(one.name) for one in ALL)
    decides = re.compile(rf"""(==|!=|\bin \(|startswith\()\s*["']({names})["']""")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "src" / "cardan").rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if decides.search(line) and "chart" not in line and "form" not in line  # charts and forms can be "auto" too
    ]
    assert found == []
