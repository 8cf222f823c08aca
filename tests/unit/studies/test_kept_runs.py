"""Runs that are saved and loaded: the same run comes back, or an error says what is wrong."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from sympy import Heaviside, Max, Piecewise, Rational, atan2, cos, exp, sin, sqrt, tan

import cardan as cd
from cardan.errors import FileError, StoreError
from cardan.formats.expression_text import text_of
from cardan.formats.expressions import parse


def double_pendulum() -> cd.System:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, l, g = s.parameters(m=1.0, l=1.0, g=9.81)  # noqa: E741
    s.lagrangian(m * l**2 * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b)) + m * g * l * (2 * cos(a) + cos(b)))
    return s


def bouncing_ball() -> cd.System:
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.8, name="floor")
    return s


def spinning_body() -> cd.System:
    s = cd.System("spinning")
    x, y, z = s.coordinates("x y z")
    body = s.body("stone", mass=2, inertia=(1, 2, 3), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    u = s.coordinates("u")
    s.body("slider", mass=1, joint=cd.Prismatic("x", u), parent=body)
    s.spring(u, stiffness=40.0)
    s.gravity(-9.81 * s.world.z)
    return s


def crank() -> cd.System:
    s = cd.System("crank")
    a, b = s.coordinates("a b", on="S1")
    s.parameters(r=0.3)
    first = s.body("first", mass=1, inertia=(0, 0.1, 0.1), com=(0.3, 0, 0), joint=cd.Revolute("z", a))
    s.body("second", mass=1, inertia=(0, 0.2, 0.2), joint=cd.Revolute("z", b), parent=first, at=(0.6, 0, 0))
    tip = s["second"].point(1.0, 0, 0)
    s.gravity(-9.81 * s.world.y)
    s.constrain(0.6 * sin(a) + sin(a + b), name="slot")
    s.damper(tip, s.world.point(3, 0, 0), coefficient=0.5)
    s.friction(a, coefficient=0.02, normal="slot", radius=0.1, law="tanh", width=1e-2, name="bearing")
    return s


STARTS = {
    double_pendulum: {"duration": 3.0, "q": [2.0, 1.0]},
    bouncing_ball: {"duration": 1.5, "q": [1.0]},
    spinning_body: {"duration": 1.0, "v": {"omega_e_x": 1.0, "omega_e_y": 2.0, "u_dot": 0.3}},
    crank: {"duration": 1.0, "q": {"a": 1.0}, "v": {"a_dot": 2.0}},
}


@pytest.mark.parametrize("make", STARTS, ids=lambda make: make.__name__)
def test_a_loaded_run_is_the_run_that_was_saved(make, tmp_path: Path) -> None:
    run = make().simulate(**STARTS[make])
    run.save(tmp_path / "x.zarr")
    again = cd.load_run(tmp_path / "x.zarr")
    between = run.at(np.linspace(run.t[0], run.t[-1], 97))
    assert np.array_equal(again.t, run.t)
    assert np.array_equal(again.q, run.q)
    assert np.array_equal(again.v, run.v)
    assert np.array_equal(again.at(between.t).q, between.q)
    assert np.array_equal(again.energy, run.energy)
    assert [(one.kind, one.name, one.t) for one in again.events] == [(one.kind, one.name, one.t) for one in run.events]
    assert {name: x.tolist() for name, x in again.multipliers.items()} == {
        name: x.tolist() for name, x in run.multipliers.items()
    }
    assert [one.kind for one in again.findings] == [one.kind for one in run.findings]
    assert again.audit(quick=True).complaints == run.audit(quick=True).complaints
    assert (again.status, again.message) == (run.status, run.message)


def test_what_was_asked_comes_back_with_the_run(tmp_path: Path) -> None:
    s = double_pendulum()
    a = s.model.q[0]
    event = cd.Event(a - 1, direction=-1, name="passes one")
    times = [0.0, 0.25, 1.0]
    run = s.with_values(m=2.0).simulate(1.0, q={"a": 1.5}, times=times, events=[event], rtol=1e-7)
    run.save(tmp_path / "x.zarr")
    again = cd.load_run(tmp_path / "x.zarr")
    assert again.asked["rtol"] == 1e-7
    assert again.asked["q"] == {"a": 1.5}
    assert again.t.tolist() == times
    assert [one.name for one in again.events] == ["passes one"]
    assert again.system.description.values[_symbol(again, "m")] == 2.0
    assert np.array_equal(again.at(0.6).q, run.at(0.6).q)


def _symbol(run: cd.Run, name: str):
    return next(symbol for symbol in run.system.description.values if str(symbol) == name)


def test_every_changed_byte_of_a_saved_run_is_found(tmp_path: Path) -> None:
    path = bouncing_ball().simulate(0.6, q=[1.0]).save(tmp_path / "x.zarr")
    files = sorted(one for one in path.rglob("*") if one.is_file())
    random = np.random.default_rng(1)
    for _ in range(25):
        file = files[random.integers(len(files))]
        whole = file.read_bytes()
        at, bit = random.integers(len(whole)), 1 << random.integers(8)
        file.write_bytes(whole[:at] + bytes([whole[at] ^ int(bit)]) + whole[at + 1 :])
        with pytest.raises(StoreError, match="damaged"):
            cd.load_run(path)
        file.write_bytes(whole)
    cd.load_run(path)


def test_python_functions_are_refused_by_name(tmp_path: Path) -> None:
    s = cd.System("cart")
    x = s.coordinates("x")
    s.particle("P", mass=1, position=x * s.world.x)
    s.generalized_force(x, s.input("push"))
    run = s.simulate(1.0, inputs={"push": lambda t: 1.0})
    with pytest.raises(FileError, match="input 'push'"):
        run.save(tmp_path / "x.zarr")
    assert not list(tmp_path.iterdir())


def test_a_run_of_another_description_is_refused(tmp_path: Path) -> None:
    s = double_pendulum()
    run = s.simulate(0.1, q=[1.0, 0.0])
    s.generalized_force(s.model.q[0], -s.model.v[0])
    with pytest.raises(StoreError, match="changed since"):
        run.save(tmp_path / "x.zarr")


def test_a_pickled_run_says_how_to_save_it() -> None:
    with pytest.raises(StoreError, match=r"run\.save"):
        pickle.dumps(double_pendulum().simulate(0.1, q=[1.0, 0.0]))


def test_folders_of_others_are_never_replaced(tmp_path: Path) -> None:
    run = double_pendulum().simulate(0.1, q=[1.0, 0.0])
    (tmp_path / "mine.zarr").mkdir()
    (tmp_path / "mine.zarr" / "letter.txt").write_text("dear")
    with pytest.raises(StoreError, match="holds no results"):
        run.save(tmp_path / "mine.zarr")
    run.save(tmp_path / "x.zarr")
    run.save(tmp_path / "x.zarr")  # its own are
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine.zarr", "x.zarr"]


def test_text_of_an_expression_means_the_same_expression() -> None:
    s = cd.System("names")
    x, y = s.coordinates("x y")
    m = s.parameters(m=2.5)
    names = {str(one): one for one in (x, y, m, x.dot)}
    cases = [
        m * x.dot**2 / 2 - m * 9.81 * (1 - cos(x)) * 2,
        sqrt(x**2 + y**2) * atan2(y, x) - exp(-x / 3) / tan(y),
        Rational(1, 3) * (x + y) * sin(x * y) ** -2,
        Piecewise((x, x < 1), (y, True)) + Max(x, y, m) * 1e-7,
        2.5 * (x - y) ** 3 - (x + 1e-30 * y),
        -x * (y - 3) / (m + 1),
    ]
    for case in cases:
        assert parse(text_of(case), names) == case, text_of(case)
    steps = parse(text_of(Heaviside(x) * y), names)
    assert [float(steps.subs({x: at, y: 2.0})) for at in (-1, 0, 1)] == [0.0, 1.0, 2.0]


def test_variables_keep_the_order_in_which_they_were_described(tmp_path: Path) -> None:
    s = spinning_body()
    s.write(tmp_path / "m.yaml")
    assert [str(one) for one in cd.load(tmp_path / "m.yaml").model.q] == [str(one) for one in s.model.q]


def test_names_that_are_also_functions_are_kept(tmp_path: Path) -> None:
    """A function stands before a bracket, a name never does: bodies, coordinates and parameters may be called so."""
    s = cd.System("named like functions")
    turn, slide = s.coordinates("sin max")
    dot, where = s.parameters(dot=2.0, where=0.3)
    body = s.body("cross", mass=dot, com=(where, 0, 0), joint=cd.Revolute("z", turn))
    s.body("sqrt", mass=1, joint=cd.Prismatic("x", slide), parent=body)
    s.spring(slide, stiffness=30 * dot)
    s.generalized_force(turn, -sin(turn) * where)
    s.gravity(-9.81 * s.world.y)
    run = s.simulate(0.5, q={"sin": 0.4, "max": 0.1})
    run.save(tmp_path / "x.zarr")
    again = cd.load_run(tmp_path / "x.zarr")
    assert again.at(0.333).q.tobytes() == run.at(0.333).q.tobytes()
    assert again.energy.tobytes() == run.energy.tobytes()
    s.write(tmp_path / "x.yaml")
    assert cd.load(tmp_path / "x.yaml").simulate(0.5, q={"sin": 0.4, "max": 0.1}).q.tobytes() == run.q.tobytes()
