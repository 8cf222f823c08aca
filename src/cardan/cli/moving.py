"""``cardan simulate``: a motion with its progress, saved even where it was interrupted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardan.api.run import Run
from cardan.api.system import System
from cardan.cli.models import assignments, load_model, started
from cardan.cli.progress import watched
from cardan.cli.reporting import INTERRUPTED, Answer, WrongUsage
from cardan.studies.exporting import WRITERS, export

MOST_IMPULSES = 3  # events whose impulses are printed; --json has all
KEPT = ".zarr"  # a folder from which the run can be loaded again
FORMATS = (KEPT, *WRITERS)


@dataclass(frozen=True)
class Wanted:
    """What was typed."""

    q: list[str]
    v: list[str]
    values: list[str]
    loads: list[str]
    inputs: list[str]
    duration: float | None
    points: int | None
    settings: Mapping[str, float | str | None]
    output: Path | None


def simulate_model(answer: Answer, name: str, wanted: Wanted) -> None:
    """Simulate as the model plans and the command line changes it; print the audit and what happened."""
    if wanted.output is not None and wanted.output.suffix.lower() not in FORMATS:
        raise WrongUsage(f"--output should end with one of {', '.join(FORMATS)}, found {wanted.output}.")
    system = load_model(name, wanted.values)
    arguments = arguments_of(system, wanted)
    with watched(arguments.get("t0", 0.0), arguments["duration"], quiet=answer.as_json) as progress:
        run = progress.run(lambda: system.simulate(**arguments, throw=False))
    saved = None if wanted.output is None else save(run, wanted.output)
    if saved is not None:
        answer.wrote(saved)
    report(answer, run, saved)
    if run.status == "interrupted":
        answer.find(INTERRUPTED)
    elif not run.solution.is_complete:
        answer.find()


def arguments_of(system: System, wanted: Wanted) -> dict[str, Any]:
    """Arguments of simulate: the model's plan, then what was typed."""
    found = {**system.plan, **started(system, wanted.q, wanted.v)}
    found |= {key: value for key, value in wanted.settings.items() if value is not None}
    for key, texts in (("loads", wanted.loads), ("inputs", wanted.inputs)):
        if texts:
            found[key] = {**found.get(key, {}), **assignments(texts, f"--{key[:-1]}")}
    if wanted.duration is not None:
        found["duration"] = wanted.duration
    if "duration" not in found:
        raise WrongUsage("How long? Give --duration, or `simulate: {duration: ...}` in the model file.")
    points = wanted.points or (len(found["times"]) if "times" in found else None)
    if points is not None:
        t0 = found.get("t0", 0.0)
        found["times"] = np.linspace(t0, t0 + found["duration"], points)
    return found


def report(answer: Answer, run: Run, saved: Path | None) -> None:
    audit = run.audit()
    events: list[dict[str, Any]] = [
        {"kind": one.kind, "name": one.name, "t": one.t, "what": one.what} for one in run.events
    ]
    for told, event in zip(events, run.events, strict=True):
        if "impulses" in event.facts:
            told["impulses"] = event.facts["impulses"].as_data()
    names = [str(symbol) for symbol in (*run.model.q, *run.model.v)]
    last = dict(zip(names, [*run.q[-1], *run.v[-1]], strict=True)) if len(run) else {}
    answer.tell(
        status=run.status,
        message=run.message,
        t=[run.t[0], run.t[-1]] if len(run) else [],
        times=len(run),
        final=last,
        energy_drift=audit.energy_drift,
        constraint_error=audit.constraint_error,
        steps={"accepted": audit.accepted, "rejected": audit.rejected, "evaluations": audit.evaluations},
        method=audit.method,
        events=events,
        output=None if saved is None else str(saved),
    )
    answer.say(audit)
    if events:
        answer.say(f"\n{len(events)} events:")
    for one in events[:20]:
        answer.say(f"  t = {one['t']:<12.6g} {one['kind']:14} {one['name']}  {one['what']}".rstrip())
    if len(events) > 20:
        answer.say(f"  and {len(events) - 20} more (all of them with --json)")
    for jumped in run.impulses[:MOST_IMPULSES]:
        answer.say(f"\nImpulses, {jumped}")
    if saved is not None:
        answer.say(f"\nWrote {saved}")


def save(run: Run, path: Path) -> Path:
    """Write the run: as a folder from which it can be loaded, or as a table in the format of the ending."""
    return run.save(path) if path.suffix.lower() == KEPT else export(run, path)
