"""Exported units (FMI 2.0 and 3.0), validated and simulated by FMPy, an importer that shares no code with Cardan.

Model exchange is integrated by its CVode, co-simulation by the unit itself.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu
from sympy import cos, sin

import cardan as cd
from cardan.errors import CompileError
from support.close import assert_close

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="units are run with a C compiler only")
INTERFACES = {"me": "ModelExchange", "cs": "CoSimulation"}
BOTH = pytest.mark.parametrize(("kind", "version"), [("me", 2), ("cs", 2), ("me", 3), ("cs", 3)])


def simulated(unit: Path, kind: str, duration: float, **options: object) -> np.ndarray:
    assert validate_fmu(str(unit)) == []
    return fmpy.simulate_fmu(
        str(unit),
        fmi_type=INTERFACES[kind],
        stop_time=duration,
        relative_tolerance=1e-10,
        output_interval=duration / 100,
        **options,
    )


def double_pendulum() -> cd.System:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, g, u = *s.parameters(m=1.0, g=9.81), s.input("u")
    s.lagrangian(m * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b)) + m * g * (2 * cos(a) + cos(b)))
    s.generalized_force(a, u)
    return s


@BOTH
def test_a_pendulum_with_parameters_inputs_and_outputs(tmp_path, kind, version):
    """What the importer sets reaches the motion: mass 1.5 and a push of 2, against a run with the same."""
    s = double_pendulum()
    a, b = s.model.q
    unit = s.to_fmu(tmp_path / "p.fmu", q=[1.0, 0.5], kind=kind, version=version, outputs={"x": sin(a) + sin(b)})
    pushed = np.array([(0.0, 2.0), (5.0, 2.0)], dtype=[("time", float), ("u", float)])
    found = simulated(unit, kind, 2.0, start_values={"m": 1.5}, input=pushed, output=["a", "b", "x"])
    run = s.with_values(m=1.5).simulate(2.0, q=[1.0, 0.5], inputs={"u": 2.0})
    expected = [run["a"][-1], run["b"][-1]]
    assert_close(
        [found["a"][-1], found["b"][-1]], expected, within=1e-5, because="CVode's error over 2 s at rtol 1e-10"
    )
    outside = np.sin(found["a"]) + np.sin(found["b"])
    assert_close(found["x"], outside, within=1e-12, because="the same expression of the same numbers")


@BOTH
def test_a_linkage_stays_closed_and_keeps_its_energy(tmp_path, kind, version):
    """Energy and closure by hand, from the angles that the importer saw."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = s.body("crank", mass=1.0, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=2.0, inertia=2 / 3, com=(1, 0, 0), at=(1, 0, 0), joint=cd.Revolute("z", b), parent=crank
    )
    rocker = s.body("rocker", mass=1.0, inertia=1 / 12, com=(0.75, 0, 0), at=(2.2, 0, 0), joint=cd.Revolute("z", c))
    s.connect(coupler.point(2, 0, 0), rocker.point(1.5, 0, 0), cd.Revolute("z"), name="pin")
    s.gravity(-9.81 * s.world.y)
    unit = s.to_fmu(tmp_path / "f.fmu", q={"a": 1.2}, v={"a": 1.0}, kind=kind, version=version)
    found = simulated(unit, kind, 3.0)
    A, B, C = found["a"], found["a"] + found["b"], found["c"]
    w = found["a_dot"], found["a_dot"] + found["b_dot"], found["c_dot"]
    gap = np.exp(1j * A) + 2 * np.exp(1j * B) - 2.2 - 1.5 * np.exp(1j * C)
    assert_close(
        np.abs(gap),
        0.0,
        within=1e-7,
        because="put back where a row is off by a billionth of its size, looked at after each of CVode's steps",
    )
    middle = 1j * w[0] * np.exp(1j * A) + 1j * w[1] * np.exp(1j * B)  # velocity of the coupler's centre
    kinetic = (w[0] ** 2 / 3 + 2 * np.abs(middle) ** 2 + 2 / 3 * w[1] ** 2 + (1 / 12 + 0.75**2) * w[2] ** 2) / 2
    potential = 9.81 * (0.5 * np.sin(A) + 2 * (np.sin(A) + np.sin(B)) + 0.75 * np.sin(C))
    energy = kinetic + potential
    assert_close(energy, energy[0], within=2e-5, because="CVode's error over 3 s of motions of 60 J at rtol 1e-10")


@BOTH
def test_a_ball_bounces_and_comes_to_rest(tmp_path, kind, version):
    """Drops 1 m with restitution 0.8: at rest after sqrt(2/g) (1 + e)/(1 - e) = 4.06 s, by the geometric series."""
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("P", mass=1.0, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.8, name="floor")
    unit = s.to_fmu(tmp_path / "b.fmu", q=[1.0], kind=kind, version=version)
    found = simulated(unit, kind, 5.0)
    first = math.sqrt(2 / 9.81)
    flight = 2 * 0.8 * first
    t = found["time"]
    second = (t > first) & (t < first + flight)
    since = t[second] - first
    expected = 0.8 * math.sqrt(2 * 9.81) * since - 9.81 * since**2 / 2
    assert_close(found["z"][second], expected, within=1e-6, because="CVode's error and where it sees the impact")
    assert_close(found["z"][t > 4.2], 0.0, within=1e-6, because="at rest on the floor, to CVode's absolute tolerance")


def test_what_a_unit_does_not_know_is_refused_by_name(tmp_path):
    s = cd.System("block")
    x, z = s.coordinates("x z")
    s.particle("P", mass=1.0, position=x * s.world.x + z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.contact(s["P"], on=s.world, restitution=0.0, friction=0.3, name="floor")
    with pytest.raises(CompileError, match="The stop 'floor' rubs"):
        s.to_fmu(tmp_path / "x.fmu", q=[0.0, 1.0])
    with pytest.raises(CompileError, match="kind is one of 'me', 'cs', 'both', found 'es'"):
        double_pendulum().to_fmu(tmp_path / "x.fmu", q=[0.0, 1.0], kind="es")
    with pytest.raises(CompileError, match="version is 2 or 3 of FMI, found 1"):
        double_pendulum().to_fmu(tmp_path / "x.fmu", q=[0.0, 1.0], version=1)
    assert not (tmp_path / "x.fmu").exists()


@pytest.mark.parametrize("version", [2, 3])
def test_the_sources_compile_without_a_warning(tmp_path, version):
    unit = double_pendulum().to_fmu(tmp_path / "p.fmu", q=[1.0, 0.5], kind="both", version=version)
    with zipfile.ZipFile(unit) as bundle:
        bundle.extract("sources/double_pendulum.c", tmp_path)
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O2", "-c"]
    source = tmp_path / "sources" / "double_pendulum.c"
    done = subprocess.run(["cc", *flags, str(source), "-o", str(tmp_path / "x.o")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
