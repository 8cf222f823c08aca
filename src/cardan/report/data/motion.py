"""The moving part of a page: poses, arrows, histories, findings, events and audit at common times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.along import JudgedTrajectory
from cardan.report.data.arrays import packed, unpacked
from cardan.report.data.entries import Arrow, EventEntry, FindingEntry, MotionPage, Row, Series
from cardan.report.data.facts import Facts
from cardan.report.data.happenings import event_entries, finding_entries, tried_remedies
from cardan.report.data.sampling import Columns, Table, frame_times
from cardan.report.data.series import drift_series, energy_series, indicator_series, multiplier_series, state_series
from cardan.report.data.words import audit_rows
from cardan.report.scene.arrows import load_arrows, lost_arrows, reaction_arrows, want_loads
from cardan.report.scene.cast import Actor, Pose, cast, poses, want_poses

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Shown:
    """A run at the times of its page, with what is evaluated along it in one pass."""

    run: JudgedTrajectory
    here: JudgedTrajectory
    actors: Sequence[Actor]

    @cached_property
    def columns(self) -> Columns:
        table = Table()
        want_poses(table, self.here, self.actors)
        want_loads(table, self.here)
        table.want("energies", list(self.here.kernel.dynamics.energies))
        return table.along(self.here)

    @cached_property
    def poses(self) -> list[Pose]:
        return poses(self.columns, self.actors)


def shown_run(run: JudgedTrajectory, frames: int | None = None, moments: Sequence[float] = ()) -> Shown:
    """The run at the times of a page."""
    return Shown(run, run.at(frame_times(run, frames, moments)), cast(run))


def dragged_motion(shown: Shown) -> MotionPage:
    """The motion while a slider moves: poses, loads, coordinates and energy, and nothing that takes long."""
    return _motion(shown, findings=[], events=[], audit=[])


def full_motion(shown: Shown, facts: Facts, remedies: bool, go_on: Callable[[], None] = lambda: None) -> MotionPage:
    """The motion with everything that can be said about it. ``go_on`` is called between its parts and may raise."""
    run, here = shown.run, shown.here
    indicators = indicator_series(here)
    values = {one["name"]: unpacked(one["values"]) for one in indicators}
    go_on()
    forces = reaction_arrows(here)
    go_on()
    lost = lost_arrows(here, shown.columns, run.findings, values)
    series = [*drift_series(here, shown.columns["energies"]), *multiplier_series(here), *indicators]
    go_on()
    findings = finding_entries(here, run.findings, values, tried_remedies(run) if remedies else {})
    go_on()
    arrows = [*forces, *lost]
    return _motion(shown, findings, event_entries(run), audit_rows(facts.audit), arrows=arrows, series=series)


def _motion(
    shown: Shown,
    findings: list[FindingEntry],
    events: list[EventEntry],
    audit: list[Row],
    arrows: Sequence[Arrow] = (),
    series: Sequence[Series] = (),
) -> MotionPage:
    run, here, columns = shown.run, shown.here, shown.columns
    return {
        "times": packed(here.t, "f64"),
        "status": run.status,
        "message": run.message,
        "poses": [{"position": packed(one.position), "quaternion": packed(one.quaternion)} for one in shown.poses],
        "arrows": [*load_arrows(columns, here), *arrows],
        "series": [*state_series(here), *energy_series(columns["energies"]), *series],
        "findings": findings,
        "events": events,
        "audit": audit,
    }


def moments_of(run: JudgedTrajectory) -> list[float]:
    """Times of findings and events, which get frames of their own."""
    found = [float(one.t) for one in run.findings if one.t is not None]
    return sorted({*found, *(float(one.t) for one in run.events)})
