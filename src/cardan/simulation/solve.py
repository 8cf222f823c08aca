"""``integrate``: from a compiled model and a start to a Solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import SimulationError, WrongShape
from cardan.simulation import layout
from cardan.simulation.drive import Drive, Options
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.objects import MethodChoice, resolve
from cardan.simulation.methods.others import SCIPY
from cardan.simulation.methods.table import OFFERED, method_named
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import STATUS, Solution, Statistics
from cardan.simulation.triggers import Triggers

Vector = NDArray[np.float64]
METHODS = OFFERED


class Limits(TypedDict, total=False):
    """Options of ``integrate`` that hold for every part of a motion alike."""

    rtol: float
    atol: ArrayLike
    max_step: float
    max_steps: int
    interior: int
    keep_steps: bool


def integrate(
    model: CompiledModel,
    t0: float,
    t1: float,
    y0: ArrayLike,
    *,
    rtol: float = 1e-9,
    atol: ArrayLike = 1e-12,
    method: MethodChoice = "auto",
    times: ArrayLike | None = None,
    events: Sequence[Watch] | None = None,
    event_kernel: int = 0,
    step: float | None = None,
    max_step: float = np.inf,
    max_steps: int = 10_000_000,
    interior: int = 3,
    keep_steps: bool = True,
) -> Solution:
    """The motion from t0 to t1 that starts at y0 = [q, v].

    The local error of each step is kept below atol + rtol |y| in the root mean square (``method`` DOP853, Radau), or
    ``step`` is used as it is (RK4, symplectic); for adaptive methods ``step`` is the first one. ``times`` asks for
    states at those times. ``event_kernel`` is the address of one kernel that evaluates all events at once.
    ``interior`` points inside each step are checked for events. Without ``keep_steps`` only requested times are kept,
    and ``at`` covers nothing but the last state.

    A motion that cannot be continued is returned up to that time, with status and message; nothing is raised for it.
    """
    y = _state(model, y0)
    asked, step = resolve(method, step)
    wanted = check_times(times, t0, t1)
    options = Options(
        rtol=_positive("rtol", rtol),
        atol=np.ascontiguousarray(np.broadcast_to(np.asarray(atol, dtype=float), y.shape)),
        step=0.0 if step is None else _positive("step", step),
        max_step=_positive("max_step", max_step),
        max_steps=max_steps,
        interior=interior if events else 0,
        keep_steps=keep_steps,
        watch_stiffness=asked.when_stiff != "",
    )
    if not (np.isfinite([t0, t1]).all() and (options.atol > 0).all()):
        raise SimulationError(
            f"t0 = {t0:g} and t1 = {t1:g} must be finite, and atol positive: states may pass through zero.", atol=atol
        )
    if asked is SCIPY:
        from cardan.simulation.check import integrate_with_scipy

        return integrate_with_scipy(model, t0, t1, y, options, wanted if times is not None else None)
    chosen = _applicable(model, asked, step)
    triggers = Triggers(events or (), event_kernel, len(y), len(model.parameters))
    drive = Drive(model, t0, t1, y, triggers, wanted, options)
    drive.start_samples()
    drive.start_events()
    status = drive.go(chosen, watch_stiffness=options.watch_stiffness)
    if status == layout.STIFF:
        chosen = method_named(asked.when_stiff)
        status = drive.go(chosen, watch_stiffness=False)
    return _solution(drive, chosen, status, times is not None)


def _solution(drive: Drive, method: Method, status: int, sampled: bool) -> Solution:
    error = _failure(drive)
    n = drive.n
    if sampled:
        part = drive.samples[: drive.count[layout.NEXT_SAMPLE]]
    else:
        part = np.concatenate([drive.segments[0].rows[:, : n + 1], *(s.rows[1:, : n + 1] for s in drive.segments[1:])])
    t = float(drive.control[layout.T])
    c = drive.count
    statistics = Statistics(
        method.name,
        *(int(c[j]) for j in (layout.ACCEPTED, layout.REJECTED, layout.EVALUATIONS)),
        *(int(c[j]) for j in (layout.JACOBIANS, layout.FACTORISATIONS)),
        *(float(drive.control[j]) for j in (layout.SMALLEST, layout.LARGEST)),
    )
    return Solution(
        t=part[:, 0].copy(),
        y=part[:, 1:].copy(),
        status=STATUS[status],
        message=_message(drive, method, status, t, error),
        statistics=statistics,
        events=tuple(drive.crossings),
        t_final=t,
        y_final=drive.y,
        segments=tuple(drive.segments),
        angles=tuple(drive.model.angles),
        error=error,
    )


def _failure(drive: Drive) -> BaseException | None:
    """The exception of a Python function, if one raised; interruptions are passed on at once."""
    error = drive.triggers.failures.first or drive.model.failure()
    if error is not None and not isinstance(error, Exception):
        raise error
    return error


def _message(drive: Drive, method: Method, status: int, t: float, error: BaseException | None) -> str:
    h = abs(float(drive.control[layout.H]))
    tried = int(drive.count[layout.ACCEPTED] + drive.count[layout.REJECTED])
    texts = {
        layout.FINISHED: f"Reached t = {t:g}." + _switch_note(drive, method),
        layout.TERMINAL: f"Stopped at t = {t:.17g} by event {drive.crossings[-1].name!r}." if drive.crossings else "",
        layout.UNDERFLOW: f"At t = {t:.17g} the accuracy asked for needs steps of {h:.1e}, too short to be made. "
        "The motion may be singular there; otherwise loosen rtol and atol, or try method='Radau'.",
        layout.NON_FINITE: f"At t = {t:.17g} the right-hand side is infinite or undefined however short the step. "
        "Look at the state there: a length may have become zero, or the motion may escape in finite time.",
        layout.PIVOT_FAILED: f"At t = {t:.17g} the mass matrix cannot be inverted: pivot {drive.count[layout.PIVOT]} "
        "vanishes. Diagnose this configuration; other coordinates may describe it regularly.",
        layout.TOO_MANY_STEPS: f"{tried} steps were tried and only t = {t:g} was reached. "
        "Raise max_steps, loosen rtol and atol, or try method='Radau' if the model is stiff.",
        layout.CALLBACK_FAILED: f"A Python function raised {error!r} at about t = {t:g}.",
        layout.NO_CONVERGENCE: f"At t = {t:.17g} the equations of the implicit step of {method.name} were not solved. "
        "Use a shorter step.",
        layout.INTERRUPTED: f"Interrupted at t = {t:g}; what was computed until then is kept.",
    }
    return texts[status]


def _switch_note(drive: Drive, method: Method) -> str:
    """Mention of a change of method on the way."""
    if len(drive.segments) == 1:
        return ""
    return f" From t = {drive.segments[-1].rows[0, 0]:g} on the model was stiff and {method.name} was used."


def _applicable(model: CompiledModel, asked: Method, step: float | None) -> Method:
    """The method that makes the steps; refused where the model, or what was asked for, does not suit it."""
    name, method = asked.name, method_named(asked.stands_for or asked.name)
    if method.loop is None:
        raise SimulationError(
            f"Method {name!r} decides contacts once per step, and there are no stops here. Use method='auto'.",
            method=name,
        )
    if not method.is_adaptive and step is None:
        raise SimulationError(f"Method {name!r} has a fixed step. Give step=...", method=name)
    if method.needs and model.nq != model.nv:
        raise SimulationError(
            f"Method {name!r} needs as many coordinates as velocities, but nq = {model.nq} and nv = {model.nv}. "
            "Use method='DOP853' ('RATTLE' and 'energy-momentum' of s.simulate move quaternions, too), or describe "
            "rotations by angles instead of quaternions.",
            method=name,
        )
    missing = method.loop.missing(model)
    if missing:
        raise SimulationError(
            f"Method {name!r} needs the kernels {', '.join(method.needs)}; this model lacks {', '.join(missing)}. "
            "Use method='DOP853', or compile the model with them.",
            method=name,
        )
    if method.needs and not method.keeps_constraints and model.project_state:
        raise SimulationError(
            f"Method {name!r} is for motions without projection, and this model projects its states. "
            "Use method='RATTLE' or 'energy-momentum' with a fixed step, or method='DOP853'.",
            method=name,
        )
    return method


def _state(model: CompiledModel, y0: ArrayLike) -> Vector:
    y = np.array(y0, dtype=float)
    n = model.nq + model.nv
    if y.shape != (n,):
        raise WrongShape(
            f"The start must hold {model.nq} coordinates and {model.nv} velocities; its shape is {y.shape}."
        )
    if not np.isfinite(y).all():
        raise SimulationError("The start holds numbers that are infinite or nan.", state=y)
    return y


def check_times(times: ArrayLike | None, t0: float, t1: float) -> Vector:
    """Requested times, ordered and inside the run."""
    if times is None:
        return np.zeros(0)
    wanted = np.atleast_1d(np.asarray(times, dtype=float))
    direction = 1.0 if t1 >= t0 else -1.0
    inside = ((wanted - t0) * direction >= 0) & ((t1 - wanted) * direction >= 0)
    if wanted.ndim != 1 or not inside.all() or (np.diff(wanted) * direction < 0).any():
        raise SimulationError(f"times must be ordered and lie between t0 = {t0:g} and t1 = {t1:g}.", times=wanted)
    return wanted


def _positive(name: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise SimulationError(f"{name} must be a positive number, not {value!r}.") from None
    if not number > 0:
        raise SimulationError(f"{name} must be positive, not {number:g}.")
    return number
