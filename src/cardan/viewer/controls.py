"""What can be changed on the page: parameters, the start, loads and inputs, each with a sensible range."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cardan.equations.equations import signal_values
from cardan.model.variables import CoordinateVariable

STEPS = 400  # of a slider, about
SPEED = 5.0  # rad/s or m/s: how far the sliders of speeds reach at least


def controls(run: Any) -> list[dict[str, Any]]:
    """The sliders of a run. Signals given as functions, and orientations given as quaternions, stay as they are."""
    return [*_parameters(run), *_start(run), *_signals(run)]


def _parameters(run: Any) -> Iterator[dict[str, Any]]:
    rebounds = {one.restitution for one in run.system.model.stops}
    for symbol, value in run.system.description.values.items():
        reach = (-1.0, 1.0) if value == 0 else sorted((0.2 * value, 2.5 * value))
        if symbol in rebounds:
            reach = (0.0, 1.0)
        yield _slider("parameters", symbol, "", float(value), *reach)


def _start(run: Any) -> Iterator[dict[str, Any]]:
    """Positions and speeds at the start; ``of`` says which of both."""
    state = dict(zip(map(str, (*run.model.q, *run.model.v)), [*run.q[0], *run.v[0]], strict=True))
    for variable in run.model.free:
        if isinstance(variable, CoordinateVariable):
            value = float(state[variable.name])
            unit = "rad" if variable.domain.is_angle else ""
            yield _slider("start", variable.symbol, unit, value, *_reach(variable, value)) | {"of": "q"}
    for variable in run.model.free:
        for speed in variable.velocities:
            value = float(state[str(speed)])
            turns = not isinstance(variable, CoordinateVariable) or variable.domain.is_angle
            most = max(SPEED, 2 * abs(value))
            yield _slider("start", speed, "rad/s" if turns else "", value, -most, most) | {"of": "v"}


def _reach(variable: CoordinateVariable, value: float) -> tuple[float, float]:
    """Where a coordinate may start: within its chart, a turn of an angle, else about twice its value."""
    chart = variable.domain
    if chart.is_angle:
        middle = 0.0 if abs(value) <= math.pi else value
        return middle - math.pi, middle + math.pi
    most = max(2 * abs(value), variable.scale or 1.0)
    inside = 1e-3 * (chart.upper - chart.lower) if chart.kind == "interval" else 0.05 * most
    return max(-most, chart.lower + inside), min(most, chart.upper - inside)


def _signals(run: Any) -> Iterator[dict[str, Any]]:
    given = signal_values(run.system.model, run.asked.get("loads"), run.asked.get("inputs"))
    size = float(np.max(np.abs(run.kinetic_energy), initial=0.0)) or 1.0  # J, or N over a metre, or N m over a radian
    for symbol in run.system.model.driving:
        value = given.get(symbol, 0.0)
        if callable(value) or getattr(value, "free_symbols", None):
            continue
        number = float(value)
        group = "inputs" if symbol in run.system.model.inputs else "loads"
        most = 2 * abs(number) if number else size
        yield _slider(group, symbol, "", number, -most, most)


def _slider(group: str, symbol: Any, unit: str, value: float, lowest: float, highest: float) -> dict[str, Any]:
    """A slider whose steps are round and meet the value."""
    import sympy as sp

    step = _round_number((highest - lowest) / STEPS)
    return {
        "group": group,
        "name": str(symbol),
        "latex": sp.latex(symbol),
        "unit": unit,
        "value": value,
        "minimum": value - step * math.floor((value - lowest) / step),
        "maximum": value + step * math.floor((highest - value) / step),
        "step": step,
    }


def _round_number(size: float) -> float:
    """1, 2 or 5 times a power of ten, not above ``size``."""
    power = 10.0 ** math.floor(math.log10(size))
    return float(max(one * power for one in (1, 2, 5) if one * power <= size * (1 + 1e-9)))
