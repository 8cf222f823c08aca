"""Every Python block and every command of README and docs runs as printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardan.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
ANY_BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", re.MULTILINE | re.DOTALL)
UNSEEN = ("view", "gallery", "demo")  # wait for a browser, or have tests of their own
FINE, FOUND_SOMETHING = 0, 1
PAGES_WITH_CODE = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES_WITH_CODE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code_blocks_run_as_printed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page run in order and share their names and files, as a reader would paste them."""
    monkeypatch.chdir(tmp_path)  # what a block writes stays out of the repository
    text = page.read_text(encoding="utf-8")
    session: dict[str, object] = {"__name__": "__main__"}
    for block in ANY_BLOCK.finditer(text):
        if block[1] == "sh":
            run_commands(block[2])
            continue
        lines_before = text[: block.start(2)].count("\n")
        exec(compile("\n" * lines_before + block[2], str(page), "exec"), session)


def run_commands(block: str) -> None:
    """The lines that call ``cardan``; one that finds something singular says so with its exit code."""
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["cardan"] or words[1] in UNSEEN:
            continue
        result = CliRunner().invoke(app, words[1:])
        expected = (FINE, FOUND_SOMETHING) if words[1] == "diagnose" else (FINE,)
        assert result.exit_code in expected, f"{line}\n{result.output}"


def test_the_first_example_of_the_readme_takes_ten_lines() -> None:
    first = BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert first is not None
    assert len([line for line in first[1].splitlines() if line]) <= 10
