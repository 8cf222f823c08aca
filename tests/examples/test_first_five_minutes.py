"""The tutorial keeps its promise: three commands, ten lines, and then everything that it says is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardan.cli.main import app

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "first-five-minutes.md"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that exist after the commands and the first ten lines."""
    monkeypatch.chdir(tmp_path)
    commands, program = (block[2].splitlines() for block in list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))[:2])
    assert len(commands) == 3
    assert len([line for line in program if line]) <= 10
    for line in commands[1:]:
        assert CliRunner().invoke(app, line.split()[1:]).exit_code == 0, line
    names: dict[str, Any] = {}
    exec("\n".join(program), names)
    return names


def test_everything_promised_is_reached(reached: dict[str, Any], tmp_path: Path) -> None:
    assert reached["pendulum"].status == "finished"
    assert reached["pendulum"].audit().energy_drift < 1e-6, "rtol is 1e-9 per step, of a few hundred steps"
    assert reached["lock"].kinds == {"gimbal-lock"}
    events = [event.kind for event in reached["folding"].events]
    assert "rank-change" in events, "the linkage passes its fold"
    page = tmp_path / "linkage.html"
    assert reached["page"].resolve() == page
    assert page.stat().st_size < 2e6
