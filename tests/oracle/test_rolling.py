"""Rolling and skating: Chaplygin's sleigh, a disc on a plane, a ball on a turntable."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, keyed_times, reference

SLEIGH = reference("chaplygin_sleigh")
DISC = reference("rolling_disc")
BALL = reference("ball_on_turntable")
TOLERANCE = 1e-9  # of all three files
BECAUSE = "the tolerance of the reference"


# --- Chaplygin's sleigh --------------------------------------------------------------------------------


def sleigh() -> cd.System:
    s = cd.System("Chaplygin sleigh")
    x, y, theta = s.coordinates("x y theta")
    m, inertia, d = (SLEIGH["parameters"][name] for name in ("m", "I_G", "d"))
    body = s.body("sleigh", mass=m, inertia=inertia, joint=cd.Planar(x, y, theta))
    s.no_slip(on=body, point=body.point(-d, 0, 0), along=body.y, name="skate")
    return s


BACKWARD = [-1.0, 0.5, 2.0]  # u = -1 along the body, d omega across it


def forward_speed(run: cd.Run) -> np.ndarray:
    return np.cos(run["theta"]) * run["x_dot"] + np.sin(run["theta"]) * run["y_dot"]


def test_the_sleigh_at_the_keyed_times():
    moments = keyed_times(SLEIGH["reference"])
    run = sleigh().simulate(5.0, q=[0, 0, 0], v=BACKWARD, times=sorted(moments), **STRICT)
    found = [run["x"], run["y"], run["theta"], forward_speed(run), run["theta_dot"], run.multipliers["skate"]]
    names = ("x", "y", "theta", "u_forward", "omega", "lateral_force_F")
    for name, history in zip(names, found, strict=True):
        expected = [moments[float(t)][name] for t in run.t]
        assert_close(history, expected, within=TOLERANCE, because=f"{name}: {BECAUSE}")


def test_the_sleigh_turns_round_and_ends_straight():
    """Twenty seconds are thirty time constants; the past is the future of the reversed motion, mirrored."""
    future, past = (sleigh().simulate(20.0, q=[0, 0, 0], v=k * np.array(BACKWARD), **STRICT) for k in (1, -1))
    expected = SLEIGH["reference"]
    turn = future["theta"][-1] - past["theta"][-1]
    assert_close(turn, expected["total_turn_t_minus_inf_to_inf"], within=TOLERANCE, because=BECAUSE)
    assert_close(forward_speed(future)[-1], expected["final_speed"], within=TOLERANCE, because=BECAUSE)
    assert_close(future.energy, 0.5 * (2 * 1.25 + 0.3 * 4), within=TOLERANCE, because="an ideal skate does no work")


# --- the disc ------------------------------------------------------------------------------------------

m, r, g = (DISC["parameters"][name] for name in ("m", "r", "g"))
LEAN, LEAN_RATE, SPIN, THIRD = 0.2, 0.1, 4.0, 0.5


def disc(s: cd.System, orientation) -> object:
    """A uniform disc whose normal is its y axis, on the plane z = 0."""
    inertia = (m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = s.body("disc", mass=m, inertia=inertia, joint=cd.Free(*s.coordinates("x y z"), orientation))
    s.gravity(-g * s.world.z)
    s.roll(body, on=s.world, shape=cd.Disc(r, "y"), name="roll")
    return body


def with_angles() -> tuple[cd.System, object]:
    s = cd.System("rolling disc")
    return s, disc(s, cd.Euler("3-1-2", *s.coordinates("yaw lean spin")))


def angle_rates(lean: float, u1: float, u2: float, u3: float) -> dict[str, float]:
    """Of angular velocity u1 L.x + u2 L.y + u3 L.z, L being the frame before the spin."""
    return {"yaw": u3 / cos(lean), "lean": u1, "spin": u2 - u3 * sin(lean) / cos(lean)}


def roll_with_angles(times) -> tuple[cd.Run, object]:
    """The height and the velocity of the centre are found: only angles and their rates are given."""
    s, body = with_angles()
    start = {"x": 0.0, "y": 0.0, "yaw": 0.0, "lean": LEAN, "spin": 0.0}
    v = angle_rates(LEAN, LEAN_RATE, SPIN, THIRD)
    return s.simulate(5.0, q=start, v=v, times=times, **STRICT), body


def roll_with_quaternion(times) -> tuple[cd.Run, object]:
    s = cd.System("rolling disc")
    body = disc(s, cd.Quaternion("e"))
    start = {"x": 0.0, "y": 0.0, "z": r * cos(LEAN), "e": (cos(LEAN / 2), sin(LEAN / 2), 0, 0)}
    v = {"e": (LEAN_RATE, SPIN, THIRD)}
    return s.simulate(5.0, q=start, v=v, times=times, **STRICT), body


@pytest.mark.parametrize("roll", [roll_with_angles, roll_with_quaternion])
def test_the_disc_at_the_keyed_times(roll):
    moments = keyed_times(DISC["reference"])
    run, body = roll(sorted(moments))
    place, omega, R = run.position(body), run.omega(body), run.rotation(body)
    for k, t in enumerate(run.t):
        expected = moments[float(t)]
        assert_close(place[k, :2], expected["com_displacement_xy"], within=TOLERANCE, because=BECAUSE)
        assert_close(place[k, 2], expected["com_height"], within=TOLERANCE, because=BECAUSE)
        leaning = np.hypot(R[k, 2, 0], R[k, 2, 2])  # what is left of z in the plane of the disc
        assert_close(leaning, expected["lean_cos"], within=TOLERANCE, because=BECAUSE)
        assert_close(omega[k, 1], expected["omega_along_normal"], within=TOLERANCE, because=BECAUSE)
    assert_close(run.energy, DISC["reference"]["energy"], within=TOLERANCE, because=BECAUSE)


def rolling(lean: float, u1: float, u2: float, u3: float):
    """(angular accelerations of (yaw, lean, spin), velocity of the centre) in the rolling state."""
    s, _ = with_angles()
    rates = angle_rates(lean, u1, u2, u3)
    v_centre = [r * u2, -r * u1 * cos(lean), -r * u1 * sin(lean)]  # (u1, u2, u3) x r L.z, yaw = 0, along world axes
    q, v = [0.0, lean, 0.0, 0.0, 0.0, r * cos(lean)], [*rates.values(), *v_centre]
    here = s.equations().at(q, v)
    assert_close(here.A @ v, 0.0, within=1e-14, because="the state rolls, rounded")
    return here.acceleration[:3], np.array(v_centre)


def test_the_disc_in_a_steady_turn():
    expected = DISC["reference"]["steady_turn"]
    lean, yaw_rate, u2 = (expected[name] for name in ("lean_q2", "yaw_rate", "required_spin_along_normal_u2"))
    accelerations, v_centre = rolling(lean, 0.0, u2, yaw_rate * cos(lean))
    assert_close(accelerations, 0.0, within=TOLERANCE, because="steady, within the tolerance of the reference")
    radius = np.linalg.norm(v_centre) / yaw_rate
    assert_close(radius, expected["com_circle_radius"], within=TOLERANCE, because=BECAUSE)
    spin = angle_rates(lean, 0.0, u2, yaw_rate * cos(lean))["spin"]
    assert_close(abs(r * spin / yaw_rate), expected["contact_circle_radius"], within=TOLERANCE, because=BECAUSE)


def upright(speed: float) -> float:
    """lambda^2 of the upright disc: lean'' = a lean + b u3, u3' = c lean', by differences of exact accelerations."""
    u2, h = speed / r, 1e-3

    def slope(f):
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)  # fourth order: error h^4 = 1e-12

    a = slope(lambda x: rolling(x, 0.0, u2, 0.0)[0][1])
    b = slope(lambda x: rolling(0.0, 0.0, u2, x)[0][1])
    c = slope(lambda x: rolling(0.0, x, u2, 0.0)[0][0])
    return float(a + b * c)


def test_the_upright_disc_is_stable_above_the_critical_speed():
    for speed in (0.5, 2.0):
        expected = 0.8 * (g / r - 3 * speed**2 / r**2)
        because = "differences with h = 1e-3 and fourth order, on numbers of forty"
        assert_close(upright(speed), expected, within=1e-8, because=because)
    still, fast = upright(0.0), upright(1.0)  # lambda^2 is linear in the square of the speed
    critical = np.sqrt(still / (still - fast))
    assert_close(critical, DISC["reference"]["upright_critical_v_uniform_disc"], within=TOLERANCE, because=BECAUSE)


# --- the ball ------------------------------------------------------------------------------------------


def turntable() -> tuple[cd.System, object, dict[str, object], dict[str, object]]:
    s = cd.System("ball on a turntable")
    Omega, a = BALL["parameters"]["Omega"], BALL["parameters"]["sphere_radius"]
    turn = s.coordinates("turn", on="S1")
    table = s.body("table", inertia=1, joint=cd.Revolute("z", turn))
    s.prescribe(turn, Omega * s.time)
    x, y, z = s.coordinates("x y z")
    ball = s.body("ball", mass=1, inertia=0.4 * a**2, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-BALL["parameters"]["g"] * s.world.z)
    s.roll(ball, on=table, shape=cd.Sphere(a), name="roll")
    place, velocity = np.array([0.5, 0.0, 0.0]), np.array([0.3, -0.2, 0.0])
    up = np.array([0.0, 0.0, 1.0])
    spin = np.cross(up, velocity - Omega * np.cross(up, place)) / a + up
    q = {"x": 0.5, "y": 0.0, "z": a, "e": (1, 0, 0, 0)}
    return s, ball, q, {"x": 0.3, "y": -0.2, "z": 0.0, "e": tuple(spin)}


def test_the_ball_moves_on_its_circle():
    s, ball, q, v = turntable()
    expected, period = BALL["reference"], BALL["reference"]["period"]
    run = s.simulate(10.0, q=q, v=v, times=[0.0, 1.0, period, 10.0], **STRICT)
    place = run.position(ball)[:, :2]
    assert_close(place[[1, 3]], [expected["1"], expected["10"]], within=TOLERANCE, because=BECAUSE)
    assert_close(place[2], place[0], within=TOLERANCE, because=BECAUSE)
    arm, rate = place - expected["circle_centre"], expected["angular_rate"]
    velocity = np.column_stack([run["x_dot"], run["y_dot"]])
    turned = rate * np.column_stack([-arm[:, 1], arm[:, 0]])
    assert_close(velocity, turned, within=TOLERANCE, because=BECAUSE)
    assert_close(rate * period, 2 * pi, within=1e-14, because="the file agrees with itself")
    assert_close(np.sum(arm**2, axis=1), arm[0] @ arm[0], within=TOLERANCE, because=BECAUSE)


def test_the_table_carries_the_ball_and_the_ball_loads_the_motor():
    """Normal force m g; the moment on the table's motor is minus that of the friction on the table about its axis."""
    s, _, q, v = turntable()
    run = s.simulate(2.0, q=q, v=v, times=np.linspace(0, 2, 5), **STRICT)
    weight = BALL["parameters"]["g"]
    assert_close(run.multipliers["roll_contact"], weight, within=1e-9, because="the ball stays at its height")
    place = np.column_stack([run["x"], run["y"]])
    arm, rate = place - BALL["reference"]["circle_centre"], BALL["reference"]["angular_rate"]
    friction = -(rate**2) * arm  # m a on the circle
    moment = place[:, 0] * friction[:, 1] - place[:, 1] * friction[:, 0]
    assert_close(run.multipliers["turn"], moment, within=1e-9, because=BECAUSE)
