"""The start of a run, from what a user gives: sequences in order, or mappings by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.compiled import Kernel
from cardan.equations.speeds import speeds_in, velocities_of
from cardan.errors import CardanError, StartError, WrongShape, unknown
from cardan.model.degrees import looks_like_degrees, wonder_about
from cardan.model.turned import as_numbers
from cardan.model.variables import CoordinateVariable, QuaternionVariable
from cardan.trajectory.settings import Values

Vector = NDArray[np.float64]

UNTURNED, AT_REST = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)  # of a quaternion that is not named
LARGEST = 1e100  # a length whose fourth power is still far from overflow
UNIT_TOLERANCE = 1e-6  # a quaternion typed with six digits is accepted and normalised


@dataclass(frozen=True)
class Given:
    """A start as given: the state, and which entries of q (as velocities) and v were named."""

    y: Vector
    held: NDArray[np.bool_]  # velocities whose coordinate was given
    held_rates: NDArray[np.bool_]  # velocities that were given


def given_start(kernel: Kernel, q: Values, v: Values) -> Given:
    """[q, v] with quaternions normalised; a start that is not finite or not a rotation is refused by name."""
    large = [(name, value) for name, value in _by_name(kernel, q) if looks_like_degrees(value)]
    if large:
        wonder_about((name, value) for name, value in large if name in _angles(kernel))
    try:
        configuration, held = _read(kernel, q, "q")
        if kernel.model.speeds and (given := speeds_in(kernel.model, v)) is not None:
            v = velocities_of(kernel.dynamics, kernel.y(configuration)[: kernel.nq], given)
        velocity, held_rates = _read(kernel, v, "v")
        y = kernel.y(configuration, velocity)
    except CardanError:
        raise
    except (TypeError, ValueError) as problem:
        raise StartError(f"The start holds something that is no number: {problem}. Give numbers in q and v.") from None
    names = [symbol.name for symbol in (*kernel.model.q, *kernel.model.v)]
    for name, value in zip(names, y, strict=True):
        if not np.isfinite(value):
            raise StartError(f"The start has {name} = {value}; give a finite number.", name=name, value=value)
    for start in kernel.quaternions:
        part = y[start : start + 4]
        length = float(np.linalg.norm(part))
        if abs(length - 1) > UNIT_TOLERANCE:
            raise StartError(
                f"The quaternion {names[start][:-2]!r} starts with length {length:.6g}, expected 1. Give a unit "
                "quaternion (w, x, y, z), such as (1, 0, 0, 0).",
                length=length,
            )
        y[start : start + 4] = part / length
    return Given(y, held, held_rates)


def _by_name(kernel: Kernel, q: Values) -> list[tuple[str, object]]:
    """The values of a start that was typed, with the names they belong to."""
    if isinstance(q, Mapping):
        return [(str(name), value) for name, value in q.items()]
    return list(zip(map(str, kernel.model.q), q, strict=False)) if isinstance(q, (list, tuple)) else []


def _angles(kernel: Kernel) -> set[str]:
    """Names of the coordinates that are angles, as declared or by how they are used."""
    declared = {one.name for one in kernel.model.free if isinstance(one, CoordinateVariable) and one.domain.is_angle}
    return declared | {symbol.name for symbol in kernel.turning}


def refuse_unmeasurable(kernel: Kernel, y: Vector, t: float) -> None:
    """Refuse a start at which something has no place, or sizes whose squares no number holds; named, with a remedy."""
    if not kernel.nv:
        return
    p, names = kernel.p(), [mass.name for mass in kernel.dynamics.full.tree.masses]
    with np.errstate(all="ignore"):
        found = kernel.function("places")(t, y, p)
        places = found.reshape(len(names), -1) if names else found
        M = kernel.function("mass_matrix")(t, y, p)
    for name, place in zip(names, places, strict=True):
        if not np.isfinite(place).all():
            raise StartError(
                f"{name!r} has no place at the start: its position is undefined there ({place[:3].tolist()}). Start "
                "where its expressions have values.",
                name=name,
            )
        if np.max(np.abs(place), initial=0.0) > LARGEST:
            raise StartError(
                f"{name!r} is {np.max(np.abs(place)):.3g} away, whose square no number holds; lengths up to "
                f"{LARGEST:g} can be computed with. Choose other units.",
                name=name,
            )
    if not np.isfinite(M).all():
        raise StartError(
            f"The mass matrix of {kernel.model.name!r} is not finite at the start: its energies are undefined there, "
            "or masses and lengths are too large for their products. Start elsewhere, or choose other units."
        )


def _read(kernel: Kernel, values: Values, what: str) -> tuple[ArrayLike, NDArray[np.bool_]]:
    """Numbers in order, and which velocities they belong to; a sequence gives all, a mapping those it names."""
    if values is not None and not isinstance(values, Mapping):
        return values, np.ones(kernel.nv, dtype=bool)
    typed: dict[str, Any] = {str(name): value for name, value in (values or {}).items()}  # whatever was typed
    turned = what == "q" and any(not isinstance(value, (int, float)) for value in typed.values())
    given: dict[str, Any] = dict(as_numbers(kernel.model, typed)) if turned else typed
    found: list[float] = []
    held: list[bool] = []
    for variable in kernel.model.free:
        symbols = variable.velocities if what == "v" else variable.configuration
        if isinstance(variable, QuaternionVariable) and variable.name in given:
            found += _parts(given.pop(variable.name), len(symbols), variable.name)
            held += [True] * len(variable.velocities)
            continue
        own = {symbol.name: given.pop(symbol.name) for symbol in symbols if symbol.name in given}
        if variable.name in given:
            own = {symbols[0].name: given.pop(variable.name)}
        default = (0.0,) if len(symbols) == 1 else AT_REST if what == "v" else UNTURNED
        found += [float(own.get(symbol.name, zero)) for symbol, zero in zip(symbols, default, strict=True)]
        named = [symbol.name in own for symbol in symbols]
        held += named if len(symbols) == len(variable.velocities) else [any(named)] * len(variable.velocities)
    if given:
        known = [variable.name for variable in kernel.model.free]
        raise unknown(next(iter(given)), known, f"coordinate of {kernel.model.name!r} to start in {what}")
    return found, np.array(held, dtype=bool)


def _parts(values: Iterable[float], count: int, name: str) -> list[float]:
    parts = [float(value) for value in values]
    if len(parts) != count:
        raise WrongShape(f"{name!r} needs {count} numbers at the start, found {len(parts)}.", name=name)
    return parts
