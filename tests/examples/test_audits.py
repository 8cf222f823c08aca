"""The audit has nothing to complain of in any run of the examples."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import cardan as cd

PROGRAMS = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_the_runs_of_an_example_have_no_complaints(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[cd.Run] = []
    simulate = cd.System.simulate

    def remembered(self: cd.System, *args: Any, **options: Any) -> cd.Run:
        runs.append(simulate(self, *args, **options))
        return runs[-1]

    monkeypatch.setattr(cd.System, "simulate", remembered)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(program), run_name="__main__")
    assert runs, "an example moves something"
    complaints = [f"{run!r}: {line}" for run in runs for line in run.audit().complaints]
    assert not complaints, "\n".join(complaints)
