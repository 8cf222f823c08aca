"""Remedies: changes that lift a finding, each tried on a copy of the system before it is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.diagnosis.findings import Finding, Remedy
from cardan.errors import CardanError
from cardan.model.bodies import Body
from cardan.singular.projection import project_position
from cardan.trajectory.extent import typical_sizes

if TYPE_CHECKING:
    from cardan.api.asking import Asking

Vector = NDArray[np.float64]

CLEAR = 1e-2  # an indicator this large is well away from the finding
NUDGE = 0.1  # of the size of a coordinate: how far a start is moved


@dataclass(frozen=True)
class Case:
    """A system at a state, with the loads that were judged."""

    system: Asking
    q: Mapping[str, Any]
    t: float
    loads: Mapping[str, Any] | None

    def still_has(self, kind: str, where: tuple[str, ...] = ()) -> bool:
        """Whether the finding (of this kind, at one of these places) is still there, or a nearly as bad one is."""
        found = self.system.diagnose(q=self.q, t=self.t, loads=self.loads)
        return any(
            one.kind == kind and (not where or set(one.where) & set(where)) for one in (*found.findings, *found.near)
        )


def find_remedies(
    system: Asking, finding: Finding, y: Vector, t: float, loads: Mapping[str, Any] | None
) -> list[Remedy]:
    """Everything that was tried and lifted the finding, simplest first."""
    kernel = system.compile()
    case = Case(system, _by_name(kernel.model, y), t, loads)
    searches: dict[str, list[Callable[[Case, Finding], Iterator[Remedy]]]] = {
        "coordinate-singularity": [_other_chart, _prescription, _inertia, _other_start],
        "gimbal-lock": [_other_direction, _other_start],
        "constraint-degeneracy": [_without_a_constraint, _prescription, _other_start],
        "boundary": [_without_a_stop, _other_start],
    }
    return [remedy for search in searches.get(finding.kind, []) for remedy in search(case, finding)]


def _by_name(model: Any, y: Vector) -> dict[str, Any]:
    """The configuration by variable name."""
    found: dict[str, Any] = {}
    at = 0
    for variable in model.free:
        count = len(variable.configuration)
        found[variable.name] = float(y[at]) if count == 1 else tuple(y[at : at + count])
        at += count
    return found


def _copy(system: Asking) -> Asking:
    """An independent system with the same description."""
    other = type(system)(system.name)
    other.description = system.description.copy()
    return other


def _always(value: Any) -> Callable[[], Any]:
    return lambda: value


def _lifts(case: Case, finding: Finding) -> bool:
    """Whether the finding is gone in a changed case; a change that cannot be made does not count."""
    try:
        return not case.still_has(finding.kind, finding.where)
    except CardanError:
        return False


# --- coordinates ---------------------------------------------------------------------------------------


def _other_chart(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Quaternions for Euler angles, Cartesian coordinates for polar ones."""
    view = case.system.kernels.regular
    if view is None:
        return
    for one in view.replacements:
        if {str(symbol) for symbol in one.coordinates} & set(finding.where):
            y = view.to_regular(case.system.compile().y(_values(case)))
            from cardan.diagnosis.diagnose import diagnose

            found = diagnose(view.kernel, y, case.t, view.kernel.p(), {})
            if finding.kind not in found.kinds:
                use = 'cd.Quaternion("e")' if one.kind == "euler" else "Cartesian coordinates"
                text = f"use {use} for {one.frame.name!r}; s.simulate does so by itself and reports your angles"
                yield Remedy(text, "other-chart", indicator_after=found.indicators["basis"])


def _values(case: Case) -> list[float]:
    return [float(x) for value in case.q.values() for x in np.atleast_1d(value)]


def _prescription(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Hold one of the coordinates: it leaves the free ones, and what it carried becomes its multiplier."""
    moving = finding.directions.get("names") if finding.kind == "constraint-degeneracy" else finding.where
    for name in moving if isinstance(moving, (list, tuple)) else ():
        if not isinstance(case.q.get(name), float):
            continue
        other = _copy(case.system)
        try:
            other.prescribe(other.description.own_coordinate(name, "prescribe"), sp.Float(case.q[name]))
        except CardanError:
            continue
        rest = {key: value for key, value in case.q.items() if key != name}
        changed = Case(other, rest, case.t, case.loads)
        if _lifts(changed, finding):
            text = f"prescribe {name} (s.prescribe({name}, f(t))): its motor then carries what the coordinate cannot"
            yield Remedy(text, "prescribe", _always(other))


def _inertia(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Give a massless body inertia, as much as brings the basis away from the singularity."""
    kernel = case.system.compile()
    reference = _typical_inertia(case)
    values = dict(kernel.values)
    for index, body in enumerate(case.system.description.bodies):
        moments = [float(body.inertia[k][k].subs(values)) for k in range(3)]
        if any(moments) or float(body.mass.subs(values)):
            continue
        for share in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0):
            other = _copy(case.system)
            other.description.bodies[index] = _heavier(body, share * reference)
            other.description.touch()
            changed = Case(other, case.q, case.t, case.loads)
            if _lifts(changed, finding):
                text = f"give {body.name} a moment of inertia of {share * reference:.3g} or more"
                yield Remedy(text, "inertia", _always(other))
                break


def _heavier(body: Body, moment: float) -> Body:
    zero, amount = sp.Integer(0), sp.Float(moment)
    return replace(body, inertia=((amount, zero, zero), (zero, amount, zero), (zero, zero, amount)))


def _typical_inertia(case: Case) -> float:
    values = dict(case.system.compile().values)
    found = [float(body.inertia[k][k].subs(values)) for body in case.system.description.bodies for k in range(3)]
    positive = [moment for moment in found if moment > 0]
    return float(np.mean(positive)) if positive else 1.0


# --- loads and constraints -------------------------------------------------------------------------------


def _other_direction(case: Case, finding: Finding) -> Iterator[Remedy]:
    """The same load along another axis of its body."""
    name = finding.where[0]
    for index, load in enumerate(case.system.description.loads):
        if load.name != name or len(load.along) != 1:
            continue
        for axis in "xyz":
            other = _copy(case.system)
            other.description.loads[index] = replace(load, along=(getattr(load.on.frame, axis),))
            other.description.touch()
            changed = Case(other, case.q, case.t, None if case.loads is None else {name: 1.0})
            found = other.diagnose(q=case.q, t=case.t, loads=changed.loads)
            eta = found.indicators.get(f"load {name}", 0.0)
            if eta > 0.1 and "gimbal-lock" not in found.kinds:
                text = f"apply {name!r} along {load.on.name}.{axis}: there it acts with cosine {eta:.2g}"
                yield Remedy(text, "reorient-load", _always(other), eta)


def _without_a_constraint(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Remove one of the constraints that depend on each other."""
    rows = {row.name: row.constraint.name for row in case.system.compile().dynamics.full.rows}
    owners = dict.fromkeys(rows[name] for name in finding.where if name in rows)
    for owner in owners:
        other = _copy(case.system)
        other.description.constraints = [one for one in other.description.constraints if one.name != owner]
        other.description.touch()
        if _lifts(Case(other, case.q, case.t, case.loads), finding):
            text = f"remove the constraint {owner!r}: the others then determine their reactions"
            yield Remedy(text, "remove-constraint", _always(other))


def _without_a_stop(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Extend the range of the coordinates: without the stop the motion goes on where the boundary was."""
    for stop in [one for one in case.system.description.stops if one.name in finding.where]:
        other = _copy(case.system)
        other.description.stops = [one for one in other.description.stops if one.name != stop.name]
        other.description.touch()
        if _lifts(Case(other, case.q, case.t, case.loads), finding):
            text = f"remove the stop {stop.name!r}, so that the range of the coordinates is extended beyond it"
            yield Remedy(text, "extend-range", _always(other))


# --- starts ----------------------------------------------------------------------------------------------


def _other_start(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Move one coordinate away from here, the others as far as the constraints ask."""
    from cardan.trajectory.extent import typical_sizes

    kernel = case.system.compile()
    y = kernel.y(_values(case))
    box = typical_sizes(kernel, y, case.t)
    for (name, value), size in zip(case.q.items(), box, strict=False):
        if not isinstance(value, float):
            continue
        for sign in (1.0, -1.0):
            moved = _moved(case, name, value + sign * NUDGE * size)
            if moved is not None and _lifts(Case(case.system, moved, case.t, case.loads), finding):
                text = f"start with {name} = {moved[name]:.4g} instead of {value:.4g}"
                yield Remedy(text, "move-start", _always(moved))
                break


def _moved(case: Case, name: str, value: float) -> dict[str, Any] | None:
    """The configuration with one coordinate changed, the others moved as little as the constraints allow."""
    kernel = case.system.compile()
    changed = {**case.q, name: value}
    if not kernel.m:
        return changed
    y = kernel.y([float(x) for one in changed.values() for x in np.atleast_1d(one)])
    velocities = [str(symbol).removesuffix("_dot") for symbol in kernel.model.v]
    free = np.array([one != name for one in velocities])
    sizes = typical_sizes(kernel, y, case.t)
    found = project_position(kernel.numbers(kernel.p()), case.t, y, sizes, free)
    return None if found is None else _by_name(kernel.model, found)
