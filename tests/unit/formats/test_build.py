"""A model file says to a system what a program would: same numbers, and located errors where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import FileError
from cardan.formats.write import starters
from support.close import EPS, assert_close


def loaded(text: str, folder: Path) -> cd.System:
    path = folder / "model.yaml"
    path.write_text(text, encoding="utf-8")
    return cd.load(path)


def double_pendulum() -> cd.System:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, l, g = s.parameters(m=1.0, l=1.0, g=9.81)  # noqa: E741
    s.lagrangian(
        m * l**2 * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * sp.cos(a - b)) + m * g * l * (2 * sp.cos(a) + sp.cos(b))
    )
    return s


def cardan_suspension() -> cd.System:
    s = cd.System("Cardan suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    l1, l2, l3 = s.parameters(lambda1=0.3, lambda2=0.2, lambda3=0.1)
    outer = s.body("outer", inertia=l1, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=l2, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=l3, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    return s


def four_bar() -> cd.System:
    s = cd.System("four-bar linkage")
    crank, coupler, rocker = s.coordinates("crank coupler rocker", on="S1")
    m1, m2, m3, a, b, c, d, g = s.parameters(m1=1.0, m2=2.0, m3=1.5, a=1.0, b=2.0, c=1.5, d=2.2, g=9.81)

    def bar(name: str, m: Any, length: Any, angle: Any, **where: Any) -> Any:
        inertia = (0, m * length**2 / 12, m * length**2 / 12)
        joint = cd.Revolute("z", angle)
        return s.body(name, mass=m, inertia=inertia, com=(length / 2, 0, 0), joint=joint, **where)

    link1 = bar("link1", m1, a, crank)
    link2 = bar("link2", m2, b, coupler, parent=link1, at=(a, 0, 0))
    link3 = bar("link3", m3, c, rocker, at=(d, 0, 0))
    s.gravity(-g * s.world.y)
    s.connect(link2.point(b), link3.point(c), cd.Revolute("z"), name="pin")
    return s


def rolling_ball() -> cd.System:
    s = cd.System("ball on a turntable")
    x, y, z = s.coordinates("x y z")
    psi = s.coordinates("psi", on="S1")
    m, r, moment, g, omega = s.parameters(m=0.5, r=0.2, I=0.008, g=9.81, Omega=1.0)
    table = s.frame("table", joint=cd.Revolute("z", psi))
    ball = s.body("ball", mass=m, inertia=moment, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-g * s.world.z)
    s.prescribe(psi, omega * s.time)
    s.roll(ball, on=table, shape=cd.Sphere(r), name="contact")
    return s


def bouncing_ball() -> cd.System:
    s = cd.System("bouncing ball")
    x, z = s.coordinates("x z")
    phi = s.coordinates("phi", on="S1")
    m, r, moment, g, e, mu = s.parameters(m=0.5, r=0.1, I=0.002, g=9.81, e=0.7, mu=0.3)
    ball = s.body("ball", mass=m, inertia=moment, joint=cd.Planar(z, x, phi, normal="y"))
    s.gravity(-g * s.world.z)
    s.contact(ball, on=s.world, shape=cd.Sphere(r), restitution=e, friction=mu, name="floor")
    return s


SAME = [double_pendulum, cardan_suspension, four_bar, rolling_ball, bouncing_ball]


@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_a_file_gives_the_accelerations_of_the_program(program: Callable[[], cd.System], tmp_path: Path) -> None:
    from_file, from_program = loaded(starters()[program.__name__], tmp_path), program()
    assert [str(x) for x in from_file.model.q] == [str(x) for x in from_program.model.q]
    one, other = from_file.compile(), from_program.compile()
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, v = rng.uniform(-1, 1, one.nq), rng.uniform(-1, 1, one.nv)
        for k in one.quaternions:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        expected = other.acceleration(q, v, t=0.3)
        size = max(1.0, float(np.max(np.abs(expected))))
        because = "the same expressions, perhaps in another order; a few hundred operations"
        assert_close(one.acceleration(q, v, t=0.3), expected, within=1000 * EPS * size, because=because)


@pytest.mark.parametrize("name", ["double_pendulum", "bouncing_ball"])
def test_a_file_says_how_to_run(name: str, tmp_path: Path) -> None:
    system = loaded(starters()[name], tmp_path)
    program = next(one for one in SAME if one.__name__ == name)()
    run = system.simulate(**system.plan)
    expected = program.simulate(**{**system.plan, "q": dict(system.plan["q"])})
    assert run.status == "finished"
    assert_close(run.q, expected.q, within=0.0, because="the same machine code from the same start")


EVERYTHING = (Path(__file__).parent / "everything.yaml").read_text(encoding="utf-8")


def test_everything_can_be_said(tmp_path: Path) -> None:
    system = loaded(EVERYTHING, tmp_path)
    model = system.model
    kinds = [type(one).__name__ for one in model.constraints]
    assert kinds == ["Holonomic", "VelocityConstraint", "Connection", "Distance", "NoSlip", "NoSpin", "Rolling"]
    assert [type(one).__name__ for one in model.stops] == ["Stop", "Contact"]
    assert [one.name for one in model.bodies] == ["arm", "screw", "sled", "top", "plate"]
    assert [load.kind for load in model.loads] == ["force", "force", "moment"]
    assert [one.name for one in model.variables][-1] == "e"
    assert system.plan["duration"] == np.pi
    assert system.plan["times"][-1] == 1 + np.pi
    assert system.plan["loads"]["pull"] == (1, 2, 3)
    assert system.plan["events"][0].terminal is True
    numbers = system.equations().at(np.r_[np.full(9, 0.3), 1, 0, 0, 0], np.full(12, 0.1))
    assert np.all(np.isfinite(numbers.M))


HEAD = "cardan: 1\ncoordinates: {x: R, a: S1}\nparameters: {m: 1}\n"


@pytest.mark.parametrize(
    ("text", "line", "place", "words"),
    [
        ("bodies:\n  b: {mass: -1, joint: {kind: prismatic, distance: x}}", 5, "bodies.b", "mass"),
        ("bodies:\n  b: {mass: m2}", 5, "bodies.b.mass", "'m2' is unknown here"),
        ("bodies:\n  b: {mass: x}", 5, "bodies.b", "x unknown here"),
        ("bodies:\n  b: {parent: c}", 5, "bodies.b.parent", "no frame, body or particle 'c'"),
        ("bodies:\n  b: {parent: c}\n  c: {parent: b}", 5, "bodies.b", "carried by itself"),
        ("frames: {b: {}}\nbodies:\n  b: {mass: 1}", 6, "bodies.b", "already used in frames"),
        ("bodies:\n  x: {mass: 1}", 5, "bodies.x", "already used by coordinate"),
        ("bodies:\n  b: {mass: 1, joint: {kind: revolute}}", 5, "bodies.b", "needs an angle"),
        ("bodies:\n  b: {joint: {kind: revolute, angle: a, axis: [0, 0, 0]}}", 5, "bodies.b", "length"),
        ("gravity: x*world.z", 4, "gravity", "x unknown here"),
        ("gravity: 9.81*m", 4, "gravity", "expected a vector"),
        ("springs:\n  - {stiffness: 1}", 5, "springs[1]", "either `between`"),
        ("constraints:\n  - {kind: holonomic, expression: m}", 5, "constraints[1]", "contains no coordinate"),
        ("prescribe: {y: t}", 4, "prescribe.y", "no coordinate"),
        ("stops:\n  - {kind: gap, gap: x, restitution: 2}", 5, "stops[1]", "restitution 2"),
        ("start: {q: {y: 1}}", 4, "start.q.y", "'y' is unknown here; known are: a, x"),
        ("start: {q: {x: m}}", 4, "start.q.x", "unknown here"),
        ("simulate:\n  duration: 1\n  loads: {F: 1}", 6, "simulate.loads.F", "'F' is unknown"),
        ("simulate:\n  duration: 1\n  events: [{when: q}]", 6, "simulate.events[1].when", "'q' is unknown"),
    ],
)
def test_what_the_model_refuses_is_located(text: str, line: int, place: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=words) as caught:
        loaded(HEAD + text, tmp_path)
    assert (caught.value.line, caught.value.field) == (line, place)
    assert caught.value.file.endswith("model.yaml")


def test_axes_of_distant_bodies_are_not_combined(tmp_path: Path) -> None:
    """The product of many rotations would grow without bound as a tree."""
    names = [f"b{k}" for k in range(40)]
    text = "cardan: 1\ncoordinates: {" + ", ".join(f"q{k}: S1" for k in range(40)) + "}\nbodies:\n"
    for k, name in enumerate(names):
        parent = f"parent: {names[k - 1]}, " if k else ""
        text += (
            f"  {name}: {{{parent}mass: 1, inertia: 1, joint: {{kind: revolute, axis: {'xyz'[k % 3]}, angle: q{k}}}}}\n"
        )
    text += "constraints:\n  - {kind: holonomic, expression: 'dot(b0.x, b39.y)'}\n"
    with pytest.raises(FileError, match="joints apart"):
        loaded(text, tmp_path)


def test_other_files_are_not_loaded(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"should end with \.yaml"):
        cd.load(tmp_path / "model.txt")


POLAR = """
cardan: 1
coordinates: {r: R+, theta: S1}
energies: {kinetic: (r.dot**2 + r**2*theta.dot**2)/2}
charts:
  cartesian:
    coordinates: [x, y]
    maps: {r: sqrt(x**2 + y**2), theta: "atan2(y, x)"}
    inverse: {x: r*cos(theta), y: r*sin(theta)}
start: {q: {r: 1.0, theta: pi}, v: {r: -1.0, theta: 1.0e-9}}
simulate: {duration: 2}
"""


def test_a_chart_carries_a_typed_particle_through_the_axis(tmp_path: Path) -> None:
    """A straight line past the axis at a distance of 1e-9: r = 1 after two seconds."""
    path = tmp_path / "polar.yaml"
    path.write_text(POLAR, encoding="utf-8")
    s = cd.load(path)
    run = s.simulate(**s.plan)
    assert "chart-switch" in {event.kind for event in run.events}
    assert_close(run["r"][-1], 1.0, within=1e-8, because="rtol is 1e-9, and the miss distance 1e-9 counts squared")


def test_a_chart_with_an_unknown_coordinate_is_named(tmp_path: Path) -> None:
    path = tmp_path / "polar.yaml"
    path.write_text(POLAR.replace("inverse: {x:", "inverse: {w:"), encoding="utf-8")
    with pytest.raises(FileError, match="'w'"):
        cd.load(path)
