"""What is asked of a run, read once: the start that was given, the signals, and how long."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError
from cardan.model.description import finite
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.objects import resolve
from cardan.trajectory.events import Event, checked_events
from cardan.trajectory.rank.choice import checked_rule
from cardan.trajectory.settings import CHARTS, Settings
from cardan.trajectory.signals import Signals, sort_signals
from cardan.trajectory.start import Given, given_start

TICKS = 1e6  # of the clock that a run lasts at least: steps are many, and their ends are located to a tick


@dataclass(frozen=True)
class Request:
    """The settings of a run, and what they mean for the model as its user described it."""

    settings: Settings
    user: Kernel
    given: Given
    signals: Signals
    events: tuple[Event, ...]
    method: Method
    step: float | None
    t0: float
    end: float

    @property
    def forward(self) -> bool:
        """Whether time runs forward."""
        return float(self.settings.duration) >= 0

    @property
    def times(self) -> NDArray[np.float64] | None:
        """The times at which states are asked for; None for all accepted steps."""
        return None if self.settings.times is None else _numbers(self.settings.times)


def read_request(user: Kernel, settings: Settings) -> Request:
    """The request, refused by name where it is none: a start, a signal, an event or a duration that cannot be."""
    given = given_start(user, settings.q, settings.v)
    signals = sort_signals(user.model, settings.loads, settings.inputs)
    end = _end(finite(settings.t0, "t0"), finite(settings.duration, "Duration"))
    events = tuple(checked_events(settings.events))
    checked_rule(settings.project)
    if settings.chart not in CHARTS:
        raise ModelError(f"chart={settings.chart!r} is unknown. It is 'auto' or 'typed'.", chart=settings.chart)
    method, step = resolve(settings.method, settings.step)
    _refuse_unseen(events, method)
    return Request(settings, user, given, signals, events, method, step, settings.t0, end)


def _refuse_unseen(events: tuple[Event, ...], method: Method) -> None:
    """Events that the method would step over."""
    if events and not method.finds_events:
        names = ", ".join(one.name for one in events)
        raise ModelError(
            f"Method {method.name!r} does not look for events, so that {names} would pass unnoticed. Use method='auto' "
            "or another one, or leave out events= and look for the moment along the run: run.evaluate(expression).",
            method=method.name,
            names=names,
        )


def _numbers(times: ArrayLike) -> NDArray[np.float64]:
    """Times that are asked for, refused where they are none."""
    try:
        return np.asarray(times, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"times: {times!r} are no numbers.") from None


def _end(t0: float, duration: float) -> float:
    """When the run ends; refused where the clock cannot tell its times apart."""
    tick = float(np.spacing(max(abs(t0), abs(t0 + duration))))
    if duration and abs(duration) < TICKS * tick:
        raise ModelError(
            f"At t0 = {t0:g} times are told apart by {tick:.1e} only, and the run lasts {duration:g}. "
            "Count time from another origin: t0=0.",
            t0=t0,
            duration=duration,
        )
    return t0 + duration
