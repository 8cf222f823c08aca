"""A check must be able to fail: models with one expression changed are noticed by the checks of their entries."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import pytest

from cardan.errors import CardanError
from cardan.gallery.entry import Entry
from cardan.gallery.index import entry, modules
from support.group_mutations import GROUP_MUTATIONS
from support.mutating import groups_of, verdicts

MUTATIONS = [
    ("H0", "along=arm.y", "along=arm.x"),
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
    ("R12", "cd.Revolute(hinges[1], theta2)", "cd.Revolute((0, 0, 1), theta2)"),
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
    """Which checks pass; a refusal of Cardan's ends them as a failed check."""
    found = []
    try:
        for check in one.checks(system):
            found.append(check.passed)
            if not check.passed:
                break
    except CardanError:
        found.append(False)
    return found


QUICK = [one for one in GROUP_MUTATIONS if one[:2] in (("H9", "struck"), ("H11", "impulse"), ("H12", "impulses"))]


@pytest.mark.parametrize(("name", "group", "old", "new"), QUICK, ids=lambda one: one if len(one) < 16 else "")
def test_another_restitution_fails_the_impulses(name: str, group: str, old: str, new: str) -> None:
    assert "restitution" in new
    found = verdicts(name, group, old, new)
    assert found, f"the group {group} of {name} was not reached"
    assert not found[-1], f"{group} of {name} does not notice {new!r}"


@pytest.mark.long
@pytest.mark.parametrize(("name", "group", "old", "new"), GROUP_MUTATIONS, ids=lambda one: one if len(one) < 16 else "")
def test_every_group_of_checks_notices_a_change(name: str, group: str, old: str, new: str) -> None:
    found = verdicts(name, group, old, new)
    assert found, f"the group {group} of {name} was not reached"
    assert not found[-1], f"{group} of {name} does not notice {new!r}"


@pytest.mark.parametrize("name", list(modules()))
def test_every_group_of_an_entry_has_its_mutation(name: str) -> None:
    """A new group needs a line in group_mutations.py, and one whose text has changed another."""
    groups = groups_of(name)
    assert {group for key, group, _, _ in GROUP_MUTATIONS if key == name} == set(groups)
    for _, group, old, _ in (one for one in GROUP_MUTATIONS if one[0] == name):
        assert old in inspect.getsource(groups[group]), f"{group} of {name} no longer contains {old!r}"


def test_every_entry_is_tried_with_a_wrong_model() -> None:
    assert {name for name, _, _ in MUTATIONS} == set(modules())


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
