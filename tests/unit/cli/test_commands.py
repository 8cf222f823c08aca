"""The commands: what they print, what they answer in JSON, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import cardan
from cardan.cli.main import app
from cardan.formats.write import starters
from support.close import assert_close

RUNNER = CliRunner()
FINE, PROBLEM, USAGE, FILE = 0, 1, 2, 3

PROGRAM = """
import cardan as cd

print("loading")
system = cd.System("falling stone")
x = system.coordinates("x")
g = system.parameters(g=10.0)
system.kinetic_energy(x.dot**2 / 2)
system.potential(g * x)
system.plan = {"duration": 1.0, "q": {"x": 5.0}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in starters().items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "stone.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(*arguments: str, code: int = FINE) -> dict[str, Any]:
    """The JSON answer of a command, which must end with the given code."""
    result = RUNNER.invoke(app, [*arguments, "--json"])
    assert result.exit_code == code, result.output
    content: dict[str, Any] = json.loads(result.stdout)
    assert content["command"] == arguments[0]
    assert content["exit_code"] == code
    assert content["ok"] == (code == FINE)
    return content


def printed(*arguments: str, code: int = FINE) -> str:
    result = RUNNER.invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    return result.output


def test_help_names_every_command_and_the_exit_codes() -> None:
    text = printed("--help")
    for name in ("new", "check", "derive", "diagnose", "simulate", "demo", "doctor", "Exit codes", "130"):
        assert name in text


def test_version() -> None:
    assert printed("--version").strip() == cardan.__version__


def test_new_writes_a_starter_that_passes_its_check(folder: Path) -> None:
    assert answer("new", "mine.yaml")["file"] == "mine.yaml"
    assert Path("mine.yaml").read_text(encoding="utf-8") == starters()["pendulum"]
    assert "fine" in printed("check", "mine.yaml")


def test_new_keeps_an_existing_file_unless_forced(folder: Path) -> None:
    Path("mine.yaml").write_text("precious", encoding="utf-8")
    assert "kept" in answer("new", "mine.yaml", code=FILE)["error"]["message"]
    assert Path("mine.yaml").read_text(encoding="utf-8") == "precious"
    answer("new", "mine.yaml", "--force", "--like", "four_bar")
    assert "four-bar" in Path("mine.yaml").read_text(encoding="utf-8")


def test_new_lists_starters_and_refuses_unknown_ones(folder: Path) -> None:
    assert answer("new", "--list")["starters"] == list(starters())
    assert "no starter" in answer("new", "x.yaml", "--like", "unicorn", code=USAGE)["error"]["message"]


@pytest.mark.parametrize("name", list(starters()))
def test_check_accepts_every_starter(name: str, folder: Path) -> None:
    content = answer("check", f"{name}.yaml")
    assert content["coordinates"]


def test_check_says_where_a_file_is_wrong(folder: Path) -> None:
    Path("bad.yaml").write_text("cardan: 1\nparameters:\n  m: 1 +\n", encoding="utf-8")
    error = answer("check", "bad.yaml", code=FILE)["error"]
    assert (error["type"], error["file"], error["line"], error["field"]) == ("FileError", "bad.yaml", 3, "parameters.m")
    assert "bad.yaml:3: parameters.m" in printed("check", "bad.yaml", code=FILE)


def test_check_finds_a_start_that_violates_the_constraints(folder: Path) -> None:
    text = starters()["four_bar"].replace("q: {crank: 1.0}", "q: {crank: 1.0, coupler: 1.0, rocker: 1.0}")
    Path("bad.yaml").write_text(text, encoding="utf-8")
    error = answer("check", "bad.yaml", code=PROBLEM)["error"]
    assert error["type"] == "StartError"


def test_a_missing_file_is_a_file_error(folder: Path) -> None:
    for command in ("check", "derive", "diagnose", "simulate"):
        assert "is no file" in answer(command, "none.yaml", code=FILE)["error"]["message"]


def test_derive_prints_the_mass_matrix_of_the_pendulum(folder: Path) -> None:
    content = answer("derive", "pendulum.yaml")
    assert content["mass_matrix"] == [["I + l**2*m"]]
    assert content["potential_terms"] == [["g*l*m*sin(phi)"]]
    assert "M vd + f + g = Q" in printed("derive", "pendulum.yaml")
    assert "\\phi" in answer("derive", "pendulum.yaml", "--latex")["latex"]
    answer("derive", "pendulum.yaml", "--form", "poetic", code=USAGE)


def test_diagnose_finds_gimbal_lock_and_says_so_by_its_exit_code(folder: Path) -> None:
    assert answer("diagnose", "cardan_suspension.yaml")["kinds"] == []
    content = answer("diagnose", "cardan_suspension.yaml", "--q", "beta=0", "--load", "M=1", "--sets", code=PROBLEM)
    assert content["kinds"] == ["gimbal-lock"]
    assert "sin(beta) = 0" in " ".join(content["singular_sets"])
    assert content["manifold"] == "T^3"
    assert "gimbal-lock" in printed("diagnose", "cardan_suspension.yaml", "--q", "beta=0", code=PROBLEM)


def test_simulate_follows_the_plan_of_the_file(folder: Path) -> None:
    content = answer("simulate", "double_pendulum.yaml")
    assert (content["status"], content["t"], content["times"]) == ("finished", [0.0, 10.0], 1001)
    assert content["energy_drift"] < 1e-7  # rtol 1e-10 and some hundred steps


def test_simulate_writes_a_table_and_arrays(folder: Path) -> None:
    """x = 5 - g t^2 / 2 for a stone let go at 5."""
    because = "an exact quadratic; round-off of a few steps"
    answer("simulate", "stone.py", "--points", "11", "--output", "run.csv")
    rows = np.loadtxt("run.csv", delimiter=",", skiprows=1)
    assert Path("run.csv").read_text(encoding="utf-8").splitlines()[0].startswith("t [s],x,x_dot,kinetic_energy [J],")
    assert_close(rows[:, 1], 5 - 5 * rows[:, 0] ** 2, within=1e-12, because=because)
    answer("simulate", "stone.py", "--points", "11", "--set", "g=2", "--duration", "2", "-o", "run.npz")
    with np.load("run.npz") as saved:
        assert list(saved["q_names"]) == ["x"]
        assert_close(saved["q"][:, 0], 5 - saved["t"] ** 2, within=1e-12, because=because)
        assert saved["t"][-1] == 2.0
    answer("simulate", "stone.py", "--output", "run.docx", code=USAGE)
    answer("simulate", "stone.py", "--output", "nowhere/run.csv", code=FILE)


def test_values_on_the_command_line_override_the_plan(folder: Path) -> None:
    content = answer("simulate", "stone.py", "--q", "x=7", "--v", "x=pi", "--set", "g=0")
    assert_close(content["final"]["x"], 7 + np.pi, within=1e-12, because="free flight for one second")
    for wrong in (["--q", "x"], ["--set", "g=open('a')"], ["--v", "=1"], ["--set", "g=1,2"]):
        answer("simulate", "stone.py", *wrong, code=USAGE)


def test_a_motion_that_cannot_go_on_is_a_problem(folder: Path) -> None:
    text = "cardan: 1\ncoordinates: {x: R}\nenergies: {kinetic: x.dot**2/2, potential: log(x)}\n"
    Path("fall.yaml").write_text(text + "start: {q: {x: 1}}\nsimulate: {duration: 10}\n", encoding="utf-8")
    content = answer("simulate", "fall.yaml", "--output", "run.csv", code=PROBLEM)
    assert content["status"] not in ("finished", "event")
    assert len(Path("run.csv").read_text(encoding="utf-8").splitlines()) > 2, "what was computed is kept"


def test_a_python_file_is_run_for_its_system(folder: Path) -> None:
    assert answer("check", "stone.py")["name"] == "falling stone"
    Path("empty.py").write_text("x = 1\n", encoding="utf-8")
    assert "`system`" in answer("check", "empty.py", code=FILE)["error"]["message"]
    Path("broken.py").write_text("x = 1\ny = x / 0\n", encoding="utf-8")
    error = answer("check", "broken.py", code=FILE)["error"]
    assert error["line"] == 2
    assert "ZeroDivisionError" in error["message"]
    Path("typo.py").write_text("x = (\n", encoding="utf-8")
    assert answer("check", "typo.py", code=FILE)["error"]["line"] >= 1


def test_no_duration_is_wrong_usage(folder: Path) -> None:
    Path("still.yaml").write_text("cardan: 1\ncoordinates: {x: R}\nenergies: {kinetic: x.dot**2}\n", encoding="utf-8")
    assert "--duration" in answer("simulate", "still.yaml", code=USAGE)["error"]["message"]


def test_wrong_usage_is_2(folder: Path) -> None:
    for arguments in (
        ["simulate"],
        ["fly"],
        ["check", "stone.py", "--colour"],
        ["simulate", "stone.py", "--points", "1"],
    ):
        assert RUNNER.invoke(app, arguments).exit_code == USAGE


def test_demo_finds_the_lock_passes_through_it_and_writes_a_report(folder: Path) -> None:
    content = answer("demo", "--output", "reports/demo.html")
    assert content["kinds"] == ["gimbal-lock"]
    assert content["kinds_without_inertia"] == ["coordinate-singularity"]
    assert len(content["axes_in_line_at"]) == 2
    page = (folder / "reports" / "demo.html").read_text(encoding="utf-8")
    assert "Cardan suspension" in page
    said = printed("demo")
    assert "gimbal lock" in said
    assert "cardan_suspension.html" in said


def test_doctor_finds_this_installation_well() -> None:
    content = answer("doctor")
    assert {one["name"] for one in content["checks"]} >= {"python", "numpy", "compiler", "cache", "motion"}
    assert all(one["ok"] for one in content["checks"])


def test_import_writes_a_model_file_that_moves_the_same(folder: Path) -> None:
    robot = Path(__file__).parents[2] / "oracle" / "data" / "crane.urdf"
    result = RUNNER.invoke(app, ["import", str(robot), "--output", "crane.yaml", "--json"])
    assert result.exit_code == FINE, result.output
    answer = json.loads(result.output)
    assert answer["coordinates"] == ["slew", "luff", "run_out", "swing"]
    assert any("cab_frame" in note for note in answer["notes"])
    q, v = [0.3, 0.2, 1.0, 0.4], [0.1, -0.2, 0.3, 0.4]
    ours, theirs = (cardan.load(path).compile().acceleration(q, v) for path in ("crane.yaml", robot))
    assert_close(ours, theirs, within=0.0, because="the same numbers are written with all their digits")
    again = RUNNER.invoke(app, ["import", str(robot), "--output", "crane.yaml"])
    assert again.exit_code == FILE
    assert "kept" in again.output
    assert RUNNER.invoke(app, ["import", "stone.py"]).exit_code == USAGE


def test_the_doctor_tells_of_a_slow_cache_and_an_old_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cardan.cli import doctor
    from cardan.native import cache, engine

    monkeypatch.setattr(cache, "user_cache", lambda: cache.ObjectCache(tmp_path))
    assert "ms to keep and find" in doctor.cache()
    assert list(tmp_path.iterdir()) == [], "what was tried is taken away"
    monkeypatch.setattr(doctor, "SLOW", -1.0)
    slow = doctor.tried("cache", doctor.cache)
    assert not slow.ok
    assert "CARDAN_CACHE_DIR" in slow.detail
    monkeypatch.setattr(engine, "host", lambda: engine.Host("triple", "cpu", "", "llvmlite 0.30, LLVM 9.0.1"))
    old = doctor.tried("compiler", doctor.compiler)
    assert not old.ok
    assert "too old" in old.detail


def test_the_shell_can_complete_commands() -> None:
    found = CliRunner().invoke(app, ["--help"])
    assert "--install-completion" in found.output
