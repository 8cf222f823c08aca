"""Searches end when their time is up, and say so with what they have."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import NoReturn

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.diagnosis.judges.constraints import ConstraintJudge
from cardan.diagnosis.sets import searching
from cardan.diagnosis.sets.conditions import Solver
from cardan.equations.integrability import report_constraints
from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.symbolic_reactions import symbolic_reactions
from cardan.errors import ModelError, SingularityError
from cardan.native import progress
from cardan.native.deadline import OutOfTime, check, default_budget, share, within
from support.close import assert_close


def test_a_budget_ends_and_an_inner_one_is_no_longer_than_the_outer():
    with within(-1.0), within(100.0), pytest.raises(OutOfTime, match="not decided within -1 s"):
        check()
    with within(None):
        check()
    with within(1000.0), share():
        check()


def test_the_default_budget_can_be_chosen_for_a_whole_program():
    assert [default_budget(said) for said in (None, "", "2.5", "inf")] == [10.0, 10.0, 2.5, np.inf]
    for said in ("soon", "0", "-1", "nan"):
        with pytest.raises(ModelError, match=f"CARDAN_BUDGET is '{said}'"):
            default_budget(said)


def loop(count: int = 4) -> cd.System:
    """A closed chain of free bodies on hinges about z: too large for symbols."""
    s = cd.System("loop")
    place = s.world.origin
    for k in range(count):
        joint = cd.Free(*s.coordinates(f"x{k} y{k} z{k}"), cd.Quaternion(f"e{k}"))
        body = s.body(f"b{k}", mass=1.0, inertia=(0.1, 0.2, 0.25), joint=joint)
        s.connect(place, body.point(-0.5, 0, 0), cd.Revolute("z"))
        place = body.point(0.5, 0, 0)
    s.connect(place, s.world.point(1.5, 0, 0), cd.Revolute("z"))
    return s


def test_large_searches_answer_in_time_with_what_they_have():
    s = loop()
    start = monotonic()
    sets = s.singular_set(budget=0.5)
    taken = monotonic() - start
    assert [(one.kind, one.text) for one in sets][-1:] == [("undecided", "further sets: not decided within 0.5 s")]
    assert taken < 0.5 + 2.0  # what runs between two looks at the clock
    found = s.manifold(budget=3.0)
    assert found.undecided
    assert found.dimension == 2  # four bars and the ground in a plane, closed: 4 - 2


def test_nothing_is_known_where_there_is_no_time_at_all():
    found = loop().manifold(budget=0.0)
    assert found.undecided == ("the type of the manifold: not decided within 0 s",)
    assert (str(found), found.dimension) == ("not decided", None)


def skate() -> cd.System:
    """A skate on ice: x' sin(phi) = y' cos(phi)."""
    s = cd.System("skate")
    x, y, phi = s.coordinates("x y phi")
    joint = cd.Planar(x, y, phi)
    s.body("blade", mass=1.0, inertia=0.1, joint=joint)
    s.constrain_velocity(x.dot * sp.sin(phi) - y.dot * sp.cos(phi), name="edge")
    return s


def test_constraints_say_what_there_was_no_time_for_and_look_longer_when_called():
    s = skate()
    found = s.constraints(budget=60)
    assert (found.undecided, found.freedoms, found.velocity_freedoms) == ((), 3, 2)  # Chow: a skate goes everywhere
    late = report_constraints(SymbolicEquations(s.model), 0.0)
    assert (late.is_integrable, late.freedoms, late["edge"].is_integrable) == (None, None, None)
    assert late.undecided[0] == "whether the rows are integrable: not decided within 0 s"
    assert "edge: velocity, not decided" in str(late)
    again = late(budget=60)
    assert (again.undecided, again.freedoms, again["edge"].is_integrable) == ((), 3, False)


def test_a_diagnosis_without_time_is_not_called_regular():
    s = skate()
    assert s.diagnose([0, 0, 0.3]).is_regular
    late = s.diagnose([0, 0, 0.3], budget=0.0)
    assert (late.kinds, late.is_regular) == ({"undecided"}, False)
    assert "everything of skate: not decided within 0 s" in late.findings[0].what
    counts = (late.configuration_dof, late.velocity_dof, late.basis_rank, late.constraint_rank, late.generic_rank)
    assert counts == (None,) * 5, "what was not counted is no zero"
    assert "configuration freedoms not decided, velocity freedoms not decided" in str(late)
    assert "Undecided freedoms of configuration" in late._repr_html_()
    with pytest.raises(SingularityError, match="not decided within 0 s"):
        late.allowable_velocities("blade")


def test_constraints_that_come_too_late_are_not_counted(monkeypatch: pytest.MonkeyPatch):
    """The skate has one row on three velocities; without its judge that is not known, and not three freedoms."""

    def late(self: ConstraintJudge) -> NoReturn:
        raise OutOfTime(1.0)

    monkeypatch.setattr(ConstraintJudge, "verdict", late)
    found = skate().diagnose([0, 0, 0.3])
    assert found.kinds == {"undecided"}
    assert (found.velocity_dof, found.constraint_rank, found.generic_rank) == (None, None, None)
    assert found.configuration_dof == 3  # there is no constraint on configurations


def test_a_task_that_comes_too_late_is_named_and_the_rest_is_told(monkeypatch: pytest.MonkeyPatch):
    def late(*_: object) -> None:
        raise OutOfTime(10.0)

    monkeypatch.setattr("cardan.diagnosis.diagnose.task_of", late)
    s = skate()
    found = s.diagnose([0, 0, 0.3], task=s.model.bodies[0])
    assert found.is_regular
    assert found.task is None
    assert [one.what for one in found.notes if one.kind == "undecided"] == [
        "the task of skate: not decided within 10 s"
    ]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal(), StringIO()])
def test_progress_is_told_on_a_terminal_only_and_leaves_nothing_there(
    stream: StringIO, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "FIRST", 0.0)
    with within(50.0, "outer"), within(5.0, "inner"):
        check()
    written = stream.getvalue()
    assert written == ("" if not stream.isatty() else f"{progress.CLEAR}outer: 0.0 of at most 50 s{progress.CLEAR}")


def test_a_short_search_tells_nothing(monkeypatch: pytest.MonkeyPatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with within(None, "short"):
        check()
    assert stream.getvalue() == ""


def test_points_found_before_the_time_was_up_are_told(monkeypatch: pytest.MonkeyPatch):
    """Symbols that take too long leave their turn to numbers, and what these have found is said beside what is open."""
    s = cd.System("top")
    psi, theta, phi = s.coordinates("psi theta phi")
    s.body("top", mass=1, inertia=(1, 1, 2), com=(0, 0, 1), joint=cd.Ball(cd.Euler("3-1-3", psi, theta, phi)))

    def late(*_: object) -> None:
        raise OutOfTime(1.0)

    monkeypatch.setattr(Solver, "branches", late)
    monkeypatch.setattr(searching, "dimension_along", late)
    found = s.singular_set()
    assert [one.kind for one in found] == ["coordinate-singularity", "undecided"]
    assert found[0].verified
    assert len(found[0].points) > 1
    assert_close(np.sin(found[0].points[:, 1]), 0.0, within=1e-6, because="Euler angles 3-1-3 are singular there")


# --- what is asked of runs and equations ----------------------------------------------------------------


def gimbals() -> cd.System:
    s = cd.System("gimbals")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    outer = s.body("outer", inertia=0.3, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=0.2, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=0.1, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    return s


def passing() -> cd.Run:
    """Through beta = 0, where the moment is lost."""
    return gimbals().simulate(1.0, q=[0.1, 0.8, -0.2], v=[1.0, -2.0, 1.5])


def test_findings_of_a_run_take_a_budget_and_look_longer_when_called():
    run = passing()
    with within(0.0):
        late = run.findings
    assert [one.kind for one in late] == ["undecided"]
    assert [one.kind for one in late(budget=60)] == ["gimbal-lock"]
    found = passing().findings
    assert found(budget=0.0) is found  # nothing was left open


def test_a_report_without_time_says_so_and_is_written_all_the_same(tmp_path: Path):
    run = passing()
    begun = monotonic()
    written = run.report(tmp_path / "late.html", budget=0.0, live=False)
    assert "not decided within 0 s" in written.read_text(encoding="utf-8")
    assert monotonic() - begun < 30.0  # it ends: drawing and writing are not searches


def test_an_audit_without_time_names_what_it_left_out():
    run = passing()
    audit = run.audit(budget=0.0)
    assert [line.name for line in audit.complaints] == ["budget"]
    assert "digits" in audit["budget"].words


def test_the_other_run_of_an_audit_ends_with_the_budget():
    """Twice a million steps of the clock would take a second or more."""
    s = cd.System("fast")
    x = s.coordinates("x")
    s.particle("P", mass=1, position=x * s.world.x)
    s.potential(1e10 * x**2 / 2)
    run = s.simulate(2.0, q=[1.0], method=cd.RK4(step=1e-6))
    begun = monotonic()
    audit = run.audit(budget=0.3)
    assert monotonic() - begun < 0.3 + 2.0
    assert "digits" in audit["budget"].words


def test_reactions_in_symbols_are_right_without_time_to_make_them_short():
    eq = gimbals().equations()
    late = symbolic_reactions(eq.symbolic, 0.0)
    assert late.unshortened == ("outer", "inner", "platform")
    short = late(budget=None)
    assert short.unshortened == ()
    assert short(budget=0.0) is short
    rng = np.random.default_rng(0)
    for name, reaction in short.items():
        apart = late[name].moment - reaction.moment
        numbers = {symbol: rng.uniform(0.2, 1.0) for symbol in apart.free_symbols}
        assert np.abs(np.array(apart.subs(numbers), dtype=float)).max() < 1e-12  # rounding of numbers of size one
