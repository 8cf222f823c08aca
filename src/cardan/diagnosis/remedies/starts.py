"""Remedies by starting elsewhere: one coordinate is moved, the others as far as the constraints ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from cardan.diagnosis.findings import Finding, Remedy
from cardan.diagnosis.remedies.case import Case, Configuration, by_name
from cardan.singular.projection import project_position
from cardan.trajectory.extent import typical_sizes

NUDGE = 0.1  # of the size of a coordinate: far enough that no finding near by is left, and still the same motion


def other_start(case: Case, finding: Finding) -> Iterator[Remedy]:
    """Move one coordinate away from here."""
    sizes = typical_sizes(case.kernel, case.state, case.t)
    for (name, value), size in zip(case.q.items(), sizes, strict=False):
        if not isinstance(value, float):
            continue
        for sign in (1.0, -1.0):
            moved = _moved(case, name, value + sign * NUDGE * size)
            if moved is not None and replace(case, q=moved).lifts(finding):
                text = f"start with {name} = {moved[name]:.4g} instead of {value:.4g}"
                yield Remedy(text, "move-start", partial(dict, moved))
                break


def _moved(case: Case, name: str, value: float) -> Configuration | None:
    """The configuration with one coordinate changed, the others moved as little as the constraints allow."""
    kernel, moved = case.kernel, replace(case, q={**case.q, name: value})
    if not kernel.m:
        return moved.q
    y = moved.state
    free = np.array([str(symbol).removesuffix("_dot") != name for symbol in kernel.model.v])
    sizes = typical_sizes(kernel, y, case.t)
    found = project_position(kernel.numbers(kernel.p()), case.t, y, sizes, free)
    return None if found is None else by_name(kernel.model, found)
