"""A robot in URDF against Pinocchio: mass matrix, bias, inverse and forward dynamics, energies, fixed and floating."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close

DATA = Path(__file__).parent / "data"
EXPECTED = json.loads((DATA / "crane.json").read_text(encoding="utf-8"))
Q, V = np.array(EXPECTED["q"]), np.array(EXPECTED["v"])
BECAUSE = "both in double precision, about a hundred operations each"
LARGE = "double precision of some thousand joules"


@pytest.fixture(scope="module")
def crane() -> cd.System:
    return cd.load(DATA / "crane.urdf")


def test_the_coordinates_stand_in_the_order_of_pinocchio(crane: cd.System) -> None:
    assert [str(q) for q in crane.model.q] == ["slew", "luff", "run_out", "swing"]


def test_the_terms_of_the_equations(crane: cd.System) -> None:
    kernel = crane.compile()
    assert_close(kernel.mass_matrix(Q), EXPECTED["mass_matrix"], within=1e-12, because=BECAUSE)
    for name, a in (("nonlinear_effects", np.zeros(4)), ("rnea_tau", np.array(EXPECTED["a_for_rnea"]))):
        assert_close(kernel.inverse_dynamics(Q, V, a), EXPECTED[name], within=1e-12, because=BECAUSE)
    at_rest = kernel.inverse_dynamics(Q, np.zeros(4), np.zeros(4))
    assert_close(at_rest, EXPECTED["gravity_torque"], within=1e-12, because=BECAUSE)


def test_forward_dynamics_under_joint_torques(crane: cd.System) -> None:
    names = [f"tau_{q}" for q in crane.model.q]
    inputs = dict(zip(names, EXPECTED["tau_for_aba"], strict=True))
    found = crane.compile().acceleration(Q, V, inputs=inputs)
    assert_close(found, EXPECTED["aba_qdd"], within=1e-11, because="M is inverted: its condition number is about 1e3")


def test_energies(crane: cd.System) -> None:
    run = crane.simulate(1e-3, q=Q, v=V)
    assert_close(run.kinetic_energy[0], EXPECTED["kinetic_energy"], within=1e-12, because=BECAUSE)
    assert_close(run.potential_energy[0], EXPECTED["potential_energy"], within=1e-11, because=LARGE)


def test_a_floating_base() -> None:
    expected = EXPECTED["floating"]
    crane = cd.load(DATA / "crane.urdf", floating=True, restitution=None)
    e = np.array(expected["quaternion_wxyz"])
    R = _rotation(e)
    start = dict(zip(("slew", "luff", "run_out", "swing"), Q, strict=True))
    start |= dict(zip(("base_x", "base_y", "base_z"), expected["position"], strict=True)) | {"base_e": e}
    world = R @ expected["linear_velocity_body"]
    rates = dict(zip(("slew", "luff", "run_out", "swing"), V, strict=True))
    rates |= dict(zip(("base_x", "base_y", "base_z"), world, strict=True))
    rates |= {"base_e": expected["angular_velocity_body"]}
    run = crane.simulate(1e-3, q=start, v=rates)
    assert_close(run.kinetic_energy[0], expected["kinetic_energy"], within=1e-12, because=BECAUSE)
    assert_close(run.potential_energy[0], expected["potential_energy"], within=1e-11, because=LARGE)
    joints = [[str(v) for v in crane.model.v].index(f"{name}_dot") for name in ("slew", "luff", "run_out", "swing")]
    found = run.acceleration[0][joints]
    assert_close(found, expected["aba_joint_accelerations"], within=1e-10, because="M of a floating base is inverted")


def test_limits_are_stops(crane: cd.System) -> None:
    """The jib falls onto its lower limit and stays there: the file's limit, kept by the stop machinery."""
    run = crane.simulate(4.0, q={"luff": 0.3, "run_out": 1.0}, v=[0, 0, 0, 0])
    kinds = {(event.kind, event.name) for event in run.events}
    assert ("impact", "luff_lower") in kinds
    assert run["luff"].min() > -0.2 - 1e-9, "a stop is met to the tolerance of the run, not passed"
    free = cd.load(DATA / "crane.urdf", restitution=None)
    assert not free.model.stops


def _rotation(e: np.ndarray) -> np.ndarray:
    """R of a unit quaternion (w, x, y, z), as R = 1 + 2 w [x] + 2 [x]^2."""
    X = np.array([[0, -e[3], e[2]], [e[3], 0, -e[1]], [-e[2], e[1], 0]])
    return np.eye(3) + 2 * e[0] * X + 2 * X @ X
