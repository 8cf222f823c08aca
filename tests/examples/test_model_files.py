"""Every model file and every command printed in README and docs works as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "model-files.md"]
FILE = re.compile(r"^```yaml\n(cardan: .*?)^```", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
MODELS = [(page, block[1]) for page in PAGES for block in FILE.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "text"), MODELS, ids=lambda value: value.stem if isinstance(value, Path) else "")
def test_a_printed_model_file_loads_and_runs(page: Path, text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(text, encoding="utf-8")
    system = cd.load(path)
    system.compile()
    if "duration" in system.plan:
        assert system.simulate(**system.plan).status == "finished"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_printed_commands_work_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = SHELL.findall(page.read_text(encoding="utf-8"))
    lines = [line.partition("#")[0].split() for block in blocks for line in block.splitlines()]
    commands = [line[1:] for line in lines if line[:1] == ["cardan"]]
    assert commands, "the page shows at least one command"
    for command in commands:
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, f"cardan {' '.join(command)}: {result.output}"
