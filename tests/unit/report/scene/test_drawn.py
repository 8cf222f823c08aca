"""What is only drawn: where it is, that it fills the picture, and that nothing else notices it."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError, WrongShape
from cardan.report.data.document import shapes_of
from cardan.report.data.measured import shown_run
from cardan.report.figures.film import pictures
from cardan.report.scene.looking import looking
from cardan.report.scene.orientation import matrix
from cardan.report.scene.scene import Scene
from support.close import EPS, assert_close


def double_pendulum(*, drawn: bool) -> cd.System:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    length = s.parameters(l=0.7)
    s.lagrangian(
        length**2 * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b)) + 9.81 * length * (2 * cos(a) + cos(b))
    )
    if drawn:
        elbow = (length * sin(a), 0, -length * cos(a))
        hand = (length * (sin(a) + sin(b)), 0, -length * (cos(a) + cos(b)))
        s.draw("rod", (0, 0, 0), elbow, name="first")
        s.draw("rod", elbow, hand, name="second")
        s.draw("point", hand, name="second")
        s.draw("point", (0, 0, 0), radius=0.02)
    return s


def scene_of(run: cd.Run) -> Scene:
    shown = shown_run(run, 41)
    return Scene(run, shown.actors, shown.poses)


def tips(pose) -> np.ndarray:
    """The upper ends of what lies along z of its own frame."""
    stretch = np.ones(len(pose.position)) if pose.stretch is None else pose.stretch
    axes = np.array([matrix(e)[:, 2] for e in pose.quaternion])
    return pose.position + (pose.length * stretch)[:, None] * axes


def test_rods_end_where_the_angles_say():
    run = double_pendulum(drawn=True).simulate(2.0, q=[2.0, 1.0])
    shown = shown_run(run, 41)
    scene = Scene(run, shown.actors, shown.poses)
    a, b, length = shown.here["a"], shown.here["b"], 0.7
    elbow = length * np.stack([np.sin(a), 0 * a, -np.cos(a)], axis=1)
    hand = elbow + length * np.stack([np.sin(b), 0 * b, -np.cos(b)], axis=1)
    first, second, bob = shown.poses
    assert_close(first.position, 0, within=0, because="a constant")
    assert_close(tips(first), elbow, within=100 * EPS, because="rounding of a turn")
    assert_close(tips(second), hand, within=100 * EPS, because="rounding of a turn")
    assert_close(bob.position, hand, within=20 * EPS, because="two sines")
    bodies = scene.bodies()
    assert [one["name"] for one in bodies] == ["first", "second", ""]
    assert bodies[1]["colour"] == bodies[2]["colour"] != bodies[0]["colour"]
    assert sum(shape["kind"] == "sphere" for shape in scene.fixtures()) == 1, "what does not move stands still"


def test_drawings_change_nothing_else():
    plain, drawn = (double_pendulum(drawn=one) for one in (False, True))
    assert str(plain.manifold()) == str(drawn.manifold())
    assert plain.equations().mass_matrix == drawn.equations().mass_matrix
    start = {"q": [2.0, 1.0], "v": [0.1, -0.2]}
    assert np.array_equal(plain.simulate(1.0, **start).q, drawn.simulate(1.0, **start).q), "bit for bit"


def test_a_spring_stretches_and_a_disc_turns():
    s = cd.System("wheel on a spring")
    x, u = s.coordinates("x u")
    s.lagrangian(x.dot**2 / 2 + u.dot**2 / 2 - 8 * x**2)
    s.draw("spring", (-1, 0, 0), (x, 0, 0))
    s.draw("disc", (x, 0, 0), axis=(0, 1, 0), angle=u, radius=0.2)
    s.draw("wire", (-1, 0, -1), (-1, 0, 0), (-1, 0, 1))
    run = s.simulate(2.0, q=[0.4, 0.0], v=[0.0, 3.0])
    shown = shown_run(run, 41)
    spring, disc = shown.poses
    assert_close(tips(spring)[:, 0], shown.here["x"], within=100 * EPS, because="rounding of a turn")
    marks = np.array([matrix(e)[:, 0] for e in disc.quaternion])  # x of the disc: z turned to y leaves x alone
    angle = shown.here["u"]
    expected = np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], axis=1)
    assert_close(marks, expected, within=200 * EPS, because="products of quaternions")
    shapes = shapes_of(Scene(run, shown.actors, shown.poses))
    assert [one["kind"] for one in shapes["fixtures"]] == ["bar", "bar"]


def test_expressions_of_euler_angles_are_followed_where_the_run_uses_other_coordinates():
    s = cd.System("rotor")
    p, n, f = s.coordinates("p n f")
    body = s.body("rotor", inertia=(1, 2, 3), joint=cd.Ball(cd.Euler("3-1-3", p, n, f)))
    s.draw("rod", (0, 0, 0), (sin(p) * sin(n), -cos(p) * sin(n), cos(n)))  # its third axis
    run = s.simulate(1.0, q=[0.2, 0.9, 0.1], v=[0.3, 0.5, 2.0])
    assert run.regular_view is not None, "the run is in quaternions"
    shown = shown_run(run, 21)
    expected = shown.here.rotation(body)[:, :, 2]
    assert_close(tips(shown.poses[1]), expected, within=1e-12, because="angles read off quaternions")


@pytest.mark.parametrize(
    ("arguments", "options", "complaint"),
    [
        (("cube", (0, 0, 0)), {}, "nothing that can be drawn"),
        (("rod", (0, 0, 0)), {}, "a rod has 2 places, found 1"),
        (("wire", (0, 0, 0)), {}, "at least 2"),
        (("point", (0, 0, 0)), {"axis": "z"}, "only a disc"),
        (("point", (0, 0, 0)), {"radius": -1}, "positive"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, options, complaint):
    s = double_pendulum(drawn=False)
    with pytest.raises(ModelError, match=complaint):
        s.draw(*arguments, **options)
    with pytest.raises(WrongShape):
        s.draw("point", (0, 0))
    assert not s.model.drawings


def test_a_starter_draws_the_same_as_a_program(tmp_path):
    from cardan.formats.write import write_starter

    path = write_starter(tmp_path / "two.yaml", "double_pendulum")
    system = cd.load(path)
    run = system.simulate(1.0, q=[2.0, 1.0])
    rods = [pose for pose in shown_run(run, 11).poses if pose.length is not None]
    here = shown_run(run, 11).here
    expected = np.stack([np.sin(here["a"]), 0 * here["a"], -np.cos(here["a"])], axis=1)
    assert_close(tips(rods[0]), expected, within=100 * EPS, because="rounding of a turn")
    assert len(rods) == 2


def filled(picture: np.ndarray) -> np.ndarray:
    """The parts of the width and the height that are not paper."""
    ink = np.any(picture.astype(int) < 200, axis=2)
    ink[:40] = ink[-40:] = False  # name and clock
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    return np.array([np.ptp(columns) / ink.shape[1], np.ptp(rows) / ink.shape[0]])


def test_films_look_at_planar_mechanisms_from_the_front_and_are_filled():
    run = double_pendulum(drawn=True).simulate(3.0, q=[0.5, 0.5])
    view = looking(scene_of(run))
    assert abs(view.elevation) < 10
    assert abs(view.azimuth + 90) < 10
    assert_close(view.R @ view.R.T, np.eye(3), within=10 * EPS, because="a rotation")
    assert_close(view.R @ [0, 0, 1], [0, 0, 1], within=10 * EPS, because="up stays up")
    hanging = double_pendulum(drawn=True).simulate(0.1, q=[0.5, 0.5])
    (picture,) = pictures(hanging, np.array([0.05]))
    assert max(filled(picture)) > 0.7, "its length fills the height"


def test_a_floor_does_not_shrink_what_stands_on_it():
    s = cd.System("ball")
    x, y, z = s.coordinates("x y z")
    ball = s.body("ball", mass=1, inertia=0.1, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    s.contact(ball, on=s.world, shape=cd.Sphere(0.5), restitution=0.5)
    run = s.simulate(0.05, q={"z": 0.6})
    (picture,) = pictures(run, np.array([0.02]))
    assert max(filled(picture)) > 0.7, "the ball fills the height"


def test_a_system_that_is_written_keeps_its_drawings():
    from cardan.formats.say_model import say_model

    s = double_pendulum(drawn=True)
    a = s.model.q[0]
    s.draw("disc", (sin(a), 0, 0), axis=(0, cos(a), sin(a)), angle=2 * a, radius=0.1)
    written = say_model(s.description)["draw"]
    assert [one["kind"] for one in written] == ["rod", "rod", "point", "point", "disc"]
    assert written[0]["at"][1][:2] == ["l*sin(a)", 0]
    assert written[4]["axis"] == [0, "cos(a)", "sin(a)"]
