"""What a file says about a run, in numbers and expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardan.errors import suggestion
from cardan.formats.document import Location
from cardan.formats.expressions import NEAR
from cardan.formats.pieces import Pieces, given
from cardan.formats.plan import Nested, Numbers, Plan, Watched
from cardan.formats.schema import ModelFile
from cardan.formats.schema_parts import Written
from cardan.formats.schema_run import Event, Simulate, Turnable, Turned, Values
from cardan.geometry.rotations import Rotation, about
from cardan.model.joint_limits import Limits
from cardan.model.turned import as_numbers, orientation_of

PASSED_ON = ("method", "max_steps", "project", "chart", "impact_law")  # to ``simulate``, as they are
NUMERIC = ("rtol", "atol", "step", "max_step", "start_tol", "geometry_tol")


def plan_of(pieces: Pieces, model: ModelFile) -> Plan:
    """Start and settings of the run."""
    variables = pieces.system.description.variables
    coordinates = {one.name for one in variables}
    rates = coordinates | {str(symbol) for one in variables for symbol in one.velocities}
    rates |= {str(speed) for speed in pieces.system.description.speeds}
    turnable = {body.name for body in pieces.system.description.bodies if orientation_of(body) is not None}
    q = _start(pieces, model.start.q, ("start", "q"), coordinates | turnable)
    v = _start(pieces, model.start.v, ("start", "v"), rates)
    limits = _limits(pieces, model, coordinates | set(model.inputs))
    one = model.simulate
    if one is None:
        return Plan(q, v, limits=limits)
    room: Location = ("simulate",)
    return Plan(
        q,
        v,
        duration=pieces.number(one.duration, (*room, "duration")),
        t0=None if one.t0 is None else pieces.number(one.t0, (*room, "t0")),
        points=one.points,
        options=_options(pieces, one, room),
        loads=_signals(pieces, one.loads, (*room, "loads")),
        inputs=_signals(pieces, one.inputs, (*room, "inputs")),
        events=tuple(_event(pieces, event, (*room, "events", k)) for k, event in enumerate(one.events)),
        limits=limits,
    )


def _limits(pieces: Pieces, model: ModelFile, known: set[str]) -> dict[str, Limits]:
    """What motors can do, by coordinate or input; what is not given is infinite."""
    _require_known(pieces, model.limits, ("limits",), known)
    keys = ("lower", "upper", "effort", "velocity")
    return {
        name: Limits(**{key: pieces.number(value, ("limits", name, key)) for key, value in given(one, *keys).items()})
        for name, one in model.limits.items()
    }


def _start(pieces: Pieces, values: Values | Turnable | None, where: Location, known: set[str]) -> Numbers:
    if values is None:
        return None
    if isinstance(values, list):
        return _in_order(pieces, values, where)
    _require_known(pieces, values, where, known)
    found = {name: _one(pieces, value, (*where, name)) for name, value in values.items()}
    with pieces.at(*where):
        numbers = as_numbers(pieces.system.description.freeze(), found) if _any_turned(values) else found
    return {name: list(one) if isinstance(one, tuple) else one for name, one in numbers.items()}  # type: ignore[misc]  # no rotation is left


def _any_turned(values: Values | Turnable) -> bool:
    return any(isinstance(value, Turned) for value in values.values()) if isinstance(values, dict) else False


def _one(pieces: Pieces, value: object, where: Location) -> float | list[float] | Rotation:
    if isinstance(value, Turned):
        with pieces.at(*where):
            return about(pieces.axis(value.axis, (*where, "axis")), pieces.number(value.angle, (*where, "angle")))
    return _in_order(pieces, value, where) if isinstance(value, list) else pieces.number(value, where)


def _in_order(pieces: Pieces, values: list[Written], where: Location) -> list[float]:
    return [pieces.number(value, (*where, k)) for k, value in enumerate(values)]


def _options(pieces: Pieces, one: Simulate, room: Location) -> dict[str, object]:
    options = given(one, *PASSED_ON)
    options |= {key: pieces.number(value, (*room, key)) for key, value in given(one, *NUMERIC).items()}
    if isinstance(one.branch, int):
        options["branch"] = one.branch
    elif one.branch is not None:
        options["branch"] = _in_order(pieces, one.branch, (*room, "branch"))
    return options


def _signals(pieces: Pieces, values: Mapping[str, object], where: Location) -> dict[str, Nested]:
    description = pieces.system.description
    known = {load.name for load in description.loads} | {str(symbol) for symbol in description.inputs}
    known |= {str(symbol) for load in description.loads for symbol in load.symbols}
    _require_known(pieces, values, where, known)
    return {name: pieces.nested(value, (*where, name)) for name, value in values.items()}


def _require_known(pieces: Pieces, names: Iterable[str], where: Location, known: set[str]) -> None:
    for name in names:
        if name not in known:
            near = suggestion(name, known, NEAR)
            raise pieces.document.error(
                f"{name!r} is unknown here;{near} known are: {', '.join(sorted(known)) or 'none'}.", (*where, name)
            )


def _event(pieces: Pieces, one: Event, where: Location) -> Watched:
    expression = pieces.scalar(one.when, (*where, "when"))
    return Watched(expression, one.direction, one.terminal, one.name or str(one.when))
