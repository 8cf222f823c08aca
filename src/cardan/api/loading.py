"""Systems from files: ``cardan.load``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cardan.api.system import Event, System
from cardan.errors import FileError
from cardan.formats.build import build
from cardan.formats.plan import Plan
from cardan.formats.schema import read_model

YAML = (".yaml", ".yml")


def load(path: str | Path) -> System:
    """The system that a model file describes, like any other; its ``plan`` holds the file's arguments of ``simulate``.

    A file that cannot be accepted raises FileError, which says where: file, line and field.
    """
    if Path(path).suffix.lower() not in YAML:
        raise FileError(
            f"{path} is no model file that can be loaded; its name should end with {' or '.join(YAML)}.",
            file=str(path),
            line=0,
            field="",
        )
    model, document = read_model(path)
    system = System(model.name)
    plan = build(model, document, system)
    system.plan = arguments(plan)
    return system


def arguments(plan: Plan) -> dict[str, Any]:
    """Keyword arguments of ``simulate`` for what a file says about a run."""
    found: dict[str, Any] = dict(plan.options)
    found |= {key: value for key in ("q", "v", "duration") if (value := getattr(plan, key)) is not None}
    found |= {key: dict(value) for key in ("loads", "inputs") if (value := getattr(plan, key))}
    if plan.points is not None and plan.duration is not None:
        t0 = plan.options.get("t0", 0.0)
        found["times"] = np.linspace(t0, t0 + plan.duration, plan.points)
    if plan.events:
        found["events"] = [Event(one.expression, one.direction, one.terminal, one.name) for one in plan.events]
    return found
