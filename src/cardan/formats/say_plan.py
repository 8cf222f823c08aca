"""What was asked of a run as data of a model file, the reverse of ``build_plan``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from cardan.formats.build_plan import NUMERIC, PASSED_ON
from cardan.formats.document import Data, Entry
from cardan.formats.expression_text import said
from cardan.formats.say_pieces import refused
from cardan.geometry.rotations import Rotation, from_matrix
from cardan.model.turned import is_rotation


class Watched(Protocol):
    """An event."""

    expression: Any
    direction: int
    terminal: bool
    name: str


def say_plan(asked: Mapping[str, Any], events: Iterable[Watched] = ()) -> Entry:
    """``start`` and ``simulate`` of a model file, from arguments of simulate; Python functions are refused by name.

    Requested times, and tolerances of single numbers, have no place there and are left out.
    """
    found: Entry = {"start": _filled({"q": _values(asked.get("q")), "v": _values(asked.get("v"))})}
    run: Entry = {"duration": float(asked["duration"])}
    run |= {key: asked[key] for key in PASSED_ON if asked.get(key) is not None}
    run |= {key: float(asked[key]) for key in NUMERIC if asked.get(key) is not None and np.ndim(asked[key]) == 0}
    run |= {} if not asked.get("t0") else {"t0": float(asked["t0"])}
    if asked.get("branch") is not None:
        branch = asked["branch"]
        run["branch"] = int(branch) if isinstance(branch, (int, np.integer)) else _numbers(branch)
    run |= {key: _signals(asked.get(key) or {}, key) for key in ("loads", "inputs") if asked.get(key)}
    watched: list[Data] = [_event(one) for one in events]
    return _filled(found | {"simulate": run | ({"events": watched} if watched else {})})


def _filled(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if value not in (None, [], {})}


def _values(values: Any) -> Data:
    """A start by name, or in order."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        return {str(key): _value(value) for key, value in values.items()}
    return _numbers(values)


def _value(value: Any) -> Data:
    if is_rotation(value):
        rotation = value if isinstance(value, Rotation) else from_matrix(value)
        return {"axis": [float(x) for x in rotation.axis], "angle": rotation.angle}
    return float(value) if np.ndim(value) == 0 else _numbers(value)


def _numbers(values: Any) -> list[Data]:
    return [float(value) for value in np.asarray(values, dtype=float).ravel()]


def _signals(values: Mapping[Any, Any], kind: str) -> Entry:
    return {str(name): _signal(value, f"{kind[:-1]} {str(name)!r}") for name, value in values.items()}


def _signal(value: Any, what: str) -> Data:
    if callable(value) and not hasattr(value, "free_symbols"):
        raise refused(f"The {what}", "it is a Python function; give an expression of t, q and v, or a number")
    return [said(part) for part in value] if isinstance(value, (tuple, list, np.ndarray)) else said(value)


def _event(one: Watched) -> Entry:
    name: Entry = {"name": one.name} if one.name.isprintable() and len(one.name) <= 200 else {}
    return {"when": said(one.expression), "direction": one.direction, "terminal": one.terminal, **name}
