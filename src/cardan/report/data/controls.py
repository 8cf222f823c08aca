"""What can be changed on the page: parameters, the start, loads and inputs, each with a sensible range."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import sympy as sp

from cardan.model.signals import signal_values
from cardan.model.stops import Stop
from cardan.model.variables import CoordinateVariable
from cardan.report.data.entries import Slider
from cardan.trajectory.trajectory import Trajectory

STEPS = 400  # of a slider, about
HALVINGS = 30  # of a range, to find where a stop ends it
SPEED = 5.0  # rad/s or m/s: how far the sliders of speeds reach at least


def controls(run: Trajectory) -> list[Slider]:
    """The sliders of a run. Signals given as functions, and orientations given as quaternions, stay as they are."""
    return [*_parameters(run), *_start(run), *_signals(run)]


def _parameters(run: Trajectory) -> Iterator[Slider]:
    rebounds = {one.restitution for one in run.user.model.stops}
    for symbol, value in run.user.values.items():
        reach = (-1.0, 1.0) if value == 0 else sorted((0.2 * value, 2.5 * value))
        if symbol in rebounds:
            reach = (0.0, 1.0)
        yield _slider("parameters", symbol, "", float(value), *reach)


def _start(run: Trajectory) -> Iterator[Slider]:
    """Positions and speeds at the start; ``of`` says which of both."""
    state = dict(zip(map(str, (*run.model.q, *run.model.v)), [*run.q[0], *run.v[0]], strict=True))
    for variable in run.model.free:
        if isinstance(variable, CoordinateVariable):
            value = float(state[variable.name])
            unit = "rad" if variable.domain.is_angle else ""
            reach = _between_stops(run, variable, value, *_reach(variable, value))
            yield _slider("start", variable.symbol, unit, value, *reach, of="q")
    for variable in run.model.free:
        for speed in variable.velocities:
            value = float(state[str(speed)])
            turns = not isinstance(variable, CoordinateVariable) or variable.domain.is_angle
            most = max(SPEED, 2 * abs(value))
            yield _slider("start", speed, "rad/s" if turns else "", value, -most, most, of="v")


def _reach(variable: CoordinateVariable, value: float) -> tuple[float, float]:
    """Where a coordinate may start: within its chart, a turn of an angle, else about twice its value."""
    chart = variable.domain
    if chart.is_angle:
        middle = 0.0 if abs(value) <= math.pi else value
        return middle - math.pi, middle + math.pi
    most = max(2 * abs(value), variable.scale or 1.0)
    inside = 1e-3 * (chart.upper - chart.lower) if chart.kind == "interval" else 0.05 * most
    return max(-most, chart.lower + inside), min(most, chart.upper - inside)


def _between_stops(
    run: Trajectory, variable: CoordinateVariable, value: float, low: float, high: float
) -> tuple[float, float]:
    """The part of a range, around the value, that the stops on this coordinate alone leave free."""
    model, symbol = run.user.model, variable.symbol
    known = {**run.user.values, model.time: float(run.t[0])}
    for stop in model.stops:
        if isinstance(stop, Stop) and sp.sympify(stop.gap).free_symbols - set(known) == {symbol}:
            is_free = partial(_is_open, sp.sympify(stop.gap).subs(known), symbol)
            low, high = _last_free(is_free, value, low), _last_free(is_free, value, high)
    return low, high


def _is_open(gap: sp.Expr, symbol: sp.Symbol, x: float) -> bool:
    """Whether a stop leaves this value of its coordinate free."""
    return float(gap.subs(symbol, x)) >= 0


def _last_free(is_free: Callable[[float], bool], inside: float, outside: float) -> float:
    """How far one may go towards ``outside``."""
    if is_free(outside):
        return outside
    for _ in range(HALVINGS):
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if is_free(middle) else (inside, middle)
    return inside


def _signals(run: Trajectory) -> Iterator[Slider]:
    given = signal_values(run.user.model, run.settings.loads, run.settings.inputs)
    size = float(np.max(np.abs(run.kinetic_energy), initial=0.0)) or 1.0  # J, or N over a metre, or N m over a radian
    for symbol in run.user.model.driving:
        value = given.get(symbol, 0.0)
        if callable(value) or getattr(value, "free_symbols", None):
            continue
        number = float(value)
        group = "inputs" if symbol in run.user.model.inputs else "loads"
        most = 2 * abs(number) if number else size
        yield _slider(group, symbol, "", number, -most, most)


def _slider(
    group: str, symbol: sp.Symbol, unit: str, value: float, lowest: float, highest: float, of: str | None = None
) -> Slider:
    """A slider whose steps are round and meet the value."""
    step = _round_number(max(highest - lowest, 1e-9) / STEPS)
    found: Slider = {
        "group": group,
        "name": str(symbol),
        "latex": sp.latex(symbol),
        "unit": unit,
        "value": value,
        "minimum": value - step * math.floor((value - lowest) / step),
        "maximum": value + step * math.floor((highest - value) / step),
        "step": step,
    }
    return found if of is None else {**found, "of": of}


def _round_number(size: float) -> float:
    """1, 2 or 5 times a power of ten, not above ``size``."""
    power = 10.0 ** math.floor(math.log10(size))
    return float(max(one * power for one in (1, 2, 5) if one * power <= size * (1 + 1e-9)))
