"""The compiled kernel: shapes, inverse dynamics, poses, Jacobians, and its C source."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from math import cos, sin
from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import CompileError, UnknownName, WrongShape
from support.close import EPS, assert_close

COMPILER = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")


@pytest.fixture(scope="module")
def system() -> cd.System:
    """A double pendulum of bodies with a motor at its elbow."""
    s = cd.System("arm")
    a, b = s.coordinates("a b")
    m, g = s.parameters(m=1.5, g=9.81)
    upper = s.body("upper", mass=m, inertia=0.2, com=(0, -0.5, 0), joint=cd.Revolute("z", a))
    lower = s.body(
        "lower", mass=m, inertia=0.1, com=(0, -0.5, 0), at=(0, -1, 0), joint=cd.Revolute("z", b), parent=upper
    )
    s.gravity(-g * s.world.y)
    s.moment("M", on=lower, along=lower.z, against=upper)
    return s


def test_inverse_dynamics_undoes_the_acceleration(system):
    k = system.compile()
    q, v = [0.4, -0.9], [1.0, 2.0]
    vd = k.acceleration(q, v, loads={"M": 0.7})
    assert_close(k.inverse_dynamics(q, v, vd, loads={"M": 0.7}), 0.0, within=1e-13, because="forces up to 50")
    extra = k.inverse_dynamics(q, v, vd)
    assert_close(extra, [0.0, 0.7], within=1e-13, because="what the motor did is missing: a moment between the links")


def test_poses_and_point_jacobians(system):
    k = system.compile()
    a, b = 0.4, -0.9
    R, p = k.poses([a, b])["lower"]
    assert_close(p, [sin(a), -cos(a), 0], within=4 * EPS, because="one rotation")
    assert_close(R[:, 0], [cos(a + b), sin(a + b), 0], within=8 * EPS, because="two rotations")
    J = k.point_jacobian(k.model.bodies[1].frame, (0, -1, 0))(0.0, k.y([a, b]), k.p()).reshape(3, 2)
    expected = [[cos(a) + cos(a + b), cos(a + b)], [sin(a) + sin(a + b), sin(a + b)], [0, 0]]
    assert_close(J, expected, within=8 * EPS, because="derivatives of the tip's position")


def test_energy_of_a_state(system):
    T, V, jacobi = system.compile().energy([0.0, 0.0], [1.0, 0.0])
    assert_close(T, (0.2 + 1.5 * 0.25 + 0.1 + 1.5 * 2.25) / 2, within=16 * EPS, because="half of I w^2, pivot included")
    assert_close(V, -1.5 * 9.81 * (0.5 + 1.5), within=64 * EPS, because="both hang straight down")
    assert_close(jacobi, T + V, within=64 * EPS, because="nothing moves by prescription")


def test_shapes_and_names_are_checked(system):
    k = system.compile()
    with pytest.raises(WrongShape, match=r"q has 3 numbers, expected 2: a, b"):
        k.acceleration([1, 2, 3])
    with pytest.raises(WrongShape, match=r"v has 1 numbers, expected 2: a_dot, b_dot"):
        k.acceleration([1, 2], [1])
    with pytest.raises(WrongShape):
        k.inverse_dynamics([1, 2], [1, 2], [1, 2, 3])
    with pytest.raises(WrongShape):
        k.acceleration_batch(np.zeros((3, 1)), np.zeros((3, 2)))
    with pytest.raises(UnknownName, match=r"'F' is no load or input of 'arm'. Known: M"):
        k.acceleration([0, 0], loads={"F": 1.0})
    with pytest.raises(UnknownName, match=r"no kernel 'speed'. Known: acceleration, .*energy"):
        k.function("speed")
    with pytest.raises(UnknownName, match=r"no kernel 'speed'"):
        k.to_c("speed")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler is installed")
@pytest.mark.parametrize("name", ["acceleration", "mass_matrix", "energy", "rhs"])
def test_c_source_gives_the_numbers_of_the_native_kernel(system, tmp_path: Path, name):
    k = system.compile()
    source, library = tmp_path / "kernel.c", tmp_path / "kernel.so"
    source.write_text(k.to_c(name), encoding="utf-8")
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
    subprocess.run(
        [str(COMPILER), *strict, "-O1", "-fPIC", "-shared", str(source), "-o", str(library), "-lm"], check=True
    )
    exported = getattr(ctypes.CDLL(str(library)), name)
    exported.restype, exported.argtypes = ctypes.c_int64, [ctypes.c_double, *[ctypes.c_void_p] * 3]
    y, p = k.y([0.4, -0.9], [1.0, 2.0]), k.p(loads={"M": 0.7})
    native = k.function(name)
    expected = native(0.0, y, p)
    out = np.empty(native.nout)
    assert exported(0.0, y.ctypes.data, p.ctypes.data, out.ctypes.data) == native.status == 0
    within = 64 * EPS * max(1.0, float(np.max(np.abs(expected))))
    assert_close(out, expected, within=within, because="sine and cosine of the C library differ in the last place")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler is installed")
def test_c_source_reports_the_pivot_that_failed(tmp_path: Path):
    s = cd.System("ghost")
    s.body("ghost", mass=s.parameters(m=0.0), com=(1, 0, 0), joint=cd.Revolute("z", s.coordinates("a")))
    k = s.compile()
    source, library = tmp_path / "kernel.c", tmp_path / "kernel.so"
    source.write_text(k.to_c(), encoding="utf-8")
    subprocess.run([str(COMPILER), "-O1", "-fPIC", "-shared", str(source), "-o", str(library), "-lm"], check=True)
    exported = ctypes.CDLL(str(library)).acceleration
    exported.restype, exported.argtypes = ctypes.c_int64, [ctypes.c_double, *[ctypes.c_void_p] * 3]
    y, p, out = k.y([0.0]), k.p(), np.empty(1)
    assert exported(0.0, y.ctypes.data, p.ctypes.data, out.ctypes.data) == 1


def test_constraints_act_on_batches_and_are_not_dropped_from_c():
    s = cd.System("pendulum on a rod")
    x, y = s.coordinates("x y")
    mass = s.particle("mass", mass=2.0, position=(x, y, 0))
    s.gravity(-9.81 * s.world.y)
    s.distance(mass, s.world.origin, 1.0, name="rod")
    k = s.compile()
    states = np.array([[0.0, -1.0], [1.0, 0.0], [0.6, -0.8]])
    rates = np.array([[1.0, 0.0], [0.0, 0.0], [0.8, 0.6]])
    one_by_one = [k.acceleration(q, v) for q, v in zip(states, rates, strict=True)]
    assert_close(k.acceleration_batch(states, rates), one_by_one, within=0.0, because="the same calls")
    assert_close(one_by_one[0], [0.0, 1.0], within=16 * EPS, because="v^2 / l upwards, and the rod carries the weight")
    with pytest.raises(WrongShape, match="as many velocities"):
        k.acceleration_batch(states, rates[:2])
    with pytest.raises(CompileError, match="needs the multipliers"):
        k.to_c()
    assert "out[" in k.to_c("terms")
