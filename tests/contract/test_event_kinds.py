"""Every kind of event is listed, has a title, is documented, and is met by a motion here.

Kinds are discovered: whatever the source records as EventRecord("kind", ...). The recipe for a new one is
docs/how-to/add-an-event-kind.md.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from math import atan2, hypot, pi
from pathlib import Path

import pytest
from sympy import sin

import cardan as cd
from cardan.report.data.happenings import EVENTS, event_entries
from cardan.singular.records import KINDS
from support.four_bars import chain

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "tutorials" / "through-singularities.md"


# --- what the source records ---------------------------------------------------------------------------


def texts(node: ast.expr) -> set[str]:
    """The strings that an expression may be: a constant, or either side of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    return texts(node.body) | texts(node.orelse) if isinstance(node, ast.IfExp) else set()


def recorded_in(tree: ast.Module) -> Iterator[tuple[int, set[str]]]:
    """(line, kinds) of every EventRecord made in a module; a kind held by a variable is looked up in its function."""
    for function in (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)):
        known = {
            target.id: texts(one.value)
            for one in ast.walk(function)
            if isinstance(one, ast.Assign)
            for target in one.targets
            if isinstance(target, ast.Name)
        }
        for call in (one for one in ast.walk(function) if isinstance(one, ast.Call)):
            if isinstance(call.func, ast.Name) and call.func.id in ("EventRecord", "RunEvent"):
                kind = call.args[0]
                yield call.lineno, known.get(kind.id, set()) if isinstance(kind, ast.Name) else texts(kind)


@cache
def recorded() -> dict[str, set[str]]:
    """Kinds by the place in the source that records them."""
    found = {}
    for path in sorted((ROOT / "src" / "cardan").rglob("*.py")):
        for line, kinds in recorded_in(ast.parse(path.read_text(encoding="utf-8"))):
            found[f"{path.relative_to(ROOT)}:{line}"] = kinds
    return found


READS_RECORDS = "src/cardan/trajectory/trajectory.py"  # turns records into events of the same kind


def test_every_record_names_its_kind_where_it_is_made() -> None:
    """So that a search for a kind finds who records it."""
    nameless = [place for place, kinds in recorded().items() if not kinds and not place.startswith(READS_RECORDS)]
    assert not nameless, f"records whose kind this test cannot read: {nameless}"


def test_the_list_of_kinds_is_what_the_source_records() -> None:
    assert set().union(*recorded().values()) == set(KINDS)


# --- what is said about them ---------------------------------------------------------------------------


def test_every_kind_has_a_title_on_the_page() -> None:
    assert list(EVENTS) == list(KINDS), "the titles of report/data/happenings.py, in the order of singular/records.py"
    assert len(set(EVENTS.values())) == len(EVENTS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_in_the_table_of_events(kind: str) -> None:
    rows = [line.split("|")[1] for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert any(f"`{kind}`" in row for row in rows), f"{kind} has no row in {TABLE.relative_to(ROOT)}"


# --- motions that meet them ----------------------------------------------------------------------------


def weight_that_is_lifted() -> cd.Run:
    """By 30 N sin(2 t): it rests, leaves, falls and hits the floor; an event of its own at z = 0.1."""
    s = cd.System("lift")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.generalized_force(z, 30 * sin(2 * s.time))
    s.stop(z, restitution=0, name="floor")
    return s.simulate(3.0, events=[cd.Event(z - 0.1, name="high")])


def ball_that_bounces() -> cd.Run:
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.5, name="floor")
    return s.simulate(2.0, q=[1.0])


def oscillator_with_friction() -> cd.Run:
    """It turns three times, and then its spring no longer moves it."""
    s = cd.System("oscillator")
    x = s.coordinates("x")
    s.lagrangian((x.dot**2 - 4 * x**2) / 2)
    s.friction(x, coefficient=0.25, normal=2.0, name="rub")
    return s.simulate(7.0, q=[1.0])


def body_in_euler_angles() -> cd.Run:
    s = cd.System("body")
    angles = s.coordinates("psi theta phi")
    s.body("B", mass=1, inertia=(1.0, 2.0, 3.0), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    return s.simulate(0.1, q=[0.0, 1.0, 0.0], v=[0.1, 0.2, 0.3])


def past_the_pole() -> cd.Run:
    """A free particle in polar coordinates typed by hand, aimed beside the pole by 1e-9."""
    s = cd.System("polar")
    r, theta = s.coordinates("r theta")
    s.kinetic_energy((r.dot**2 + r**2 * theta.dot**2) / 2)
    start = {"q": [hypot(1, 1e-9), atan2(1e-9, -1.0)], "v": [-2.0, -2e-9]}
    return s.simulate(1.0, **start, throw=False)


FALLING = {"q": [pi / 2, pi / 2, 0.0], "v": [-1.0, -1.0, 0.0]}  # cranks upright, the coupler level


def through_the_fold() -> cd.Run:
    return chain(1, coupler=2.0).simulate(1.2, **FALLING)


def through_a_fold_that_nearly_closes() -> cd.Run:
    return chain(1, coupler=2.0, ground=2.0 + 1e-10).simulate(1.2, **FALLING)


def between_two_branches() -> cd.Run:
    return chain(1, coupler=2.0).simulate(0.2, q=[0, 0, 0], v=[1.0, 2.0, 0.5], project="max_energy")


MOTIONS: dict[str, Callable[[], cd.Run]] = {
    "user": weight_that_is_lifted,
    "chart-switch": body_in_euler_angles,
    "rank-change": through_the_fold,
    "branch": through_the_fold,
    "impulse": between_two_branches,
    "impact": ball_that_bounces,
    "contact": weight_that_is_lifted,
    "release": weight_that_is_lifted,
    "zeno": ball_that_bounces,
    "snap": through_a_fold_that_nearly_closes,
    "stop": past_the_pole,
    "stick": oscillator_with_friction,
    "slip": oscillator_with_friction,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_met_and_told(kind: str) -> None:
    """By a small motion; a new kind needs one in MOTIONS."""
    run = MOTIONS[kind]()
    met = [event for event in run.events if event.kind == kind]
    assert met, f"{MOTIONS[kind].__name__} met {[event.kind for event in run.events]}"
    assert kind == "user" or all(event.what for event in met), "one sentence for people"
    told = [entry for entry in event_entries(run) if entry["kind"] == kind]
    assert [entry["title"] for entry in told] == [EVENTS[kind]] * len(met)
