"""The table of the audit: every line by name, in the order in which they are read, and the audit made of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cardan.audit import (
    belief,
    branch,
    constraints,
    contact,
    coordinates,
    energy,
    events,
    momenta,
    steps,
    typed,
    unseen,
)
from cardan.audit.audit import LOOK, Audit, Line
from cardan.audit.balance import balance
from cardan.native.deadline import OutOfTime, check, within
from cardan.trajectory.trajectory import Trajectory

Check = Callable[[Trajectory], Line | None]  # None: nothing of the kind was there to be checked

LINES: dict[str, Check] = {
    "status": steps.status_line,
    "energy": energy.energy_line,
    "Jacobi integral": energy.jacobi_line,
    "momenta": momenta.momenta_line,
    "power balance": energy.power_line,
    "resolution": steps.resolution_line,
    "between steps": unseen.unseen_line,
    "digits": belief.belief_line,
    "tolerance": steps.tolerance_line,
    "start": constraints.start_line,
    "constraints": constraints.constraint_line,
    "quaternions": constraints.quaternion_line,
    "branch": branch.branch_line,
    "snapped geometry": constraints.snap_line,
    "reactions": constraints.reaction_line,
    "typed forces": typed.typed_line,
    "coordinates": coordinates.chart_line,
    "angles": coordinates.angle_line,
    "ranges": coordinates.range_line,
    "penetration": contact.penetration_line,
    "missed stops": contact.missed_line,
    "impacts": contact.impact_line,
    "contact forces": contact.share_line,
    "friction": contact.friction_line,
    "events": events.event_line,
}


QUICK = frozenset({"status", "energy", "Jacobi integral", "tolerance", "start", "constraints", "quaternions"})
"""The lines that read nothing but the states and energies of the steps."""


def audit_of(run: Trajectory, *, quick: bool = False, budget: float = np.inf) -> Audit:
    """The numbers of a run at once, its lines on demand: all, or those that are quick, within so many seconds."""
    s, energies, errors, depth = run.solution.statistics, run.energy, run.constraint_error, run.contacts.penetration
    quaternions = [np.linalg.norm(run.solution.y[:, k : k + 4], axis=1) - 1 for k in run.kernel.quaternions]
    return Audit(
        status=run.status,
        message=run.message,
        energy_drift=energy.drift(run, energies),
        jacobi_drift=energy.drift(run, run.jacobi),
        quaternion_error=max((float(np.max(np.abs(one))) for one in quaternions), default=0.0),
        constraint_error=float(np.max(errors[:, 0], initial=0.0)),
        velocity_constraint_error=float(np.max(errors[:, 1], initial=0.0)),
        penetration=depth,
        rank_changes=len([one for one in run.records if one.kind == "rank-change"]),
        accepted=s.accepted,
        rejected=s.rejected,
        evaluations=s.evaluations,
        smallest_step=s.smallest_step,
        largest_step=s.largest_step,
        method=s.method,
        _lines=lambda: _lines(run, quick, budget),
        _balance=lambda: balance(run),
        _nearest=lambda: branch.nearest_approach(run).nearest,
    )


def audited(run: Trajectory) -> Audit:
    """The audit with all its lines made."""
    audit = audit_of(run)
    assert audit.lines is not None
    return audit


def _lines(run: Trajectory, quick: bool, budget: float) -> tuple[Line, ...]:
    """The lines in the order of the table; those of steps and states are made before the longer ones."""
    if not len(run):
        return ()
    found, late, seconds = dict[str, Line | None](), list[str](), budget
    with within(budget, "audit"):
        for name in sorted(LINES, key=lambda one: (one not in QUICK, one == "digits")):
            if quick and name not in QUICK:
                continue
            try:
                check()
                found[name] = LINES[name](run)
            except OutOfTime as out:
                late.append(name)
                seconds = out.seconds
    lines = [found[name] for name in LINES if found.get(name) is not None]
    if late:
        words = f"not decided within {seconds:g} s: {', '.join(late)}. Use audit(budget=...) for more"
        lines.append(Line("budget", LOOK, float(len(late)), words))
    return tuple(line for line in lines if line is not None)
