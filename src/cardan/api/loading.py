"""Systems from files; ``cardan.load`` knows entries of the gallery beside them (``gallery/opening.py``)."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from cardan.api.run import Run
from cardan.api.system import System
from cardan.formats.build import build
from cardan.formats.document import LeftOut
from cardan.formats.file_kinds import RobotOptions, read_data
from cardan.formats.model_reader import check_model
from cardan.formats.plan import Plan
from cardan.native.growing import growing
from cardan.pipeline import restore
from cardan.trajectory.events import Event
from cardan.trajectory.settings import Settings

PLANNED = ("start", "simulate", "analysis")  # what a file says beside its system


def load(
    path: str | Path,
    *,
    floating: bool = False,
    restitution: float | None = 0.0,
    inertia: str = "refuse",
    root: str | Path | None = None,
    loops: str | Path | None = None,
    repair: bool = False,
    leave_out: bool = False,
    actuators: bool = True,
    contacts: float | None = None,
) -> System:
    """The system that a model file (YAML) or a robot file (URDF, MJCF, SDF) describes, like any other.

    Its ``plan`` holds the file's arguments of ``simulate``, its ``analysis`` what ``analyse`` is to answer. Of a robot,
    ``floating`` frees the root link, and joint limits become stops with this ``restitution`` (None: they are left out);
    an ``inertia`` that no body has is refused ("refuse"), replaced by the nearest possible one ("repair") or kept
    ("as-is"); files that it names may lie below its folder, or below ``root``. ``loops`` is a YAML file that says which
    links of a URDF robot meet; ``repair`` reads faults of a file as other programs do, inertias included; ``leave_out``
    leaves out what has no counterpart here instead of refusing it; ``actuators`` of MJCF are inputs; ``contacts`` is
    the friction with which simple collision shapes meet the ground. What has no place here is told by a warning and
    listed in ``notes``; ``limits`` says what motors can do. A file that cannot be accepted raises FileError, which says
    where: file, line and field.
    """
    options = RobotOptions(floating, restitution, inertia, root, loops, repair, leave_out, actuators, contacts)
    with growing():
        data = read_data(path, options)
        model, document = check_model(data)
        system = System(model.name)
        plan = build(model, document, system)
    system.plan, system.notes, system.analysis = arguments(plan), list(data.notes), list(plan.analysis)
    system.renamed, system.limits = dict(data.renamed), dict(plan.limits)
    system.came_from({key: value for key, value in document.entries.items() if key not in PLANNED})
    left = [note for note in system.notes if note.startswith("left out")]
    if left:
        more = f" (and {len(left) - 1} more)" if len(left) > 1 else ""
        warnings.warn(f"{path}: {left[0]}{more}. All of it is in system.notes.", LeftOut, stacklevel=3)
    return system


def arguments(plan: Plan) -> dict[str, Any]:
    """Keyword arguments of ``simulate`` for what a file says about a run."""
    found: dict[str, Any] = dict(plan.options)
    found |= {key: value for key in ("q", "v", "duration", "t0") if (value := getattr(plan, key)) is not None}
    found |= {key: dict(value) for key in ("loads", "inputs") if (value := getattr(plan, key))}
    if plan.points is not None and plan.duration is not None:
        t0 = plan.t0 or 0.0
        found["times"] = np.linspace(t0, t0 + plan.duration, plan.points)
    if plan.events:
        found["events"] = [Event(one.expression, one.direction, one.terminal, one.name) for one in plan.events]
    return found


def load_run(path: str | Path) -> Run:
    """The run that ``run.save`` wrote: the same states, dense output, events and findings, with its system.

    Every file is compared with its hash first; StoreError names what is damaged.
    """
    from cardan.studies.kept_runs import opened

    stored = opened(Path(path))
    system = load(stored.model)
    settings = Settings(**(system.plan | stored.asked))
    return Run.shown(system, restore(system.kernels, settings, stored.kept))
