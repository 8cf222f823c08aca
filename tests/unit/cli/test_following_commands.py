"""``cardan periodic``, ``families``, ``locus`` and ``invariants``."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy.special import ellipk
from typer.testing import CliRunner

from cardan.cli.main import app
from support.close import assert_close

HOOP = """
import cardan as cd
from sympy import cos, sin

system = cd.System("hoop")
theta, Omega = system.coordinates("theta"), system.parameters(Omega=0.0)
system.kinetic_energy(theta.dot**2 / 2)
system.potential(-cos(theta) - Omega**2 * sin(theta) ** 2 / 2)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "hoop.py").write_text(HOOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(*words: str) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_swing_is_found_and_checked(folder: Path):
    found = answer("periodic", "hoop.py", "--q", "theta=1.0", "--hold", "theta=1", "--hold", "theta_dot=0")
    assert_close(
        found["period"], 4 * float(ellipk(0.22984884706593015)), within=1e-9, because="sin(1/2)^2; runs to 1e-12"
    )
    assert found["drift"] < 1e-8


def test_families_of_rests_and_their_picture(folder: Path):
    words = ("--parameter", "Omega", "--from", "0.5", "--to", "3", "--plot", "hoop.png")
    found = answer("families", "hoop.py", *words)
    points = [point for one in found["families"] for point in one["points"]]
    assert {point["kind"] for point in points} == {"branch"}
    assert_close([point["value"] for point in points], 1.0, within=1e-8, because="located to the root of rounding")
    assert (folder / "hoop.png").stat().st_size > 5000


def test_a_locus_and_its_pictures(folder: Path):
    words = ("--parameter", "Omega", "--from", "0", "--to", "2", "--count", "21", "--plot")
    found = answer("locus", "hoop.py", *words, "locus.png")
    growth = [max(pair[0] for pair in row) for row in found["eigenvalues"]]
    assert_close(growth[-1], sqrt(3.0), within=1e-10, because="Omega^2 - 1, two by two")
    answer("locus", "hoop.py", *words, "campbell.svg", "--campbell")
    assert (folder / "locus.png").stat().st_size > 5000
    assert (folder / "campbell.svg").stat().st_size > 5000


def test_invariants_in_symbols(folder: Path):
    (only,) = answer("invariants", "hoop.py")["invariants"]
    assert only["kind"] == "energy"
    assert "theta_dot**2/2" in only["is"]


def test_a_model_file_asks_and_is_answered(folder: Path):
    """The hoop from a file: two questions with answers, and one that has none and says why."""
    (folder / "hoop.yaml").write_text(
        "cardan: 1\ncoordinates: {theta: R}\nparameters: {Omega: 2.0}\n"
        "energies: {lagrangian: theta.dot**2/2 + cos(theta) + Omega**2*sin(theta)**2/2}\n"
        "analysis:\n  - {kind: linearize, q: {theta: 0}}\n  - {kind: invariants}\n  - {kind: modes, q: {theta: 0.5}}\n"
        "start: {q: {theta: 0.1}}\nsimulate: {duration: 1}\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(app, ["analyse", "hoop.yaml", "--json"])
    assert result.exit_code == 1
    linear, conserved, modes = json.loads(result.stdout)["analysis"]
    assert linear["rows"][0]["value"] == "unstable"
    assert f"exp({sqrt(3):.4g} t)" in linear["rows"][0]["detail"]
    assert conserved["rows"][0]["label"] == "energy"
    assert "accelerates" in modes["problem"]
    report = CliRunner().invoke(app, ["report", "hoop.yaml", "--output", "hoop.html", "--no-live"])
    assert report.exit_code == 0
    assert '"title":"Next to the rest"' in (folder / "hoop.html").read_text(encoding="utf-8")
    nothing = CliRunner().invoke(app, ["analyse", "hoop.py"])
    assert nothing.exit_code == 2
    assert "asks nothing" in nothing.output
