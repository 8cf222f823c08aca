"""Every kind of joint keeps the same promises; kinds are discovered, so a new one cannot be forgotten.

docs/how-to/add-a-joint.md says what to write; what is missing fails here by name.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

import cardan as cd
import cardan.model
from cardan.errors import ModelError
from cardan.model.joint import Joint, fields_of
from cardan.model.joints import KINDS
from cardan.report.data.document import document
from support.close import assert_close

PAGE = (Path(__file__).parents[2] / "docs" / "model-files.md").read_text(encoding="utf-8")
CONSTANT = 0.3  # of every constant: a pitch, a limit, a restitution
STEP = 1e-6  # of central differences


def concrete(kind: type) -> Iterator[type[Joint]]:
    for one in kind.__subclasses__():
        if not inspect.isabstract(one) and getattr(one, "is_said", True) and one.__module__.startswith("cardan."):
            yield one
        yield from concrete(one)


for module in pkgutil.iter_modules(cardan.model.__path__, "cardan.model."):
    import_module(module.name)
FOUND = sorted(concrete(Joint), key=lambda kind: kind.__name__)


@dataclass(frozen=True)
class Sample:
    """One body on a joint of a kind, with a coordinate for everything that may move."""

    kind: type[Joint]
    quaternion: bool = False

    @property
    def amounts(self) -> list[str]:
        return [f"q_{name}" for name, holds in fields_of(self.kind).items() if holds == "amount"]

    @property
    def angles(self) -> list[str]:
        return ["psi", "theta", "phi"] if "orientation" in fields_of(self.kind).values() and not self.quaternion else []

    @property
    def joint(self) -> Joint:
        """The joint, said in a program."""
        given: dict[str, Any] = {}
        for name, holds in fields_of(self.kind).items():
            if holds == "amount":
                given[name] = self.symbol(f"q_{name}")
            elif holds == "constant":
                given[name] = CONSTANT
            elif holds == "orientation":
                turned = cd.Euler("3-2-1", *map(self.symbol, self.angles)) if self.angles else cd.Quaternion("e")
                given[name] = turned
        return self.kind(**given)

    @property
    def text(self) -> str:
        """The same in a model file."""
        given = {"kind": self.kind.kind()}
        for name, holds in fields_of(self.kind).items():
            if holds == "amount":
                given[name] = f"q_{name}"
            elif holds == "constant":
                given[name] = str(CONSTANT)
            elif holds == "orientation":
                angles = f"{{kind: euler, convention: 3-2-1, angles: [{', '.join(self.angles)}]}}"
                given[name] = angles if self.angles else "{kind: quaternion, name: e}"
        return "{" + ", ".join(f"{key}: {value}" for key, value in given.items()) + "}"

    def symbol(self, name: str) -> Any:
        return next(one for one in self.symbols if str(one) == name)

    @cached_property
    def symbols(self) -> list[Any]:
        return [self.empty.coordinates(name) for name in (*self.amounts, *self.angles)]

    @cached_property
    def empty(self) -> cd.System:
        return cd.System("sample")

    @cached_property
    def system(self) -> cd.System:
        assert self.symbols is not None
        self.empty.body("body", mass=2, inertia=(1, 2, 2.5), com=(0.1, 0, 0.2), joint=self.joint)
        return self.empty

    @property
    def freedoms(self) -> int:
        return len(self.system.model.v)

    @property
    def q(self) -> list[float]:
        """A configuration inside every limit: no axis is tilted by more than 0.3."""
        plain = [0.05 + 0.04 * k for k in range(len(self.symbols))]
        return [*plain, 1.0, 0.0, 0.0, 0.0] if self.system.model.has_quaternions else plain


@pytest.fixture(params=FOUND, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> type[Joint]:
    found: type[Joint] = request.param
    return found


def test_there_are_joints_to_check() -> None:
    assert {"Fixed", "Revolute", "Universal", "Screw", "Ball", "Free"} <= {one.__name__ for one in FOUND}


def test_it_is_listed_and_exported(kind: type[Joint]) -> None:
    assert kind in KINDS
    assert getattr(cd, kind.__name__) is kind
    assert kind.__name__ in cd.__all__


def test_it_says_what_its_fields_hold(kind: type[Joint]) -> None:
    assert list(fields_of(kind)) == list(inspect.signature(kind).parameters)
    assert set(fields_of(kind).values()) <= {"axis", "normal", "amount", "constant", "orientation"}


def test_it_is_written_in_model_files(kind: type[Joint], tmp_path: Path) -> None:
    """The schema knows it, and the system of the file moves as that of the program."""
    sample = Sample(kind)
    path = tmp_path / "model.yaml"
    lines = [
        "cardan: 1",
        f"coordinates: {{{', '.join(f'{name}: R' for name in (*sample.amounts, *sample.angles))}}}",
        f"bodies: {{body: {{mass: 2, inertia: [1, 2, 2.5], com: [0.1, 0, 0.2], joint: {sample.text}}}}}",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    read = cd.load(path)
    assert read.model.bodies[0].joint == sample.joint
    if sample.freedoms:
        placed = [one.compile().poses(sample.q)["body"] for one in (read, sample.system)]
        for here, there in zip(*placed, strict=True):
            assert_close(here, there, within=0.0, because="the same operations")


def test_it_forbids_as_many_directions_as_it_leaves_no_freedom(kind: type[Joint]) -> None:
    """6 less its freedoms, each with its multiplier in the generalized forces."""
    sample = Sample(kind)
    frame = sample.system.model.bodies[0].frame
    labels = [one.label for one in sample.joint.forbidden(frame.motions, "body")]
    assert len(labels) == len(set(labels)) == 6 - sample.freedoms
    forces = sample.system.equations().generalized_forces
    for label in labels:
        assert forces[f"body_{label}"].has(sp.Symbol(f"mu_body_{label}", real=True))


def test_its_freedoms_and_what_it_forbids_are_all_motions(kind: type[Joint]) -> None:
    """Twists of the coordinates, by central differences, and forbidden directions span six dimensions."""
    sample = Sample(kind)
    motions = sample.system.model.bodies[0].frame.motions
    columns = [twist(sample, k) for k in range(sample.freedoms)]
    at = dict(zip(sample.symbols, sample.q, strict=True))
    for one in sample.joint.forbidden(motions, "body"):
        direction = [float(sp.sympify(x).subs(at)) for x in one.direction]
        columns.append(np.array([*direction, 0, 0, 0] if one.kind == "moment" else [0, 0, 0, *direction]))
    sizes = np.linalg.svd(np.array(columns), compute_uv=False)
    assert len(sizes) == 6
    assert sizes[-1] > 0.02  # the smallest is that of a screw, whose advance is 0.05 per radian; rounding gives 1e-9


def twist(sample: Sample, k: int) -> np.ndarray:
    """(w, v) of the body along its own axes when coordinate k moves with speed one."""
    q, kernel = np.array(sample.q), sample.system.compile()
    step = STEP * np.eye(len(q))[k]
    (R1, p1), (R0, p0) = (kernel.poses(list(q + sign * step))["body"] for sign in (1, -1))
    R = kernel.poses(list(q))["body"][0]
    spin, v = R.T @ (R1 - R0) / (2 * STEP), R.T @ (p1 - p0) / (2 * STEP)
    return np.array([spin[2, 1], spin[0, 2], spin[1, 0], *v])


def test_it_closes_a_loop_or_says_why_not(kind: type[Joint]) -> None:
    """Between two free bodies it holds 6 less its freedoms, in independent rows; or it is refused with a reason."""
    s = cd.System("loop")
    bodies = []
    for name in "AB":
        place = s.coordinates(f"x{name} y{name} z{name}")
        bodies.append(s.body(name, mass=1, inertia=1, joint=cd.Free(*place, cd.Quaternion(f"e{name}"))))
    constants = {name: CONSTANT for name, holds in fields_of(kind).items() if holds == "constant"}
    ends = [body.origin for body in bodies]
    if kind.closure is Joint.closure:
        with pytest.raises(ModelError, match=kind.refusal.split("(")[0]):
            s.connect(*ends, kind(**constants))
        return
    s.connect(*ends, kind(**constants), name="closing")
    aligned = [0, 0, 0, 1, 0, 0, 0] * 2
    here = s.equations().at(aligned)
    held = 6 - Sample(kind).freedoms
    assert here.A.shape[0] == np.linalg.matrix_rank(here.A, tol=1e-9) == held
    assert_close(list(here.phi.values()), 0, within=0.0, because="aligned frames at one point are on every joint")


def test_it_is_drawn(kind: type[Joint]) -> None:
    """On a page it stands under its name, with an axis where it has one; welds and floating bodies have no bearing."""
    sample = Sample(kind, quaternion=True)
    s = sample.system
    s.body("beside", inertia=1, joint=cd.Revolute("z", s.coordinates("beside_it")))  # so that something moves
    shown = document(s.simulate(0.01, q=[*sample.q, 0.0]), frames=2)
    drawing = sample.joint.drawing("body")
    joints = [one for one in shown["model"]["joints"] if one["name"] == "body"]
    assert [one["kind"] for one in joints] == [kind.kind()] * (drawing.bearing in ("turn", "slide", "spin"))
    assert [one["axis"] is None for one in joints] == [drawing.bearing == "spin"] * len(joints)
    assert shown["model"]["bodies"][0]["shapes"]


def test_it_is_documented(kind: type[Joint]) -> None:
    """docs/model-files.md shows how it is written, with all its fields."""
    text = " ".join(PAGE.split())
    written = ", ".join([f"kind: {kind.kind()}", *fields_of(kind)])
    assert f"{{{written}}}" in text, f"docs/model-files.md lacks {{{written}}}"
