"""Files that mean harm, and files that are only wrong, are refused quickly with their place; nothing in them runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FILES = sorted(one for ending in ("yaml", "xml", "sdf") for one in (HERE / "files").glob(f"*.{ending}"))
MOST_SECONDS = 0.5
MOST_BYTES = 200e6

LARGE = {
    "deep_flow_sequence": "cardan: 1\nname: " + "[" * 100_000,
    "deep_flow_mapping": "cardan: 1\nname: " + "{a: " * 50_000,
    "deep_block_sequence": "- " * 100_000,
    "deep_expression": "cardan: 1\nparameters: {m: '" + "(" * 4_000 + "1" + ")" * 4_000 + "'}",
    "many_signs": "cardan: 1\nparameters: {m: '" + "-" * 9_000 + "1'}",
    "long_expression": "cardan: 1\nparameters: {m: '" + "1+" * 50_000 + "1'}",
    "long_number": "cardan: 1\nparameters: {m: '" + "9" * 9_000 + "'}",
    "long_name": "cardan: 1\nparameters: {" + "m" * 100_000 + ": 1}",
    "many_entries": "cardan: 1\nparameters: {" + ", ".join(f"m{k}: 1" for k in range(15_000)) + ", m1: 2}",
    "many_items": "cardan: 1\ninputs: [" + "a," * 100_000 + "]",
    "large_file": "cardan: 1\n" + "# comment\n" * 100_000,
    "large_text": "cardan: 1\nname: '" + "x" * 200_000 + "'",
    "long_product": "cardan: 1\nparameters: {m: '" + "*".join(["10**60"] * 600) + "'}",
    "many_anchors": "cardan: 1\nname: " + "&a " * 60_000,
    "null_bytes": "cardan: 1\nname: " + "\x00" * 1000,
    "nothing": "",
}

LARGE_ROBOTS = {
    "mjcf_deep_bodies": "<mujoco><worldbody>" + "<body>" * 100_000,
    "mjcf_deep_defaults": "<mujoco>" + "<default>" * 5_000 + "</default>" * 5_000 + "</mujoco>",
    "mjcf_many_geoms": "<mujoco><worldbody>" + "<geom size='1'/>" * 60_000 + "</worldbody></mujoco>",
    "mjcf_many_bodies": "<mujoco><worldbody>" + "<body><freejoint/></body>" * 5_000 + "</worldbody></mujoco>",
    "mjcf_long_name": f"<mujoco><worldbody><body name='{'x' * 100_000}'><joint/></body></worldbody></mujoco>",
    "mjcf_long_list": f"<mujoco><worldbody><body pos='{'1 ' * 500_000}'/></worldbody></mujoco>",
    "mjcf_large_file": "<mujoco>" + " " * 5_000_000 + "</mujoco>",
    "mjcf_null_bytes": "<mujoco>" + "\x00" * 1000 + "</mujoco>",
    "mjcf_nothing": "",
}


def run(program: str, *arguments: str, folder: Path) -> Any:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "PYTHONIOENCODING": "utf-8",
    }
    command = [sys.executable, str(HERE / program), *arguments]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What became of every file, by its name, from one process that loaded them all in an empty folder."""
    folder, elsewhere = tmp_path_factory.mktemp("large"), tmp_path_factory.mktemp("run")
    for name, text in LARGE.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    for name, text in LARGE_ROBOTS.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    paths = [*FILES, *sorted(folder.iterdir())]
    found = run("limits.py", *(str(path) for path in paths), folder=elsewhere)
    assert list(elsewhere.iterdir()) == [], "a model file wrote something"
    return {Path(path).stem: outcome for path, outcome in found.items()}


@pytest.mark.parametrize("name", [*(path.stem for path in FILES), *LARGE, *LARGE_ROBOTS])
def test_a_hostile_file_is_refused_within_limits(name: str, outcomes: dict[str, Any]) -> None:
    outcome = outcomes[name]
    assert outcome["error"] is not None, "it was accepted"
    assert "LEAKED" not in outcome["error"], outcome["error"]
    assert Path(outcome["file"]).stem == name
    assert len(outcome["error"]) < 2_000
    assert outcome["seconds"] <= MOST_SECONDS, "too slow, in CPU time"
    assert outcome["bytes"] <= MOST_BYTES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_refusal_names_the_line(path: Path, outcomes: dict[str, Any]) -> None:
    """The first line of each file says, in a comment, on which line its fault is."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    expected = int(first.removeprefix("<!--").removesuffix("-->").strip().removeprefix("# ").removeprefix("line:"))
    assert outcomes[path.stem]["line"] == expected, outcomes[path.stem]["error"]


@pytest.mark.parametrize("count", [5_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_random_expressions_run_nothing_and_raise_only_file_errors(count: int, tmp_path: Path) -> None:
    found = run("fuzz.py", str(count), folder=tmp_path)
    assert found["accepted"] + found["refused"] == count
    assert found["accepted"] > count / 50, "hardly any was valid, so little was tried"
    assert any("eval" in one or "exec" in one or "compile" in one for one in found["control"])
    assert found["heard"] == []
    assert found["slowest"] <= MOST_SECONDS, found["worst"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", [500, pytest.param(20_000, marks=pytest.mark.long)])
def test_random_robots_raise_only_file_errors_and_end_no_process(count: int, tmp_path: Path) -> None:
    found = run("fuzz_mjcf.py", str(count), folder=tmp_path)
    assert found["accepted"] + found["refused"] == count
    assert found["accepted"] > count / 50, "hardly any was valid, so little was tried"
    assert found["slowest"] <= MOST_SECONDS, found["worst"]
    assert found["written"] == []
