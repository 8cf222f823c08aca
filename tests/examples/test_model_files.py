"""Every model file printed in README and docs works as printed; test_readme.py runs what is between them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardan as cd

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "model-files.md"]
FILE = re.compile(r"^```yaml\n(cardan: .*?)^```", re.MULTILINE | re.DOTALL)
MODELS = [(page, block[1]) for page in PAGES for block in FILE.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "text"), MODELS, ids=lambda value: value.stem if isinstance(value, Path) else "")
def test_a_printed_model_file_loads_and_runs(page: Path, text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(text, encoding="utf-8")
    system = cd.load(path)
    system.compile()
    if "duration" in system.plan:
        assert system.simulate(**system.plan).status == "finished"
