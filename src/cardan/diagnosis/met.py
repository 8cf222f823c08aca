"""What a motion met: its singular moments and events, and what was tried against the first of them."""

from __future__ import annotations

from cardan.diagnosis.along import JudgedTrajectory
from cardan.native.deadline import OutOfTime

MOST_FINDINGS = 60
MOST_REMEDIED = 4  # findings whose remedies are tried; each trial derives and compiles a changed system
LARGEST_REMEDIED = 8  # velocities of a system whose remedies are tried
LATE = "Remedies were not tried in time; finding.remedies() tries them."
NOT_TRIED = "Remedies were not tried for this page; finding.remedies() tries them."


def moments_of(run: JudgedTrajectory) -> list[float]:
    """Times of findings and events, which get frames of their own."""
    events = {float(one.t) for one in run.events}
    return sorted(events | {float(one.t) for one in run.findings if one.t is not None})


def tried_remedies(run: JudgedTrajectory) -> dict[int, list[str]]:
    """Remedies by index of the finding; equal findings are tried once, and what was left out is said."""
    found: dict[int, list[str]] = {}
    known: dict[tuple[str, tuple[str, ...], bool], int] = {}
    for k, one in enumerate(run.findings[:MOST_FINDINGS]):
        key = (one.kind, one.where, one.is_near)
        if key in known:
            found[k] = found[known[key]]
        elif len(run.kernel.model.v) > LARGEST_REMEDIED or len(known) >= MOST_REMEDIED:
            found[k] = [NOT_TRIED]
        else:
            try:
                found[k] = [str(remedy) for remedy in one.remedies()]
            except OutOfTime:
                found[k] = [LATE]
            known[key] = k
    return found
