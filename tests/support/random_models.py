"""Random trees of bodies, valid by construction, as plain numbers and as the System built from the same numbers.

A `Plan` holds nothing of Cardan: turns, slides, quaternions, placements, masses, springs, dampers and loads. `build`
says the same with the public API. `lagrange_by_plan.py` derives the motion from the plan alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

JOINTS = (
    "Fixed", "Revolute", "Prismatic", "Cylindrical", "Universal", "Planar",
    "BallEuler", "BallQuaternion", "FreeEuler", "FreeQuaternion",
)  # fmt: skip
PROPER = [f"{i}-{j}-{i}" for i in (1, 2, 3) for j in (1, 2, 3) if i != j]
TAIT_BRYAN = [f"{i}-{j}-{6 - i - j}" for i in (1, 2, 3) for j in (1, 2, 3) if i != j]
UNITS = {1: (1.0, 0.0, 0.0), 2: (0.0, 1.0, 0.0), 3: (0.0, 0.0, 1.0)}


@dataclass(frozen=True)
class Amount:
    """s = q + factor * other^2, where ``other`` is another coordinate, the time, or nothing."""

    name: str
    other: str | None = None
    factor: float = 0.0

    def of(self, value: Mapping[str, Any]) -> Any:
        """The amount in the numbers of ``value``."""
        own = value[self.name]
        return own if self.other is None else own + self.factor * value[self.other] * value[self.other]


@dataclass(frozen=True)
class Step:
    """One elementary motion: "turn" or "slide" along an axis by an amount, "spin" by a quaternion, or "place"."""

    kind: str
    axis: Sequence[float] = ()
    amount: Amount | None = None
    quaternion: str = ""
    position: Sequence[float] = ()
    rotation: Any = None


@dataclass(frozen=True)
class BodyPlan:
    name: str
    parent: int  # -1: the world
    joint: str
    options: dict[str, Any]
    steps: tuple[Step, ...]
    mass: float
    inertia: Any  # 3 by 3, about the centre of mass
    com: tuple[float, ...]


@dataclass(frozen=True)
class Line:
    """A spring (coefficient is its stiffness) or damper between points of two bodies (-1: the world)."""

    first: int
    here: tuple[float, ...]
    second: int
    there: tuple[float, ...]
    coefficient: float
    length: float


@dataclass(frozen=True)
class LoadPlan:
    """A force at a point, or a moment, on a body, along a direction fixed in another; moments may act against one."""

    name: str
    kind: str
    body: int
    point: tuple[float, ...]
    carrier: int
    direction: tuple[float, ...]
    against: int | None
    magnitude: float


@dataclass
class Plan:
    bodies: list[BodyPlan] = field(default_factory=list)
    coordinates: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)  # coordinates and quaternions in the order of declaration
    gravity: tuple[float, ...] = (0.0, 0.0, 0.0)
    springs: list[Line] = field(default_factory=list)
    dampers: list[Line] = field(default_factory=list)
    loads: list[LoadPlan] = field(default_factory=list)
    q: list[float] = field(default_factory=list)
    v: list[float] = field(default_factory=list)
    t: float = 0.0

    @property
    def has_quaternions(self) -> bool:
        return len(self.coordinates) < len(self.variables)

    @property
    def joints(self) -> set[str]:
        return {body.joint for body in self.bodies}


class Drawer:
    """Draws one plan from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.plan = Plan(t=self.number(0.2, 1.0))
        self.start: dict[str, list[float]] = {}

    def number(self, low: float, high: float) -> float:
        return low + (high - low) * self.random.random()

    def triple(self, size: float = 1.0) -> tuple[float, ...]:
        return tuple(self.number(-size, size) for _ in range(3))

    def axis(self) -> tuple[float, ...]:
        """A coordinate axis or any unit vector."""
        if self.random.random() < 0.5:
            return UNITS[self.random.randint(1, 3)]
        x = np.array(self.triple()) + 0.1
        return tuple(float(part) for part in x / np.linalg.norm(x))

    def rotation(self) -> np.ndarray:
        e = np.array([self.number(-1, 1) for _ in range(4)]) + 0.05
        return quaternion_matrix(e / np.linalg.norm(e)).astype(float)

    def coordinate(self, low: float = -1.0, high: float = 1.0) -> str:
        name = f"q{len(self.plan.variables) + 1}"
        self.plan.variables.append(name)
        self.plan.coordinates.append(name)
        self.start[name] = [self.number(low, high)]
        return name

    def quaternion(self) -> str:
        name = f"e{len(self.plan.variables) + 1}"
        self.plan.variables.append(name)
        e = np.array([self.number(-1, 1) for _ in range(4)]) + 0.05
        self.start[name] = [float(part) for part in e / np.linalg.norm(e)]
        return name

    def amount(self, *, plain: bool = False, rheonomic: bool = False) -> Amount:
        """A new coordinate, now and then geared to an earlier one or driven by time."""
        earlier = list(self.plan.coordinates)
        name = self.coordinate()
        if plain or self.random.random() < 0.7:
            return Amount(name)
        if rheonomic and self.random.random() < 0.5:
            return Amount(name, "t", self.number(0.1, 0.5))
        return Amount(name, self.random.choice(earlier), self.number(-0.5, 0.5)) if earlier else Amount(name)

    def joint(self, kind: str, *, plain: bool, rheonomic: bool) -> tuple[dict[str, Any], tuple[Step, ...]]:
        """Options for the public joint, and the same as elementary steps."""

        def amount() -> Amount:
            return self.amount(plain=plain, rheonomic=rheonomic)

        if kind == "Fixed":
            return {}, ()
        if kind in ("Revolute", "Prismatic"):
            axis, s = self.axis(), amount()
            return {"axis": axis, "amounts": [s]}, (Step("turn" if kind == "Revolute" else "slide", axis, s),)
        if kind == "Cylindrical":
            axis, angle, distance = self.axis(), amount(), amount()
            return {"axis": axis, "amounts": [angle, distance]}, (
                Step("slide", axis, distance),
                Step("turn", axis, angle),
            )
        if kind == "Universal":
            i, j = self.random.sample([1, 2, 3], 2)
            first, second = amount(), amount()
            steps = (Step("turn", UNITS[i], first), Step("turn", UNITS[j], second))
            return {"axes": (UNITS[i], UNITS[j]), "amounts": [first, second]}, steps
        if kind == "Planar":
            normal = self.random.choice("xyz")
            i, j, k = {"x": (2, 3, 1), "y": (3, 1, 2), "z": (1, 2, 3)}[normal]
            a, b, c = amount(), amount(), amount()
            steps = (Step("slide", UNITS[i], a), Step("slide", UNITS[j], b), Step("turn", UNITS[k], c))
            return {"normal": normal, "amounts": [a, b, c]}, steps
        slides = [amount() for _ in range(3)] if kind.startswith("Free") else []
        options, turns = self.orientation(euler=kind.endswith("Euler"))
        moved = tuple(Step("slide", UNITS[i], s) for i, s in zip((1, 2, 3), slides, strict=False))
        return {"amounts": slides, **options}, moved + turns

    def orientation(self, *, euler: bool) -> tuple[dict[str, Any], tuple[Step, ...]]:
        if not euler:
            name = self.quaternion()
            return {"quaternion": name}, (Step("spin", quaternion=name),)
        convention, space = self.random.choice(PROPER + TAIT_BRYAN), self.random.random() < 0.5
        names = [self.coordinate(), self.coordinate(0.4, 1.1), self.coordinate()]  # the middle one away from 0 and pi/2
        turns = [Step("turn", UNITS[int(i)], Amount(n)) for i, n in zip(convention.split("-"), names, strict=True)]
        return {"convention": convention, "space": space, "angles": names}, tuple(turns[::-1] if space else turns)

    def body(self, kind: str, *, plain: bool, rheonomic: bool) -> None:
        k = len(self.plan.bodies)
        parent = self.random.randint(-1, k - 1) if self.random.random() < 0.4 else k - 1
        options, steps = self.joint(kind, plain=plain, rheonomic=rheonomic)
        place: tuple[Step, ...] = ()
        if self.random.random() < 0.8:
            turned = self.rotation() if self.random.random() < 0.6 else None
            place = (Step("place", position=self.triple(0.7), rotation=turned),)
        a, b, c = (self.number(0.05, 0.5) for _ in range(3))  # second moments: any three give a possible inertia
        R = self.rotation()
        inertia = R @ np.diag([b + c, a + c, a + b]) @ R.T
        self.plan.bodies.append(
            BodyPlan(
                f"body{k + 1}", parent, kind, options, place + steps, self.number(0.3, 2.0),
                (inertia + inertia.T) / 2, self.triple(0.4),
            )
        )  # fmt: skip

    def line(self) -> Line:
        first = self.random.randrange(len(self.plan.bodies))
        second = self.random.choice([k for k in range(-1, len(self.plan.bodies)) if k != first])
        return Line(first, self.triple(), second, self.triple(2.0), self.number(0.5, 3.0), self.number(0.1, 1.0))

    def load(self, k: int) -> LoadPlan:
        body = self.random.randrange(len(self.plan.bodies))
        carrier = self.random.randint(-1, len(self.plan.bodies) - 1)
        kind = self.random.choice(["force", "moment"])
        against = None
        if kind == "moment" and self.random.random() < 0.5:
            others = [other for other in range(-1, len(self.plan.bodies)) if other != body]
            against = self.random.choice(others)
        return LoadPlan(
            f"L{k}", kind, body, self.triple(0.5), carrier, self.triple(), against, self.number(-3.0, 3.0)
        )  # fmt: skip


def draw(
    seed: int,
    kinds: Sequence[str],
    *,
    conservative: bool = False,
    plain: bool = False,
    rheonomic: bool = False,
    lines: int = 2,
) -> Plan:
    """A tree with one body for each joint kind, in random order; ``plain`` joints take coordinates as they are."""
    drawer = Drawer(seed)
    plan = drawer.plan
    for kind in drawer.random.sample(list(kinds), len(kinds)):
        drawer.body(kind, plain=plain, rheonomic=rheonomic)
    plan.gravity = tuple(9.81 * part for part in drawer.axis())
    plan.springs = [drawer.line() for _ in range(lines)]
    if not conservative:
        plan.dampers = [drawer.line() for _ in range(lines)]
        plan.loads = [drawer.load(k) for k in range(1, 4)]
    plan.q = [part for name in plan.variables for part in drawer.start[name]]
    plan.v = [drawer.number(-1, 1) for name in plan.variables for _ in range(1 if name in plan.coordinates else 3)]
    return plan


def draw_kinds(seed: int, count: int, among: Sequence[str] = JOINTS) -> list[str]:
    """``count`` joint kinds, every kind once before any comes again; something always moves."""
    random, found = Random(seed), []
    while len(found) < count:
        found += random.sample(list(among), len(among))
    return ["Revolute"] if found[:count] == ["Fixed"] else found[:count]


def quaternion_matrix(e: Sequence[Any]) -> np.ndarray:
    """R of a unit quaternion (w, x, y, z)."""
    w, x, y, z = e
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )
