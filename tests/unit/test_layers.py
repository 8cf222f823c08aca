"""Data flows one way: the layers contract holds, and no two modules need each other to be imported."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"


def test_contracts_of_pyproject_hold() -> None:
    """The same check as `lint-imports`; it counts imports inside functions too."""
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"}
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_module_level_import_cycle() -> None:
    assert import_cycle(SOURCE) == []


@pytest.mark.parametrize(
    ("first", "second", "cycle"),
    [
        ("from cardan.second import x", "import cardan.first", True),
        ("from cardan import second", "from .first import x", True),
        ("from cardan.second import x", "def f():\n    import cardan.first", False),
        (
            "import cardan.second",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import cardan.first",
            False,
        ),
    ],
)
def test_the_cycle_check_sees_what_runs_at_import(tmp_path: Path, first: str, second: str, cycle: bool) -> None:
    package = tmp_path / "cardan"
    package.mkdir()
    for name, text in (("__init__", ""), ("first", first), ("second", second)):
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    assert bool(import_cycle(tmp_path)) == cycle


def import_cycle(source: Path) -> list[str]:
    """Modules of ``source`` that import each other in a circle while they are being imported; empty when there is none.

    A package counts as imported only where a name defined in its ``__init__`` is asked for: that Python runs
    ``cardan/graph/__init__.py`` before ``cardan/graph/node.py`` is not a cycle.
    """
    files = {module_name(path, source): path for path in source.rglob("*.py")}
    needs = {name: set(imports_of(name, path, files)) - {name} for name, path in files.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def module_name(path: Path, source: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(name: str, path: Path, files: dict[str, Path]) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in statements_run_at_import(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield from [full] if full in files else [base] if base in files else []


def statements_run_at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from statements_run_at_import(node.orelse)
            continue
        yield node
        for field in ("body", "orelse", "finalbody"):
            yield from statements_run_at_import(getattr(node, field, []))
        for handler in getattr(node, "handlers", []):
            yield from statements_run_at_import(handler.body)
