"""Every result that a public method gives back has a rich display, and none is wider than its cell.

Results are found from the annotations of what System and Run return, and of what those results return in turn; classes
that are parts of a description, or machinery, are named below with the reason why a notebook needs no picture of them.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser

import pytest
from sympy import cos, sin

import cardan as cd
from cardan.api.run import Run
from cardan.equations.equations import Equations
from cardan.native.showing import Listing, Rows, Shown, cell, number, table
from cardan.studies.study import Study

RICH = ("_repr_html_", "_repr_latex_", "_repr_mimebundle_")
NOT_RESULTS = {
    "Body": "part of a description, shown by its system",
    "Particle": "part of a description",
    "Frame": "part of a description",
    "FlexibleBody": "part of a description",
    "Joint": "part of a description",
    "Model": "what s.equations() reads, shown by its system",
    "Description": "what a system shows",
    "Domain": "the word that was typed",
    "Limits": "numbers of a file",
    "Kernel": "machinery: native functions",
    "Kernels": "machinery",
    "Dynamics": "machinery",
    "Coordinates": "machinery: charts",
    "View": "machinery: charts",
    "Given": "machinery: a start as it was typed",
    "Settings": "arguments of simulate",
    "Viewer": "a server, which opens its page in the browser",
    "ContactOutputs": "numbers along a run, by name",
    "Columns": "numbers along a run, by name",
    "Bench": "machinery of studies",
    "Drawn": "what families have in common",
    "Feasible": "machinery of equations: configurations on the constraints",
    "Forms": "machinery of equations: eq.write",
    "SymbolicConstraints": "machinery of equations: A, b and P are matrices of SymPy",
    "SymbolicEquations": "machinery of equations",
    "Unit": "a file that was written",
}


@cache
def imported(module: str) -> dict[str, str]:
    """Names that a module imports, those for type checkers included, and where from."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    found = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.module and one.level == 0]
    return {(name.asname or name.name): one.module for one in found for name in one.names}


def named(module: str, word: str) -> type | None:
    """The class of Cardan that a word of an annotation means in a module."""
    home = imported(module).get(word, module)
    if not home.startswith("cardan"):
        return None
    found = getattr(importlib.import_module(home), word, None)
    return found if inspect.isclass(found) and found.__module__.startswith("cardan") else None


def returned(cls: type) -> Iterator[type]:
    """Classes of Cardan in the return annotations of public methods and properties."""
    for name in dir(cls):
        if name.startswith("_"):
            continue
        found = inspect.getattr_static(cls, name)
        plain = getattr(found, "__func__", None) or getattr(found, "fget", None) or getattr(found, "func", found)
        plain = getattr(plain, "__wrapped__", plain)
        annotation = getattr(plain, "__annotations__", {}).get("return")
        if not isinstance(annotation, str):
            continue
        for node in ast.walk(ast.parse(annotation, mode="eval")):
            meant = named(plain.__module__, node.id) if isinstance(node, ast.Name) else None
            if meant is not None:
                yield meant


def results() -> list[type]:
    """What System and Run give back."""
    found = {one for public in (cd.System, Run, Equations, Study) for one in returned(public)}
    chosen = [one for one in found if one.__name__ not in NOT_RESULTS and not issubclass(one, (Exception, tuple, str))]
    return sorted(chosen, key=lambda one: one.__name__)


def test_results_are_discovered() -> None:
    names = {one.__name__ for one in results()}
    wanted = {
        "Audit",
        "Manifold",
        "Diagnosis",
        "ConstraintsReport",
        "Equilibrium",
        "Linearization",
        "RunEvent",
        "Study",
    }
    assert wanted <= names
    assert len(names) > 30


@pytest.mark.parametrize("result", results(), ids=lambda one: one.__name__)
def test_every_result_has_a_rich_display(result: type) -> None:
    assert any(hasattr(result, name) for name in RICH), (
        f"{result.__module__}.{result.__name__} is shown as text only: make it a Shown (native/showing.py)"
    )


class Tags(HTMLParser):
    """Opened tags that were not closed, and the text between them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("img", "br", "mspace"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> str:
    """The text of HTML that is well formed and scrolls where it is wider than its cell."""
    parser = Tags()
    parser.feed(html)
    assert parser.open == []
    assert "overflow-x:auto" in html.replace(": ", ":")
    return parser.text


@pytest.fixture(scope="module")
def hoop() -> cd.System:
    """A bead on a turning hoop: rests below and at the side where cos(theta) = g / (R Omega^2)."""
    s = cd.System("bead <on> a hoop")
    theta, Omega = s.coordinates("theta", on="S1"), s.parameters(Omega=5.0)
    s.lagrangian((theta.dot**2 + Omega**2 * sin(theta) ** 2) / 2 + 9.81 * cos(theta))
    return s


def test_lists_are_tables(hoop: cd.System) -> None:
    rests = hoop.equilibria()
    shown = read(rests._repr_html_())
    assert all(f"{rest.q[0]:.6g}" in shown for rest in rests)
    assert "stability" in shown
    run = hoop.simulate(2.0, q=[0.5], events=cd.Event(hoop["theta"].dot, name="turns <back>"))
    assert len(run.events) > 1
    text = read(run.events._repr_html_())
    assert "turns <back>" in text
    assert f"{run.events[0].t:.6g}" in text
    assert run.events == tuple(run.events)


def test_results_of_one_system_are_well_formed(hoop: cd.System) -> None:
    run = hoop.simulate(0.5, q=[0.5])
    lin = hoop.linearize([0.0])
    shown = [run.audit(), lin, lin.stability, hoop.modes([0.0]), hoop.manifold(), hoop.diagnose([0.3]), hoop]
    shown += [hoop.singular_set(), hoop.invariants(), hoop.symmetries(), run.findings, run.impulses]
    shown += [hoop.equations().check("theta_ddot = 0"), hoop.equations().at([0.1])]
    texts = [read(one._repr_html_()) for one in shown]
    assert "energy" in texts[0]
    assert "verdict" in texts[0]
    assert f"{lin.A[1, 0]:.6g}" in texts[1]


def test_constraints_are_a_table_with_their_holonomic_form() -> None:
    s = cd.System("c")
    x, y = s.coordinates("x y")
    s.kinetic_energy((x.dot**2 + y.dot**2) / 2)
    s.constrain_velocity(x * x.dot + y * y.dot, name="ring")
    text = read(s.constraints._repr_html_())
    assert "ring" in text
    assert "constant" in text


def test_cells() -> None:
    assert number(1.0) == "1"
    assert number(1 - 2j) == "1 - 2i"
    assert number(-0.5j) == "-0.5i"
    assert cell("<b>") == "&lt;b&gt;"
    assert r"\cos" in cell(cos(cd.System("s").coordinates("x")))
    assert table([(1, "a")], ("n", "<")).count("<td") == 2
    assert read(Listing([], "nothing")._repr_html_()) == "nothing"
    assert isinstance(Rows([1]), tuple)


def test_a_plain_result_shows_its_fields() -> None:
    @dataclass
    class LargeAnswer(Shown):
        how_many: int
        which: list[str]

    text = read(LargeAnswer(3, ["a", "b"])._repr_html_())
    assert text == "Large answerhow many3whicha, b"
