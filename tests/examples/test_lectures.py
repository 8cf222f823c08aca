"""The lectures run from top to bottom in a notebook's own process; their cells assert what their text says."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "docs" / "lectures"
LECTURES = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_three_lectures_and_the_page_lists_them() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(LECTURES) == 3
    assert all(f"({one.name})" in page for one in LECTURES)


@pytest.mark.parametrize("path", LECTURES, ids=lambda one: one.stem)
def test_a_lecture_has_text_exercises_and_no_stored_output(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    words = sum(len(cell.source.split()) for cell in cells if cell.cell_type == "markdown")
    assert words > 400, "a lesson, not a script"
    assert sum("**Exercise" in cell.source for cell in cells) >= 3
    assert sum("assert" in cell.source for cell in cells if cell.cell_type == "code") >= 6
    assert not any(cell.get("outputs") for cell in cells)


@pytest.mark.parametrize("path", LECTURES, ids=lambda one: one.stem)
def test_a_lecture_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
