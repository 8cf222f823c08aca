"""``cardan equilibria``, ``linearize``, ``modes`` and ``steady``."""

from __future__ import annotations

import json
from math import pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardan.cli.main import app
from support.close import assert_close

TOP = """
import cardan as cd
from sympy import cos, sin

system = cd.System("top")
theta, psi, phi = system.coordinates("theta psi phi")
turning = 0.025 * (theta.dot**2 + psi.dot**2 * sin(theta) ** 2)
system.lagrangian(turning + 0.005 * (phi.dot + psi.dot * cos(theta)) ** 2 - 1.962 * cos(theta))
"""
PENDULUM = """
import cardan as cd
from sympy import cos

system = cd.System("pendulum")
a, g = system.coordinates("a"), system.parameters(g=9.0)
system.lagrangian(a.dot**2 / 2 + g * cos(a))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "top.py").write_text(TOP, encoding="utf-8")
    (tmp_path / "pendulum.py").write_text(PENDULUM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(*arguments: str, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == code, result.output
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def test_rests_and_their_verdicts():
    found = answer("equilibria", "pendulum.py")["equilibria"]
    told = sorted((round(abs(one["q"]["a"]), 6), one["stability"]) for one in found)
    assert told == [(0.0, "stable"), (round(pi, 6), "unstable")]
    result = CliRunner().invoke(app, ["equilibria", "pendulum.py"])
    assert "Lagrange-Dirichlet" in result.output


def test_eigenvalues_and_an_exit_code_where_it_is_unstable():
    values = answer("linearize", "pendulum.py")["eigenvalues"]
    assert_close(sorted(one[1] for one in values), [-3.0, 3.0], within=1e-12, because="sqrt(g) = 3")
    assert answer("linearize", "pendulum.py", "--q", "a=pi", code=1)["stability"] == "unstable"


def test_frequencies_with_another_value():
    found = answer("modes", "pendulum.py", "--set", "g=16")
    assert_close([sqrt(one) for one in found["squares"]], [4.0], within=1e-12, because="sqrt(g) = 4")
    assert "rad/s" in CliRunner().invoke(app, ["modes", "pendulum.py"]).output


def test_steady_motions_and_a_picture_of_their_families(folder: Path):
    found = answer("steady", "top.py", "--hold", "theta=0.5", "--plot", "top.png", "--axes", "phi_dot,psi_dot")
    assert found["symmetries"] == ["psi' = 1", "phi' = 1"]
    assert found["families"]
    assert (folder / "top.png").stat().st_size > 5000


def test_a_picture_needs_axes():
    result = CliRunner().invoke(app, ["steady", "top.py", "--hold", "theta=0.5", "--plot", "top.png"])
    assert result.exit_code == 2


@pytest.mark.parametrize("command", ["equilibria", "linearize", "modes"])
def test_a_picture_is_drawn_where_it_is_asked_for(command: str, folder: Path):
    answer = CliRunner().invoke(app, [command, "pendulum.py", "--plot", "picture.png"])
    assert answer.exit_code == 0, answer.output
    assert (folder / "picture.png").read_bytes().startswith(b"\x89PNG")
