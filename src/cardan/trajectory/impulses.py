"""What impacts and losses of rank gave to bodies and bearings: impulses as vectors, for all events of a run at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.equations.impulses import ImpulseNodes, ImpulseParts
from cardan.graph import Node, evaluate
from cardan.native.showing import Shown
from cardan.singular.constrained import RANK_CUT
from cardan.singular.records import EventRecord

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

BALANCED = 1e-8  # of an impulse of constraints: what their rows may leave of it and still be said to make it
ROUNDING = 1e-12  # of the largest impulse of an event: what is below is not told
NOT_SHARED = (
    "The constraints lost rank here, and no impulses along their rows make this jump: what each body received is "
    "determined, how bearings and constraints shared it is not."
)


@dataclass(frozen=True)
class Impulse(Shown):
    """A force impulse (N s) and a moment impulse (N m s) about ``point``; world components.

    ``includes`` names stops and constraints that were typed without a place and act within a bearing.
    """

    name: str
    on: str
    force: Vector
    moment: Vector
    point: Vector
    includes: tuple[str, ...] = ()

    @property
    def size(self) -> float:
        """The largest of its components, of either unit."""
        return float(max(np.max(np.abs(self.force)), np.max(np.abs(self.moment))))

    def __str__(self) -> str:
        return f"force {_numbers(self.force)} N s, moment {_numbers(self.moment)} N m s"


@dataclass(frozen=True)
class Impulses(Shown):
    """The impulses of one event.

    ``bodies``: on each body and particle, all of them together, m (v+ - v-) and H+ - H- about the centre of mass.
    ``bearings``: through the joint of each body, on the body, about its origin. ``contacts``: of each constraint and
    stop that has a place, on each thing it acts on. ``note`` says why bearings and contacts are missing, if they are.
    """

    t: float
    kind: str
    name: str
    bodies: dict[str, Impulse]
    bearings: dict[str, Impulse]
    contacts: dict[str, tuple[Impulse, ...]]
    note: str = ""

    def lines(self) -> list[tuple[str, Impulse]]:
        """What acts, in words, and how much: bodies, bearings, contacts; those without any impulse are left out."""
        found = [(f"on {name}", one) for name, one in self.bodies.items()]
        found += [(f"through the joint of {name}", one) for name, one in self.bearings.items()]
        found += [(f"of {one.name} on {one.on}", one) for both in self.contacts.values() for one in both]
        least = ROUNDING * max((one.size for _, one in found), default=0.0)
        return [(words, one) for words, one in found if one.size > least]

    def as_data(self) -> list[dict[str, object]]:
        """As plain numbers and words."""
        return [
            {"what": words, "force": one.force.tolist(), "moment": one.moment.tolist(), "point": one.point.tolist()}
            for words, one in self.lines()
        ]

    def __str__(self) -> str:
        head = f"t = {self.t:.6g}, {self.kind} {self.name}"
        return "\n".join([head, *(f"  {words}: {one}" for words, one in self.lines()), *filter(None, [self.note])])


@dataclass(frozen=True)
class _Happening:
    """A record with its jump of velocities and the impulses of all rows; None where rows do not make it."""

    record: EventRecord
    jump: Vector
    lam: Vector | None


def impulses_of(run: Trajectory) -> tuple[Impulses, ...]:
    """The impulses of every event of a run at which velocities jumped."""
    nodes = ImpulseNodes(run.kernel.dynamics)
    found = [one for one in (_happening(run, nodes, record) for record in run.records) if one is not None]
    if not found:
        return ()
    inputs = _inputs(run, nodes, found)
    bodies, bearings, contacts = (
        [(one, _table(one, inputs, len(found))) for one in parts]
        for parts in (nodes.bodies(), nodes.bearings(), nodes.contacts())
    )
    return tuple(_told(nodes, k, one, bodies, bearings, contacts) for k, one in enumerate(found))


def has_jump(record: EventRecord) -> bool:
    """Whether a record tells of velocities that jumped."""
    return "velocity_jump" in record.facts or "velocity_change" in record.facts


def _happening(run: Trajectory, nodes: ImpulseNodes, record: EventRecord) -> _Happening | None:
    if not has_jump(record):
        return None
    if "velocity_change" in record.facts:
        jump = record.vector("velocity_change")
        return _Happening(record, jump, _shares(run, nodes, record, jump))
    named = record.facts["impulse"]
    assert isinstance(named, dict)
    lam = np.array([float(named.get(name, 0.0)) for name in _names(run, nodes)])
    return _Happening(record, record.vector("velocity_jump"), lam)


def _names(run: Trajectory, nodes: ImpulseNodes) -> list[str]:
    """Names of the rows as records have them: a gap goes by the name of its stop."""
    m = run.kernel.m
    return [row.constraint.name if i >= m and row.is_holonomic else row.name for i, row in enumerate(nodes.rows)]


def _shares(run: Trajectory, nodes: ImpulseNodes, record: EventRecord, jump: Vector) -> Vector | None:
    """Impulses of the rows for a jump where rank is lost: the shortest ones, if there are any."""
    terms = run.kernel.numbers(run.parameters).terms(record.t, record.y)
    lam = np.zeros(len(nodes.rows))
    push, W = terms.M @ jump, terms.half
    lam[: run.kernel.m] = np.linalg.lstsq(terms.A.T, push, rcond=RANK_CUT)[0]
    left = W.T @ (push - terms.A.T @ lam[: run.kernel.m])
    return lam if np.linalg.norm(left) <= BALANCED * np.linalg.norm(W.T @ push) else None


def _inputs(run: Trajectory, nodes: ImpulseNodes, found: Sequence[_Happening]) -> dict[Node, Vector | float]:
    d = run.kernel.dynamics
    states = np.array([one.record.y for one in found])
    jumps = np.array([one.jump for one in found])
    lam = np.array([np.zeros(len(nodes.rows)) if one.lam is None else one.lam for one in found])
    inputs: dict[Node, Vector | float] = {d.t: np.array([one.record.t for one in found])}
    inputs |= {node: states[:, k] for k, node in enumerate([*d.q, *d.v])}
    inputs |= {node: float(run.parameters[k]) for k, node in enumerate(d.p)}
    inputs |= {node: jumps[:, k] for k, node in enumerate(nodes.jump)}
    return inputs | {node: lam[:, k] for k, node in enumerate(nodes.lam)}


def _table(parts: ImpulseParts, inputs: dict[Node, Vector | float], count: int) -> Vector:
    columns = evaluate(parts.parts, inputs)
    return np.stack([np.broadcast_to(np.asarray(x, dtype=float), (count,)) for x in columns], axis=-1)


Tables = list[tuple[ImpulseParts, Vector]]


def _told(nodes: ImpulseNodes, k: int, one: _Happening, bodies: Tables, bearings: Tables, contacts: Tables) -> Impulses:
    placed = any(row.actions for row in nodes.rows)
    is_shared = one.lam is not None or not placed
    lam = np.zeros(len(nodes.rows)) if one.lam is None else one.lam

    def impulse(parts: ImpulseParts, table: Vector) -> Impulse:
        row = table[k]
        within = tuple(nodes.rows[i].constraint.name for i in parts.includes if one.lam is None or lam[i] != 0.0)
        return Impulse(parts.name, parts.on, row[:3], row[3:6], row[6:], within)

    touched: dict[str, tuple[Impulse, ...]] = {}
    for parts, table in contacts if is_shared else ():
        if np.any(lam[list(parts.rows)] != 0.0):
            touched[parts.name] = (*touched.get(parts.name, ()), impulse(parts, table))
    return Impulses(
        one.record.t,
        one.record.kind,
        one.record.name,
        {parts.name: impulse(parts, table) for parts, table in bodies},
        {parts.name: impulse(parts, table) for parts, table in bearings} if is_shared else {},
        touched,
        "" if is_shared else NOT_SHARED,
    )


def _numbers(values: Vector) -> str:
    return "(" + ", ".join(f"{x + 0.0:.6g}" for x in values) + ")"
