"""Forces that follow laws: drag, viscous moments, bushings, and laws of what constraints press with."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

import cardan as cd
from cardan.errors import ModelError, WrongShape
from cardan.formats.say_model import say_model
from support.close import assert_close

SECOND = "two integrators at 1e-10"


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues' formula, typed again."""
    a = np.asarray(axis) / np.linalg.norm(axis)
    K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def test_a_thrown_ball_with_quadratic_drag_moves_as_typed_by_hand():
    s = cd.System("thrown")
    x, z = s.coordinates("x z")
    c = s.parameters(c=0.05)
    ball = s.particle("ball", mass=0.4, position=(x, 0, z))
    s.gravity(-9.81 * s.world.z)
    velocity = ball.origin.velocity
    s.force("drag", on=ball, law=-c * velocity.magnitude() * velocity)
    run = s.simulate(1.5, v={"x": 12.0, "z": 9.0}, rtol=1e-10)

    def by_hand(_, y):
        speed = np.hypot(y[2], y[3])
        return [y[2], y[3], -0.05 * speed * y[2] / 0.4, -9.81 - 0.05 * speed * y[3] / 0.4]

    expected = solve_ivp(by_hand, (0, 1.5), [0, 0, 12.0, 9.0], rtol=1e-11, atol=1e-12, method="DOP853").y[:, -1]
    assert_close(np.concatenate([run.q[-1], run.v[-1]]), expected, within=1e-8, because=SECOND)
    assert set(run.power) == {"drag"}
    assert np.max(np.abs(run.reactions["ball"].force)) < 1e-12  # the drag is a load, so nothing is left to react


def test_a_viscous_moment_slows_a_body_as_eulers_equations_say():
    """J wd + w x J w = -c w."""
    s = cd.System("stirred")
    body = s.body("body", mass=1.0, inertia=(1.0, 2.0, 3.0), joint=cd.Ball(cd.Quaternion("e")))
    s.moment("oil", on=body, law=-0.3 * body.omega)
    run = s.simulate(4.0, v={"e": (1.0, 2.0, -0.5)}, rtol=1e-10)
    J = np.array([1.0, 2.0, 3.0])
    expected = solve_ivp(
        lambda _, w: (-0.3 * w - np.cross(w, J * w)) / J, (0, 4.0), [1.0, 2.0, -0.5], rtol=1e-11, atol=1e-12,
        method="DOP853",
    ).y[:, -1]  # fmt: skip
    assert_close(run.omega("body")[-1], expected, within=1e-8, because=SECOND)
    assert not s.diagnose().findings  # a law is no load that could be lost


STIFF, TURNING = np.array([10.0, 20.0, 30.0]), np.array([4.0, 5.0, 6.0])
ARM, PIN = np.array([0.1, 0.0, 0.2]), np.array([-0.1, 0.2, 0.0])


def mounted(damping=(0, 0, 0, 0, 0, 0)) -> cd.System:
    s = cd.System("mounted")
    first = s.body("first", mass=2.0, inertia=(2, 2, 3), joint=cd.Free(*s.coordinates("ax ay az"), cd.Quaternion("f")))
    second = s.body(
        "second", mass=1.0, inertia=(1, 2, 3), joint=cd.Free(*s.coordinates("bx by bz"), cd.Quaternion("e"))
    )
    s.bushing(
        first.point(*ARM), second.point(*PIN), stiffness=[*STIFF, *TURNING], damping=damping, name="mount"
    )  # fmt: skip
    return s


def energy(pa: np.ndarray, Ra: np.ndarray, pb: np.ndarray, Rb: np.ndarray) -> float:
    """(d.K d + p.Kt p) / 2 with d and p = 2 sin(angle / 2) axis along the axes of the first body."""
    d = Ra.T @ (pb + Rb @ PIN - pa - Ra @ ARM)
    R = Ra.T @ Rb
    p = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / np.sqrt(1 + np.trace(R))
    return float(d @ (STIFF * d) + p @ (TURNING * p)) / 2


def test_a_bushing_gives_its_energy_back_and_turns_nothing_by_itself():
    """T plus the energy typed by hand is constant, and so are momentum and angular momentum of both bodies."""
    s = mounted()
    run = s.simulate(
        2.0, q={"bx": 0.3, "e": cd.rotations.about((1, 2, 3), 1.5)}, v={"omega_e_x": 1.0, "ay": 0.2}, rtol=1e-10
    )
    Ra, Rb, pa, pb = run.rotation("first"), run.rotation("second"), run.position("first"), run.position("second")
    total = run.kinetic_energy + [energy(*one) for one in zip(pa, Ra, pb, Rb, strict=True)]
    assert np.ptp(run.kinetic_energy) > 0.1  # and it does work
    assert_close(total, total[0], within=1e-8, because="the tolerance of the integrator")
    for vector in (s.momentum(), s.angular_momentum(s.world.origin)):
        along = run.evaluate(vector)
        assert_close(along, along[:1].repeat(len(along), 0), within=1e-9, because="the tolerance of the integrator")


def test_a_damped_bushing_loses_what_its_powers_say():
    s = mounted((0.1, 0.2, 0.3, 0.1, 0.2, 0.3))
    run = s.simulate(1.0, q={"bx": 0.3}, v={"omega_e_x": 1.0, "ay": 0.2})
    assert set(run.power) == {"mount", "mount_turning"}
    assert run.audit().power_balance < 1e-9


def test_a_bushing_survives_a_file_and_refuses_what_is_not_six(tmp_path):
    s = mounted((0.1,) * 6)
    written = say_model(s.description)
    assert list(written["bushings"][0]) == ["between", "name", "stiffness", "damping"]
    assert "loads" not in written
    again = cd.load(s.write(tmp_path / "mounted.yaml"))
    state = np.random.default_rng(2).normal(size=13)
    q = np.concatenate([state[:3], [0.5, 0.5, 0.5, 0.5], state[3:6], [0.5, -0.5, 0.5, 0.5]])
    order = [str(one) for one in s.model.q]
    assert [str(one) for one in again.model.q] == order
    found, expected = (one.compile().acceleration(q, state[:12]) for one in (again, s))
    assert np.array_equal(found, expected)
    with pytest.raises(WrongShape, match="six numbers"):
        s.bushing(s.bodies["first"], s.bodies["second"], stiffness=(1, 2, 3))


# --- laws of what constraints press with -----------------------------------------------------------


def test_a_bead_that_creeps_on_a_hoop_is_slowed_by_all_that_presses():
    """m vd = -c v N with N^2 = (m v^2 / R)^2 + (m g)^2: rows of a hoop and of its plane, coupled to no force."""
    s = cd.System("hoop")
    x, y, z = s.coordinates("x y z")
    bead = s.particle("bead", mass=0.5, position=(x, y, z))
    s.gravity(-9.81 * s.world.z)
    s.distance(bead, s.world.origin, 0.8, name="hoop")
    s.constrain(z, name="floor")
    N = s.pressing_force("N", by=["hoop", "floor"])
    s.force("creep", on=bead, law=-0.02 * N * bead.origin.velocity)
    run = s.simulate(3.0, q={"x": 0.8}, v={"y": 4.0}, rtol=1e-10)
    expected = solve_ivp(
        lambda _, v: -0.02 * v * np.sqrt((0.5 * v**2 / 0.8) ** 2 + (0.5 * 9.81) ** 2) / 0.5, (0, 3.0), [4.0],
        rtol=1e-11, atol=1e-12, t_eval=run.t, method="DOP853",
    ).y[0]  # fmt: skip
    speed = np.linalg.norm(run.v, axis=1)
    assert_close(speed, expected, within=1e-8, because=SECOND)
    pressed = np.sqrt((0.5 * expected**2 / 0.8) ** 2 + (0.5 * 9.81) ** 2)
    assert_close(run.evaluate(N), pressed, within=1e-6, because="forces are second derivatives of that motion")


@pytest.mark.parametrize("power", [1, 2])
def test_a_force_that_lifts_what_it_is_pressed_by_is_solved_with_the_motion(power):
    """F = c N^k at an angle a above the floor, against the motion: N + c N^k sin a = m g, and m xdd = -c N^k cos a."""
    a, c, m, g = 0.5, 0.02, 2.0, 9.81
    s = cd.System("sledge")
    x, z = s.coordinates("x z")
    sledge = s.particle("sledge", mass=m, position=(x, 0, z))
    s.gravity(-g * s.world.z)
    s.constrain(z, name="floor")
    N = s.pressing_force("N", by="floor")
    s.force("brake", on=sledge, law=c * N**power * (-sp.cos(a) * s.world.x + sp.sin(a) * s.world.z))
    roots = np.roots([c * np.sin(a), 1.0, -m * g] if power == 2 else [1 + c * np.sin(a), -m * g])
    expected = float(roots[roots > 0][0])
    slows = -c * expected**power * np.cos(a) / m
    run = s.simulate(0.5, v={"x": 30.0})
    assert_close(run["x_dot"][-1], 30.0 + slows * 0.5, within=1e-11, because="a constant acceleration")
    assert_close(run.evaluate(N), expected, within=1e-11, because="round-off of the solution by Newton's method")
    assert_close(s.compile().acceleration([0.0, 0.0], [3.0, 0.0])[0], slows, within=1e-12, because="round-off")
    written = say_model(s.description)
    assert written["pressing_forces"] == {"N": ["floor"]}


def test_a_pressing_force_stands_in_forces_only_and_must_be_of_constraints():
    s = cd.System("wrong")
    x, z = s.coordinates("x z")
    s.particle("P", mass=1.0, position=(x, 0, z))
    s.constrain(z, name="floor")
    N = s.pressing_force("N", by="floor")
    s.potential(N * x)
    with pytest.raises(ModelError, match="in forces, moments and generalized forces only"):
        s.simulate(0.1)
    with pytest.raises(ModelError, match="names of constraints"):
        s.pressing_force("M", by=3.0)


def test_a_law_and_a_magnitude_exclude_each_other():
    s = cd.System("both")
    P = s.particle("P", mass=1.0, position=s.coordinates("x") * s.world.x)
    with pytest.raises(ModelError, match="not both"):
        s.force("F", on=P, along=s.world.x, law=s.world.x)
    with pytest.raises(ModelError, match="needs a vector"):
        s.force("F", on=P, law=3.0)
    s.force("F", on=P, law=2 * s.world.x)  # the name is free again
    with pytest.raises(cd.errors.UnknownName):
        s.simulate(0.1, loads={"F": 1.0})
