"""Every entry of the gallery holds against its text and moves; the index finds all of them and is lazy."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cardan as cd
import cardan.gallery
from cardan.errors import FileError, UnknownName
from cardan.gallery import checking, index
from cardan.gallery.catalogue import NOT_WRITTEN, TEXTS, TITLES
from cardan.gallery.checking import checked
from cardan.gallery.entry import Check, Entry
from cardan.gallery.index import entry, modules
from cardan.gallery.presenting import model_source

IDS = list(modules())
every = pytest.mark.parametrize("name", IDS)


@every
def test_checks_of_every_entry_pass(name: str) -> None:
    verdict = checked(name)
    assert verdict.status == "passed", verdict.reason
    assert len(verdict.checks) >= 5
    assert all(check.equation.strip() for check in verdict.checks), "a check names its place in the text"


@every
def test_every_entry_moves_from_its_start(name: str) -> None:
    run = entry(name).run()
    assert run.status == "finished", run.message
    assert run.t[-1] > run.t[0]


@every
def test_every_entry_says_where_it_comes_from_and_what_it_teaches(name: str) -> None:
    one = entry(name)
    assert one.id == name
    assert one.title == TITLES[name]
    assert str(one.text.year) in one.source
    assert len(one.lesson.split()) >= 50
    assert "\n" not in one.lesson
    assert one.start["duration"] > 0


def test_every_system_of_the_texts_has_its_entry() -> None:
    assert list(TITLES) == IDS


def test_every_file_of_an_entry_is_found() -> None:
    """A file whose name does not say its id would never be checked."""
    root = Path(cardan.gallery.__path__[0])
    files = {path.stem for text in TEXTS.values() for path in (root / text.folder).glob("[a-z][0-9]*.py")}
    assert files == {module.rpartition(".")[2] for module in modules().values()}


# --- index and verdicts ----------------------------------------------------------------------------------


def test_an_unknown_id_is_refused_with_near_names() -> None:
    with pytest.raises(UnknownName, match=r"no entry 'H33'.*H3 \(Particle on a rotating plane\)") as caught:
        entry("H33")
    assert "H3" in caught.value.near
    with pytest.raises(UnknownName, match="H12"):
        entry("Cardan suspension")


def test_ids_may_be_written_small() -> None:
    assert entry(" h12 ").id == "H12"


def test_planned_entries_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (index, checking):
        monkeypatch.setattr(module, "modules", dict)  # as if nothing were written
    verdicts = list(checking.checked_all(["H1", "B4"]))
    assert [(one.id, one.status, one.reason) for one in verdicts] == [
        ("H1", "planned", NOT_WRITTEN),
        ("B4", "planned", NOT_WRITTEN),
    ]
    with pytest.raises(UnknownName, match="planned"):
        entry("H1")


def test_an_entry_that_raises_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Any) -> Any:
        yield Check("one", "", 1, 1, 0.0, "", True)
        raise ValueError("went wrong")

    bad = Entry("H1", "", "", entry("H1").system, broken)
    monkeypatch.setattr(checking, "entry", lambda name: bad)
    verdict = checked("H1")
    assert verdict.status == "failed"
    assert re.search("ValueError after 1 checks: went wrong", verdict.reason)


def test_only_the_asked_entry_is_imported() -> None:
    program = (
        "import sys; from cardan.gallery.index import entry, modules; modules(); "
        "assert 'sympy' not in sys.modules; entry('H1'); "
        "print([name for name in sys.modules if '.hemingway.h' in name])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['cardan.gallery.hemingway.h01_free_particle_cylindrical']"


def test_an_entry_is_opened_in_python_as_on_the_command_line():
    for system in (cd.gallery("H12"), cd.load("gallery:H12")):
        assert [str(one) for one in system.model.q] == ["alpha", "beta", "gamma"]
        assert "duration" in system.plan
    with pytest.raises(UnknownName, match="H99"):
        cd.load("gallery:H99")


@every
def test_the_model_that_is_shown_is_a_program_that_runs_alone(name: str) -> None:
    """Helpers and constants of the gallery are in it, so that nothing of the gallery is imported."""
    shown = model_source(entry(name))
    assert "cardan.gallery" not in shown
    names: dict[str, Any] = {}
    exec(compile(shown, name, "exec"), names)
    assert described(names["system"]()) == described(entry(name).system())


def described(system: cd.System) -> object:
    """A system as the data of a model file, or, where files have no word for it, its names and values."""
    try:
        return system.as_data()
    except FileError:
        model = system.model
        parts = [*model.q, *model.bodies, *model.particles, *model.signals]
        return [str(getattr(one, "name", one)) for one in parts], list(map(str, model.values.items()))
