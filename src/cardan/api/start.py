"""The start of a run, from what a user gives: sequences in order, or mappings by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import StartError, UnknownName, WrongShape
from cardan.model.variables import QuaternionVariable

UNIT_TOLERANCE = 1e-6  # a quaternion typed with six digits is accepted and normalised


def start_state(kernel: Kernel, q: Any, v: Any) -> NDArray[np.float64]:
    """[q, v] with quaternions normalised; a start that is not finite or not a rotation is refused by name."""
    y = kernel.y(_configuration(kernel, q), _velocity(kernel, v))
    symbols = (*kernel.model.q, *kernel.model.v)
    for k in np.flatnonzero(~np.isfinite(y)):
        name, value = str(symbols[k]), y[k]
        raise StartError(f"The start has {name} = {value}; give a finite number.", name=name, value=value)
    for start in kernel.quaternions:
        part = y[start : start + 4]
        length = float(np.linalg.norm(part))
        if abs(length - 1) > UNIT_TOLERANCE:
            raise StartError(
                f"The quaternion {str(symbols[start])[:-2]!r} starts with length {length:.6g}, expected 1. Give a unit "
                "quaternion (w, x, y, z), such as (1, 0, 0, 0).",
                length=length,
            )
        y[start : start + 4] = part / length
    return y


def _configuration(kernel: Kernel, q: Any) -> Any:
    if q is not None and not isinstance(q, Mapping):
        return q
    given = {str(name): value for name, value in (q or {}).items()}
    found: list[float] = []
    for variable in kernel.model.free:
        if isinstance(variable, QuaternionVariable):
            found += _part(given.pop(variable.name, (1.0, 0.0, 0.0, 0.0)), 4, variable.name)
        else:
            found.append(float(given.pop(variable.name, 0.0)))
    _refuse_rest(given, [variable.name for variable in kernel.model.free], "q")
    return found


def _velocity(kernel: Kernel, v: Any) -> Any:
    if v is not None and not isinstance(v, Mapping):
        return v
    given = {str(name): value for name, value in (v or {}).items()}
    found: list[float] = []
    for variable in kernel.model.free:
        if isinstance(variable, QuaternionVariable):
            found += _part(given.pop(variable.name, (0.0, 0.0, 0.0)), 3, variable.name)
        else:
            dotted = str(variable.velocities[0])
            found.append(float(given.pop(variable.name, given.pop(dotted, 0.0))))
    _refuse_rest(given, [variable.name for variable in kernel.model.free], "v")
    return found


def _part(values: Any, count: int, name: str) -> list[float]:
    parts = [float(value) for value in values]
    if len(parts) != count:
        raise WrongShape(f"{name!r} needs {count} numbers at the start, found {len(parts)}.", name=name)
    return parts


def _refuse_rest(given: Mapping[str, Any], known: list[str], what: str) -> None:
    if given:
        raise UnknownName(
            f"{what} names {', '.join(given)}, unknown here. Known: {', '.join(known)}.", names=list(given)
        )
