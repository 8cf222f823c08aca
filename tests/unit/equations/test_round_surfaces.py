"""Balls on round surfaces, outside and inside: closed forms of small and of large motions, energy, files."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cardan as cd
from cardan.errors import FileError, ModelError
from cardan.formats.say_model import say_model
from support.close import assert_close

R, RADIUS, G = 1.0, 0.2, 9.81


def ball_on(surface, **options) -> cd.System:
    """A uniform ball of mass 1 under gravity along -z that rolls on a surface of the world."""
    s = cd.System("ball on a round surface")
    x, y, z = s.coordinates("x y z")
    body = s.body("ball", mass=1, inertia=0.4 * RADIUS**2, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-G * s.world.z)
    s.roll(body, on=surface(s.world, **options), shape=cd.Sphere(RADIUS))
    return s


def period(t: np.ndarray, x: np.ndarray) -> float:
    """From zero crossings upwards."""
    k = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    crossings = t[k] - x[k] * (t[k + 1] - t[k]) / (x[k + 1] - x[k])
    return float(np.mean(np.diff(crossings)))


@pytest.mark.parametrize(
    ("surface", "options"),
    [(cd.CylinderSurface, {"radius": R, "axis": "y"}), (cd.SphereSurface, {"radius": R, "pole": "x"})],
)
def test_small_swings_at_the_bottom_have_their_period(surface, options):
    """w^2 = 5 g / (7 (R - r)) for a uniform ball that rolls."""
    s = ball_on(surface, inside=True, **options)
    small = 1e-3
    start = {"x": (R - RADIUS) * np.sin(small), "y": 0.0, "z": -(R - RADIUS) * np.cos(small)}
    run = s.simulate(8.0, q=start, times=np.linspace(0, 8, 4001))
    expected = 2 * np.pi / np.sqrt(5 * G / (7 * (R - RADIUS)))
    assert_close(period(run.t, run["x"]) / expected, 1.0, within=1e-6, because="amplitude^2/16 and linear crossings")
    assert run.audit().complaints == ()


def test_a_ball_on_top_rolls_down_as_by_energy():
    """Outside a cylinder: 7/10 v^2 = g (R + r)(1 - cos), so that thetadd = 5 g sin(theta) / (7 (R + r))."""
    s = ball_on(cd.CylinderSurface, radius=R, axis="y")
    a, arm = 0.3, R + RADIUS
    times = np.linspace(0, 0.8, 9)
    run = s.simulate(0.8, q={"x": arm * np.sin(a), "y": 0.0, "z": arm * np.cos(a)}, times=times, rtol=1e-10, atol=1e-12)
    by_hand = solve_ivp(
        lambda t, y: [y[1], 5 * G * np.sin(y[0]) / (7 * arm)], (0, 0.8), [a, 0.0], method="DOP853", t_eval=times,
        rtol=1e-11, atol=1e-13,
    ).y[0]  # fmt: skip
    assert_close(np.arctan2(run["x"], run["z"]), by_hand, within=1e-8, because="100 times the tolerance of both")
    push = run.multipliers[next(name for name in run.multipliers if name.endswith("contact"))]
    rate2 = 2 * 5 * G * (np.cos(a) - np.cos(by_hand)) / (7 * arm)
    assert_close(push, G * np.cos(by_hand) - arm * rate2, within=1e-6, because="the balance along the normal")


def test_a_ball_in_an_upright_tube_goes_up_and_down_as_it_circles():
    """Inside a vertical cylinder the height of a uniform ball swings sqrt(2/7) times for each turn round the axis."""
    s = ball_on(cd.CylinderSurface, radius=R, inside=True)
    arm, turning = R - RADIUS, 4.0
    rates = {"x": 0.0, "y": arm * turning, "z": 0.0, "e": (0.0, 0.0, -arm * turning / RADIUS)}
    run = s.simulate(12.0, q={"x": arm}, v=rates, times=np.linspace(0, 12, 3001), rtol=1e-10)
    angle = np.unwrap(np.arctan2(run["y"], run["x"]))
    assert_close(angle, turning * run.t, within=1e-6, because="nothing turns it faster or slower")
    ups = period(run.t, run["z"] - np.mean([run["z"].min(), run["z"].max()]))
    assert_close(2 * np.pi / ups / turning, np.sqrt(2 / 7), within=1e-4, because="linear crossings of 3001 times")
    assert np.ptp(run.energy) < 1e-7


def test_a_ball_in_a_cone_keeps_its_distance_and_its_energy():
    angle = 0.5
    s = ball_on(cd.ConeSurface, angle=angle, inside=True)
    height = 2.0
    out = (height * np.sin(angle) - RADIUS) / np.cos(angle)  # s sin(a) - rho cos(a) = r
    run = s.simulate(2.0, q={"x": out, "y": 0.0, "z": height}, v={"y": 2.0, "x": 0.0, "z": 0.0})
    gap = run["z"] * np.sin(angle) - np.hypot(run["x"], run["y"]) * np.cos(angle)
    assert_close(gap, RADIUS, within=1e-9, because="constraints are kept")
    assert np.ptp(run.energy) < 1e-7
    assert np.ptp(run["z"]) > 0.1, "it moves up and down on the way round"


def test_round_surfaces_in_files(tmp_path):
    path = tmp_path / "ball.yaml"
    text = (
        "cardan: 1\ncoordinates: {x: R, y: R, z: R}\nparameters: {R: 1.0}\n"
        "bodies:\n  ball:\n    mass: 1\n    inertia: 0.016\n"
        "    joint: {kind: free, x: x, y: y, z: z, orientation: {kind: quaternion, name: e}}\n"
        "constraints:\n  - kind: roll\n    body: ball\n    shape: {kind: sphere, radius: 0.2}\n"
        "    on: {kind: cylinder, of: world, radius: R, axis: y, inside: true}\n"
    )
    path.write_text(text)
    s, again = cd.load(path), ball_on(cd.CylinderSurface, radius=R, axis="y", inside=True)
    q = [0.0, 0.3, -0.8, 1, 0, 0, 0]
    assert_close(s.equations().at(q).A, again.equations().at(q).A, within=1e-15, because="the same rows")
    (told,) = say_model(s.description)["constraints"]
    assert told["on"] == {"of": "world", "inside": True, "kind": "cylinder", "radius": "R", "axis": "y"}
    path.write_text(text.replace("radius: R, axis", "angle: R, axis"))
    with pytest.raises(FileError, match="a cylinder is told by"):
        cd.load(path)


def test_only_balls_roll_on_round_surfaces():
    s = cd.System("wheel")
    x, y, z = s.coordinates("x y z")
    wheel = s.body("wheel", mass=1, inertia=1, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    with pytest.raises(ModelError, match="only a ball"):
        s.roll(wheel, on=cd.CylinderSurface(s.world, 1.0), shape=cd.Disc(0.2))
