"""The audit of a run: every check that applies to it, made when its lines are first read."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cardan.audit import constraints, contact, energy, steps
from cardan.audit.audit import Audit, Line
from cardan.audit.branch import Approach, branch_line, nearest_approach
from cardan.trajectory.power import balance

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

FIRST = (
    steps.status_line,
    energy.energy_line,
    energy.jacobi_line,
    energy.power_line,
    steps.resolution_line,
    steps.tolerance_line,
    constraints.start_line,
    constraints.constraint_line,
    constraints.quaternion_line,
)
LAST = (
    constraints.snap_line,
    constraints.reaction_line,
    steps.chart_line,
    steps.angle_line,
    contact.penetration_line,
    contact.missed_line,
    contact.impact_line,
    contact.share_line,
    contact.friction_line,
    steps.event_line,
)


def audit_of(run: Trajectory) -> Audit:
    """The numbers of a run at once, its lines on demand."""
    s = run.solution.statistics
    approach = lru_cache(maxsize=1)(lambda: nearest_approach(run))
    quaternions = [np.linalg.norm(run.solution.y[:, k : k + 4], axis=1) - 1 for k in run.kernel.quaternions]
    return Audit(
        status=run.status,
        message=run.message,
        energy_drift=energy.drift(run, run.energy),
        jacobi_drift=energy.drift(run, run.jacobi),
        quaternion_error=max((float(np.max(np.abs(one))) for one in quaternions), default=0.0),
        constraint_error=float(np.max(run.constraint_error[:, 0], initial=0.0)),
        velocity_constraint_error=float(np.max(run.constraint_error[:, 1], initial=0.0)),
        penetration=run.contacts.penetration,
        rank_changes=len([one for one in run.records if one.kind == "rank-change"]),
        accepted=s.accepted,
        rejected=s.rejected,
        evaluations=s.evaluations,
        smallest_step=s.smallest_step,
        largest_step=s.largest_step,
        method=s.method,
        _lines=lambda: _lines(run, approach()),
        _balance=lambda: balance(run),
        _nearest=lambda: approach().nearest,
    )


def _lines(run: Trajectory, approach: Approach) -> tuple[Line, ...]:
    if len(run) == 0:
        return ()
    found = [check(run) for check in FIRST]
    found += [branch_line(run, approach), *(check(run) for check in LAST)]
    return tuple(line for line in found if line is not None)
