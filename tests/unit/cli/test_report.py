"""``cardan report``: the file, the answer and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardan.cli import report_page
from cardan.cli.main import app

MODEL = """
cardan: 1
name: pendulum
coordinates: {phi: S1}
bodies:
  bob: {mass: 1, com: [0, 0, -1], joint: {kind: revolute, axis: y, angle: phi}}
gravity: -9.81*world.z
start: {q: {phi: 1}}
simulate: {duration: 1}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.yaml"
    path.write_text(MODEL)
    return path


def asked(*arguments: object) -> tuple[int, Any]:
    result = CliRunner().invoke(app, ["report", *map(str, arguments), "--json"])
    return result.exit_code, json.loads(result.stdout)


def test_a_report_is_written_and_told(model: Path, tmp_path: Path) -> None:
    code, answer = asked(model, "--output", tmp_path / "r.html", "--duration", 0.5, "--title", "A bob")
    assert (code, answer["ok"], answer["status"], answer["findings"]) == (0, True, "finished", [])
    content = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert answer["bytes"] == len(content.encode())
    assert "<title>A bob - Cardan report</title>" in content


def test_the_words_for_people_name_the_file(model: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", str(model), "-o", str(tmp_path / "r.html"), "--no-remedies"])
    assert result.exit_code == 0
    assert f"Wrote {tmp_path / 'r.html'}" in result.stdout


def test_another_ending_is_wrong_usage(model: Path, tmp_path: Path) -> None:
    code, answer = asked(model, "--output", tmp_path / "r.pdf")
    assert (code, answer["error"]["type"]) == (2, "WrongUsage")
    assert not (tmp_path / "r.pdf").exists()


def test_a_place_where_nothing_can_be_written_is_a_file_error(model: Path, tmp_path: Path) -> None:
    code, answer = asked(model, "--output", tmp_path / "nowhere" / "r.html")
    assert (code, answer["error"]["type"]) == (3, "StoreError")


def test_a_missing_model_is_a_file_error(tmp_path: Path) -> None:
    code, answer = asked(tmp_path / "no.yaml", "--output", tmp_path / "r.html")
    assert (code, answer["error"]["type"]) == (3, "FileError")


def test_a_bar_is_shown_to_who_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, float]] = []

    class Bar:
        def start(self) -> None: ...

        def stop(self) -> None:
            shown.append(("stopped", 1.0))

        def add_task(self, stage: str, total: float) -> int:
            return 0

        def update(self, task: int, description: str, completed: float) -> None:
            shown.append((description, completed))

    monkeypatch.setattr(report_page, "new_bar", Bar)
    monkeypatch.setattr(report_page, "is_watched", lambda: True)
    with report_page.Stages(quiet=False) as stages:
        stages.heard("equations", 0.7)
    assert shown == [("equations", 0.7), ("stopped", 1.0)]
    with report_page.Stages(quiet=True) as stages:
        stages.heard("equations", 0.7)
    assert len(shown) == 2, "a program that reads JSON sees no bar"


def test_a_report_without_sliders_may_compile_nothing(tmp_path: Path) -> None:
    pages = []
    for option in ("--live", "--no-live"):
        page = tmp_path / f"{option[2:]}.html"
        asked = ["report", "gallery:C1", "--output", str(page), "--no-remedies", option]
        assert CliRunner().invoke(app, asked).exit_code == 0
        pages.append("wasm-unsafe-eval" in page.read_text(encoding="utf-8").partition("<title>")[0])
    assert pages == [True, False]


def test_a_finding_without_a_time_is_told_without_one(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the search ran out of its budget the finding is of the whole run, not of a moment."""
    monkeypatch.setattr("cardan.diagnosis.along.BUDGET", 0.0)
    result = CliRunner().invoke(app, ["report", str(model), "--output", str(tmp_path / "r.html"), "--duration", "0.5"])
    assert result.exit_code == 0, result.output
    assert "undecided" in result.output
