"""``cardan sweep`` and ``cardan study``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sympy import cos
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app


def test_the_command_line_makes_verifies_exports_and_merges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    l = s.parameters(l=1.0)  # noqa: E741
    s.lagrangian(l**2 * a.dot**2 / 2 + 9.81 * l * cos(a))
    s.write("pendulum.yaml")
    Path("s.yaml").write_text(
        "model: pendulum.yaml\nduration: 0.5\nq: {a: {from: 0.1, to: 1.0, count: 4}}\nparameters: {l: [0.5, 1.0]}\n"
        "outputs: [final, {largest: a.dot**2, name: fastest}, {when: a}]\n"
    )

    def done(*words: str) -> str:
        result = CliRunner().invoke(app, list(words))
        assert result.exit_code == 0, result.output
        return result.output

    assert "8 of 8 rows" in done("sweep", "s.yaml", "--executor", "serial")
    assert "as it was written" in done("study", "verify", "s.zarr")
    done("study", "export", "s.zarr", "--output", "s.csv")
    table = np.genfromtxt("s.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert len(table) == 8
    assert set(table["l"]) == {0.5, 1.0}
    done("study", "report", "s.zarr", "fastest", "--output", "map.png")
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")
    done("study", "merge", "s.zarr", "s.zarr", "--output", "both.zarr")
    both, one = cd.load_study("both.zarr"), cd.load_study("s.zarr")
    assert np.array_equal(both["final a"], one["final a"])
    assert "8 of 8 rows" in done("study", "resume", "both.zarr", "--executor", "serial")
    assert "no failures" in done("study", "show", "both.zarr")
    assert CliRunner().invoke(app, ["sweep", "none.yaml"]).exit_code != 0
