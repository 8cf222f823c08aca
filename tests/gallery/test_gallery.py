"""Every entry of the gallery holds against its text and moves; a wrong model is noticed; the index is lazy."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cardan.gallery
from cardan.errors import UnknownName
from cardan.gallery import checking, index
from cardan.gallery.catalogue import NOT_WRITTEN, TEXTS, TITLES
from cardan.gallery.checking import checked
from cardan.gallery.entry import Check, Entry
from cardan.gallery.index import entry, modules

IDS = list(modules())
every = pytest.mark.parametrize("name", IDS)


@every
def test_checks_of_every_entry_pass(name: str) -> None:
    verdict = checked(name)
    assert verdict.status == "passed", verdict.reason
    assert len(verdict.checks) >= 5


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


def test_hemingway_is_complete() -> None:
    assert [name for name in TITLES if name[0] == "H"] == [name for name in IDS if name[0] == "H"]


def test_every_file_of_an_entry_is_found() -> None:
    """A file whose name does not say its id would never be checked."""
    root = Path(cardan.gallery.__path__[0])
    files = {path.stem for text in TEXTS.values() for path in (root / text.folder).glob("[a-z][0-9]*.py")}
    assert files == {module.rpartition(".")[2] for module in modules().values()}


# --- a check must be able to fail ------------------------------------------------------------------------

MUTATIONS = [
    ("H1", "cd.PolarCylindrical(r, theta, z)", "cd.PolarCylindrical(r, theta, 2 * z)"),
    ("H2", "s.prescribe(theta, a * s.time + b * s.time**2)", "s.prescribe(theta, a * s.time - b * s.time**2)"),
    ("H2", "restitution=Rational(3, 5)", "restitution=Rational(4, 5)"),
    ("H3", "s.prescribe(theta, W * s.time + b * s.time**2)", "s.prescribe(theta, 2 * W * s.time + b * s.time**2)"),
    ("H4", "plate.vector(r_e, 0, z)", "plate.vector(r_e, 0.01, z)"),
    ("H5", "com=(c, 0, 0)", "com=(0, 0, 0)"),
    ("H6", "along=P.e_phi", "along=-1 * P.e_phi"),
    ("H7", "sin(a * s.time)", "sin(a * s.time) + s.time / 100"),
    ("H8", "R0 * cos(phi_e)", "-R0 * cos(phi_e)"),
    ("H9", "s.gravity(-g * s.world.z)", "s.gravity(g * s.world.z)"),
    ("H10", 'cd.Euler("3-1-3"', 'cd.Euler("3-2-1"'),
    ("H11", "b * s.time**2", "b * s.time**3"),
    ("H12", 'cd.Revolute("x", beta)', 'cd.Revolute("y", beta)'),
    ("H12", "along=inner.y", "along=inner.z"),
    ("H13", "com=(0, 0, h)", "com=(0, h, 0)"),
    ("H14", 'cd.Revolute("y", other)', 'cd.Revolute("x", other)'),
    ("C1", "s.gravity(-a_g * s.world.y)", "s.gravity(a_g * s.world.y)"),
    ("C2", "along=first.x", "along=first.y"),
    ("C3", "along=-knife.y", "along=knife.x"),
    ("C4", "x * x.dot + y * y.dot", "x * x.dot - y * y.dot"),
    ("C5", "inertia=INERTIA", "inertia=1.01 * INERTIA"),
    ("C6", "y * y.dot", "2 * y * y.dot"),
    ("R1", "inertia=INERTIA", "inertia=(0.5, 0.9, 1.3)"),
    ("R2", "position=-d * axis", "position=-1.1 * d * axis"),
    ("R3", "inertia=(I1, I2, I3)", "inertia=(I1, I3, I2)"),
    ("R4", "inertia=I_REF", "inertia=1.01 * I_REF + 0.01 * np.eye(3)"),
    ("R5", "com=(0, 0, h)", "com=(0, 0, 1.1 * h)"),
    ("R6", "s.gravity(-9.81 * s.world.z)", "s.gravity(-9.8 * s.world.z)"),
    ("R7", "s.gravity(-9.81 * s.world.z)", "s.gravity(-9.8 * s.world.z)"),
    ("R8", "body.point(-d, 0, 0)", "body.point(d, 0, 0)"),
    ("R9", "return disc()", "return disc(rolling=False)"),
    ("R10", 'cd.Euler("3-2-1"', 'cd.Euler("3-1-2"'),
    ("R11", "com=(c, 0, -d)", "com=(c, 0.01, -d)"),
    ("R12", "cd.Revolute(HINGE_1, theta2)", "cd.Revolute((0, 0, 1), theta2)"),
    ("R13", "s.gravity(-g * s.world.z)", "s.gravity(-g * s.world.y)"),
    ("R14", "return string(N)", "return string(N + 1)"),
    ("R15", "return ball()", "return ball(gravity=9.8)"),
    ("B1", "along=-rear.y", "along=rear.y"),
    ("B2", "a chain of three", "a loop of three"),
    ("B3", "along=body.x", "along=body.y"),
    ("B4", 'cd.Revolute("z", phi2)', 'cd.Revolute("z", -phi2)'),
]


@pytest.mark.parametrize(("name", "old", "new"), MUTATIONS)
def test_a_wrong_model_fails_a_check(name: str, old: str, new: str) -> None:
    one = entry(name)
    assert not all(holds(one, mutated(one, old, new))), f"{name} does not notice {new!r}"


def mutated(one: Entry, old: str, new: str) -> Any:
    """The entry's model with one expression changed."""
    module = inspect.getmodule(one.system)
    assert isinstance(module, ModuleType)
    text = inspect.getsource(one.system)
    assert old in text, f"{one.id} no longer contains {old!r}"
    names = dict(vars(module))
    exec(compile("from __future__ import annotations\n" + text.replace(old, new), module.__name__, "exec"), names)
    return names["system"]()


def holds(one: Entry, system: Any) -> list[bool]:
    """Which checks pass; an error ends them as a failed check."""
    found = []
    try:
        for check in one.checks(system):
            found.append(check.passed)
            if not check.passed:
                break
    except Exception:
        found.append(False)
    return found


def test_comparisons_notice_differences() -> None:
    from sympy import Symbol, cos, sin

    from cardan.errors import StartError
    from cardan.gallery.comparing import agreement, identity, near, refused, same

    x = Symbol("x")
    assert identity("", "", sin(x) ** 2, 1 - cos(x) ** 2).passed
    assert not identity("", "", sin(x) ** 2, 1 + cos(x) ** 2).passed
    assert not identity("", "", [x, x], [x]).passed
    assert near("", "", 1.0, 1.0 + 1e-13).passed
    assert not near("", "", 1.0, 1.0 + 1e-11).passed
    assert not near("", "", float("nan"), 1.0).passed
    assert not agreement("", "", []).passed
    assert not agreement("", "", [(1.0, 1.0), (float("nan"), 1.0), (1.0, 1.0)]).passed
    assert not agreement("", "", [([1.0], [1.0, 2.0])]).passed
    assert not same("", "", {1}, {2}).passed
    assert not refused("", "", lambda: 1, StartError).passed


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
