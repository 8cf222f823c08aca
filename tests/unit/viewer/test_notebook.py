"""What notebooks show of systems, equations, diagnoses and runs; nothing that a model is called becomes markup."""

from __future__ import annotations

import base64
import re
import sys
import types
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import cardan as cd
from cardan.viewer.notebook import Embedded, is_notebook

HOSTILE = "<img src=x onerror=alert(1)>\"'</iframe></script>$\\evil{x}$ & co"


def suspension(name: str = "Cardan suspension") -> cd.System:
    s = cd.System(name)
    al, be, ga = s.coordinates("alpha beta gamma", on="S1")
    l1, l2, l3 = s.parameters(lambda1=0.3, lambda2=0.2, lambda3=0.1)
    outer = s.body("outer", inertia=l1, joint=cd.Revolute("z", al))
    inner = s.body("inner", inertia=l2, joint=cd.Revolute("x", be), parent=outer)
    platform = s.body("platform", inertia=l3, joint=cd.Revolute("z", ga), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    return s


class Tags(HTMLParser):
    """The elements of some HTML with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def names(self) -> set[str]:
        return {tag for tag, _ in self.tags}


def test_a_system_shows_what_it_is_made_of() -> None:
    text = Tags(suspension()._repr_html_()).text
    for part in ("Cardan suspension", "alpha on S1", "lambda1 = 0.3", "outer, inner, platform", "T^3"):
        assert part in text


def test_a_system_that_is_not_finished_can_be_shown() -> None:
    s = cd.System("begun")
    assert "begun" in s._repr_html_()
    s.coordinates("x")
    assert "x on R" in s._repr_html_()


def test_equations_are_typeset() -> None:
    text = suspension().equations()._repr_latex_()
    assert text is not None
    assert text.startswith("$")
    assert r"\ddot{\alpha}" in text


def test_long_equations_are_not_written_by_accident() -> None:
    s = cd.System("chain")
    q = s.coordinates("q0 q1 q2 q3 q4 q5 q6", on="S1")
    parent: Any = None
    for k, angle in enumerate(q):
        parent = s.body(f"b{k}", mass=1, inertia=1, com=(1, 0, 0), joint=cd.Revolute("z", angle), parent=parent)
    assert s.equations()._repr_latex_() is None
    assert repr(s.equations()) == "Equations('chain': M vd + f + g = Q + A^T lam, 7 velocities, 0 constraints)"


def test_a_diagnosis_is_a_table_of_findings() -> None:
    found = suspension().diagnose(q={"beta": 0.0}, loads={"M": 1.0})
    page = Tags(found._repr_html_())
    assert "table" in page.names
    assert "Singular here" in page.text
    assert "gimbal-lock" in page.text
    assert "Regular" in suspension().diagnose(q={"beta": 0.7}, loads={})._repr_html_()


def test_a_run_shows_its_audit_and_a_picture() -> None:
    run = suspension().simulate(0.5, q={"beta": 0.8}, v={"beta": -2.0})
    page = Tags(run._repr_html_())
    assert "finished" in page.text
    assert "DOP853" in page.text
    source = next(attributes["src"] for tag, attributes in page.tags if tag == "img")
    assert source is not None
    image = base64.b64decode(source.removeprefix("data:image/png;base64,"))
    assert image.startswith(b"\x89PNG\r\n\x1a\n")


def test_hostile_names_stay_text() -> None:
    s = suspension(HOSTILE)
    run = s.simulate(0.1, q={"beta": 0.8})
    for text, allowed in (
        (s._repr_html_(), {"div", "p", "b", "table", "tbody", "tr", "td"}),
        (run._repr_html_(), {"div", "p", "b", "table", "tbody", "thead", "tr", "td", "th", "img"}),
        (s.diagnose(q={"beta": 0.0})._repr_html_(), {"div", "p", "b", "table", "tbody", "thead", "tr", "td", "th"}),
        (Embedded(run)._repr_html_(), {"iframe"}),
    ):
        page = Tags(text)
        assert page.names <= allowed
        assert all(key not in ("onerror", "onload") for _, attributes in page.tags for key in attributes)


def test_the_page_in_a_cell_is_whole_and_shut_off() -> None:
    run = suspension().simulate(0.1, q={"beta": 0.8})
    frame = Tags(Embedded(run)._repr_html_()).tags
    assert [tag for tag, _ in frame] == ["iframe"]
    attributes = frame[0][1]
    assert attributes["sandbox"] == "allow-scripts", "no access to the notebook's origin"
    content = attributes["srcdoc"] or ""
    assert 'id="cardan-data"' in content
    assert not re.search(r'<(script|link|img)[^>]+(src|href)="?https?:', content), "nothing comes from elsewhere"
    assert "default-src 'none'" in unescape(content)


def test_a_notebook_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "marimo", raising=False)
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not is_notebook()
    terminal = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace())
    jupyter = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", terminal)  # type: ignore[arg-type]
    assert not is_notebook(), "IPython in a terminal is none"
    monkeypatch.setitem(sys.modules, "IPython", jupyter)  # type: ignore[arg-type]
    assert is_notebook()
    monkeypatch.delitem(sys.modules, "IPython")
    monkeypatch.setitem(sys.modules, "marimo", types.SimpleNamespace(running_in_notebook=lambda: True))  # type: ignore[arg-type]
    assert is_notebook()


CELLS = (
    "import cardan as cd\n"
    "s = cd.System('pendulum')\n"
    "a = s.coordinates('a', on='S1')\n"
    "m, l, g = s.parameters(m=1.0, l=1.0, g=9.81)\n"
    "s.body('bob', mass=m, inertia=0, com=(0, 0, -l), joint=cd.Revolute('y', a))\n"
    "s.gravity(-g * s.world.z)\n"
    "s",
    "s.equations()",
    "s.diagnose(q=[0.1])",
    "run = s.simulate(1.0, q=[0.5])\nrun",
    "run.view()",
)


def test_an_executed_notebook_shows_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real kernel, in a process of its own."""
    import nbformat
    from nbclient import NotebookClient

    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where).execute()
    shown = [cell.outputs[-1]["data"] for cell in notebook.cells]
    assert "bob" in shown[0]["text/html"]
    assert r"\ddot{a}" in shown[1]["text/latex"]
    assert "Regular" in shown[2]["text/html"]
    assert "data:image/png;base64," in shown[3]["text/html"]
    assert shown[4]["text/html"].startswith("<iframe sandbox=")


def test_hostile_names_are_no_mathematics_in_figures(tmp_path: Path) -> None:
    run = suspension(HOSTILE).simulate(0.5, q={"beta": 0.3}, v={"beta": -2.0})
    for figure in (run.plot(), run.plot_phase("beta"), run.plot_indicators()):
        figure.savefig(tmp_path / "figure.png")
