"""Remedies for coordinates that lose their meaning: others, fewer of them, or inertia where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import sympy as sp

from cardan.diagnosis.diagnose import diagnose
from cardan.diagnosis.findings import Finding, Remedy
from cardan.diagnosis.remedies.case import Case
from cardan.errors import CardanError
from cardan.model.bodies import Body
from cardan.model.description import Description

SHARES = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)  # of a typical inertia: the least that lifts a finding is offered


def other_chart(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Quaternions for Euler angles, Cartesian coordinates for polar ones."""
    view = case.system.kernels.regular
    if view is None:
        return
    for one in view.replacements:
        if not {str(symbol) for symbol in one.coordinates} & set(finding.where):
            continue
        found = diagnose(view.kernel, view.to_regular(case.state), case.t, view.kernel.p(), {})
        if finding.kind not in found.kinds:
            use = 'cd.Quaternion("e")' if one.kind == "euler" else "Cartesian coordinates"
            text = f"use {use} for {one.frame.name!r}; s.simulate does so by itself and reports your angles"
            yield Remedy(text, "other-chart", indicator_after=found.indicators["basis"])


def prescription(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Hold one of the coordinates: it leaves the free ones, and what it carried becomes its multiplier."""
    moving = finding.directions.get("names") if finding.kind == "constraint-degeneracy" else finding.where
    for name in moving if isinstance(moving, (list, tuple)) else ():
        held = case.q.get(name)
        if not isinstance(held, float):
            continue
        try:
            changed = case.changed(partial(_prescribe, name=name, value=held))
        except CardanError:
            continue
        changed = replace(changed, q={key: value for key, value in case.q.items() if key != name})
        if changed.lifts(finding):
            text = f"prescribe {name} (s.prescribe({name}, f(t))): its motor then carries what the coordinate cannot"
            yield Remedy(text, "prescribe", changed.result)


def _prescribe(description: Description, name: str, value: float) -> None:
    description.prescribe(name, sp.Float(value))


def inertia(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Give a massless body inertia, as much as brings the basis away from the singularity."""
    typical = _typical_inertia(case)
    for index, body in enumerate(case.system.description.bodies):
        if any(_moments(case, body)) or float(body.mass.subs(dict(case.kernel.values))):
            continue
        for share in SHARES:
            changed = case.changed(partial(_make_heavier, index=index, moment=share * typical))
            if changed.lifts(finding):
                text = f"give {body.name} a moment of inertia of {share * typical:.3g} or more"
                yield Remedy(text, "inertia", changed.result)
                break


def _make_heavier(description: Description, index: int, moment: float) -> None:
    zero, amount = sp.Integer(0), sp.Float(moment)
    round_inertia = ((amount, zero, zero), (zero, amount, zero), (zero, zero, amount))
    description.bodies[index] = replace(description.bodies[index], inertia=round_inertia)


def _moments(case: Case, body: Body) -> list[float]:
    values = dict(case.kernel.values)
    return [float(body.inertia[k][k].subs(values)) for k in range(3)]


def _typical_inertia(case: Case) -> float:
    moments = [moment for body in case.system.description.bodies for moment in _moments(case, body)]
    positive = [moment for moment in moments if moment > 0]
    return float(np.mean(positive)) if positive else 1.0
