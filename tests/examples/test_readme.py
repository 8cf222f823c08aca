"""Every Python block of README and docs runs as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES_WITH_CODE = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES_WITH_CODE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code_blocks_run_as_printed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page run in order and share their names, as a reader would paste them into one session."""
    monkeypatch.chdir(tmp_path)  # what a block writes stays out of the repository
    text = page.read_text(encoding="utf-8")
    session: dict[str, object] = {"__name__": "__main__"}
    for block in BLOCK.finditer(text):
        lines_before = text[: block.start(1)].count("\n")
        exec(compile("\n" * lines_before + block[1], str(page), "exec"), session)


def test_the_first_example_of_the_readme_takes_ten_lines() -> None:
    first = BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert first is not None
    assert len(first[1].splitlines()) <= 10
