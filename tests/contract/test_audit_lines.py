"""Every line of the audit: in the table by its own name, documented, and provoked by a test."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import cardan as cd
from cardan import audit
from cardan.audit.audit import LOOK, OK, WRONG, Line
from cardan.audit.lines import LINES

ROOT = Path(__file__).parents[2]
PROVOKED = (ROOT / "tests" / "unit" / "audit" / "test_audit_complains.py").read_text(encoding="utf-8")
DOCUMENTED = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")


def functions() -> dict[str, object]:
    """All functions of the room whose name says that they make a line."""
    from importlib import import_module
    from pkgutil import iter_modules

    modules = [import_module(f"cardan.audit.{one.name}") for one in iter_modules(audit.__path__)]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if name.endswith("_line") and inspect.isfunction(value) and value.__module__ == module.__name__
    }


def test_every_line_that_is_written_is_in_the_table():
    assert set(LINES.values()) == set(functions().values())


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_documented(name: str):
    assert re.search(rf"^\| {re.escape(name)} \|", DOCUMENTED, re.MULTILINE), f"docs/audit.md has no row {name!r}"


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_provoked_by_a_test(name: str):
    """A test reads the verdict of this line, in a run made to deserve it."""
    assert re.search(rf'\["{re.escape(name)}"\]', PROVOKED), f"no test of test_audit_complains.py reads {name!r}"


@pytest.mark.parametrize("name", LINES)
def test_a_line_says_its_name_its_number_and_nothing_else_for_a_good_run(name: str):
    s = cd.System("two rods")
    a, b = s.coordinates("a b", on="S1")
    rod = s.body("rod", mass=1, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.body("tip", mass=1, inertia=1 / 12, com=(0.5, 0, 0), at=(1, 0, 0), parent=rod, joint=cd.Revolute("z", b))
    s.gravity(-9.81 * s.world.y)
    line = LINES[name](s.simulate(0.5, q=[1.0, 0.2], events=cd.Event(a)))
    if line is None:
        return
    assert isinstance(line, Line)
    assert line.name == name
    assert line.verdict == OK, line
    assert line.verdict in (OK, LOOK, WRONG)
    assert line.value == line.value, "a number, not nan"
    assert line.words
