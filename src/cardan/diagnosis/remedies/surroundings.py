"""Remedies in what surrounds a system: a load along another axis, one constraint or stop less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from cardan.diagnosis.findings import Finding, Remedy
from cardan.diagnosis.remedies.case import Case
from cardan.model.description import Description
from cardan.model.frames import Vector

ACTS = 0.1  # cosine between a load and the motions that are possible: at least this is worth offering


def other_direction(case: Case, finding: Finding) -> Iterator[Remedy]:
    """The same load along another axis of its body."""
    name = finding.where[0]
    for index, load in enumerate(case.system.description.loads):
        if load.name != name or len(load.along) != 1:
            continue
        for axis in "xyz":
            changed = case.changed(partial(_turn_load, index=index, along=getattr(load.on.frame, axis)))
            changed = replace(changed, loads=None if case.loads is None else {name: 1.0})
            found = changed.diagnosis()
            eta = found.indicators.get(f"load {name}", 0.0)
            if eta > ACTS and "gimbal-lock" not in found.kinds:
                text = f"apply {name!r} along {load.on.name}.{axis}: there it acts with cosine {eta:.2g}"
                yield Remedy(text, "reorient-load", changed.result, eta)


def _turn_load(description: Description, index: int, along: Vector) -> None:
    description.loads[index] = replace(description.loads[index], along=(along,))


def without_a_constraint(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Remove one of the constraints that depend on each other."""
    rows = {row.name: row.constraint.name for row in case.kernel.dynamics.full.rows}
    for owner in dict.fromkeys(rows[name] for name in finding.where if name in rows):
        changed = case.changed(partial(_remove_constraint, name=owner))
        if changed.lifts(finding):
            text = f"remove the constraint {owner!r}: the others then determine their reactions"
            yield Remedy(text, "remove-constraint", changed.result)


def _remove_constraint(description: Description, name: str) -> None:
    description.constraints = [one for one in description.constraints if one.name != name]


def without_a_stop(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Extend the range of the coordinates: without the stop the motion goes on where the boundary was."""
    for stop in [one for one in case.system.description.stops if one.name in finding.where]:
        changed = case.changed(partial(_remove_stop, name=stop.name))
        if changed.lifts(finding):
            text = f"remove the stop {stop.name!r}, so that the range of the coordinates is extended beyond it"
            yield Remedy(text, "extend-range", changed.result)


def _remove_stop(description: Description, name: str) -> None:
    description.stops = [one for one in description.stops if one.name != name]
