"""The moving part of a page: poses, arrows, histories, findings, events and audit at common times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardan.audit.audit import Audit
from cardan.report.data.arrays import packed, unpacked
from cardan.report.data.entries import Arrow, EventEntry, FindingEntry, MotionPage, PoseEntry, Row, Series
from cardan.report.data.happenings import event_entries, finding_entries
from cardan.report.data.measured import Measured, Shown
from cardan.report.data.series import drift_series, energy_series, indicator_series, multiplier_series, state_series
from cardan.report.data.words import audit_rows, moving, outcome
from cardan.report.scene.arrows import load_arrows, lost_arrows, reaction_arrows
from cardan.report.scene.cast import Pose


def dragged_motion(shown: Shown) -> MotionPage:
    """The motion while a slider moves: poses, loads, coordinates and energy, and nothing that takes long."""
    return _motion(shown, findings=[], events=[], audit=[], verdict=outcome(shown.run))


def full_motion(shown: Shown, measured: Measured, audit: Audit, remedies: Mapping[int, list[str]]) -> MotionPage:
    """The motion with everything that was found out about it; remedies by index of the finding."""
    run, here = shown.run, shown.here
    indicators = indicator_series(measured.indicators)
    values = {one["name"]: unpacked(one["values"]) for one in indicators}  # as the page shows them
    arrows = reaction_arrows(measured.reactions, measured.energies[:, 0])
    arrows += lost_arrows(here, shown.columns, run.findings, values)
    series = [*drift_series(measured, run.events), *multiplier_series(measured.multipliers), *indicators]
    findings = finding_entries(here, run.findings, values, remedies)
    told = moving(run, run.findings, audit)
    return _motion(shown, findings, event_entries(run), audit_rows(audit), told, arrows=arrows, series=series)


def _motion(
    shown: Shown,
    findings: list[FindingEntry],
    events: list[EventEntry],
    audit: list[Row],
    verdict: list[Row],
    arrows: Sequence[Arrow] = (),
    series: Sequence[Series] = (),
) -> MotionPage:
    run, here, columns = shown.run, shown.here, shown.columns
    return {
        "times": packed(here.t, "f64"),
        "status": run.status,
        "message": run.message,
        "poses": [_packed(one) for one in shown.poses],
        "arrows": [*load_arrows(columns, here), *arrows],
        "series": [*state_series(here), *energy_series(columns["energies"]), *series],
        "findings": findings,
        "events": events,
        "audit": audit,
        "verdict": verdict,
    }


def _packed(pose: Pose) -> PoseEntry:
    found: PoseEntry = {"position": packed(pose.position), "quaternion": packed(pose.quaternion)}
    return found if pose.stretch is None else {**found, "stretch": packed(pose.stretch)}
