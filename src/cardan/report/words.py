"""The verdict about a run, and its audit, as rows of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cardan.diagnosis.words import listed, plural
from cardan.report.facts import Facts
from cardan.report.happenings import TITLES, sentence

Run = Any  # the public Run, which lives above this room
Row = dict[str, str]

GOOD_DRIFT, BAD_DRIFT = 1e-6, 1e-3  # of the largest kinetic energy
GOOD_ERROR, BAD_ERROR = 1e-6, 1e-3  # of constraints, in their own units


def row(label: str, value: str, detail: str = "", tone: str = "plain") -> Row:
    return {"label": label, "value": value, "detail": detail, "tone": tone}


def verdict(run: Run, facts: Facts) -> list[Row]:
    """What a reader wants to know first."""
    rows = [_outcome(run), *_findings(run), _manifold(facts), _freedoms(run, facts), *_sets(facts)]
    audit = run.audit()
    if _is_closed(run):
        tone = graded(audit.energy_drift, GOOD_DRIFT, BAD_DRIFT)
        rows.append(row("Energy", f"kept to {audit.energy_drift:.1e}", "of the largest kinetic energy", tone))
    if run.kernel.m:
        tone = graded(audit.constraint_error, GOOD_ERROR, BAD_ERROR)
        rows.append(row("Constraints", f"hold to {audit.constraint_error:.1e}", "largest residual on the run", tone))
    return rows


def _outcome(run: Run) -> Row:
    duration = f"{run.t[0]:g} s to {run.t[-1]:g} s"
    if run.solution.is_complete:
        return row("Motion", f"complete, {duration}", f"{plural(len(run.events), 'event')} on the way", "good")
    return row("Motion", f"stopped at {run.t[-1]:g} s", sentence(run.message), "bad")


def _findings(run: Run) -> list[Row]:
    if not run.findings:
        return [row("Singularities met", "none", "coordinates, loads and constraints stayed regular", "good")]
    rows = []
    counts = Counter((one.kind, one.is_near, one.where) for one in run.findings)
    for (kind, is_near, where), count in counts.items():
        times = [one.t for one in run.findings if (one.kind, one.is_near, one.where) == (kind, is_near, where)]
        words = TITLES.get(kind, kind.replace("-", " "))
        value = f"{'nearly, ' if is_near else ''}{plural(count, 'time')}"
        tone = "warn" if is_near or kind == "boundary" else "bad"
        rows.append(row(f"{words} ({', '.join(where)})", value, f"at t = {_times(times)}", tone))
    return rows


def _times(times: Sequence[Any]) -> str:
    shown = [f"{t:.4g} s" for t in times[:6] if t is not None]
    more = len(times) - len(shown)
    return listed(shown) + (f" and {more} more" if more else "")


def _manifold(facts: Facts) -> Row:
    found = facts.manifold
    if found is None:
        reason = "the rules do not tell" if facts.is_small else facts.left_out
        return row("Configuration manifold", "not determined", sentence(reason))
    details = [*found.why, *(f"open: {one}" for one in found.undecided)]
    return row("Configuration manifold", str(found), sentence("; ".join(details)))


def _freedoms(run: Run, facts: Facts) -> Row:
    coordinates = plural(len(run.model.v), "velocity", "velocities")
    found = facts.start
    if found is None:
        return row("Freedoms", coordinates, "")
    places, rates = found.configuration_dof, found.velocity_dof
    value = (
        plural(rates, "freedom")
        if places == rates
        else f"{plural(places, 'configuration freedom')}, {rates} of velocity"
    )
    detail = f"{coordinates}, {plural(found.constraint_rank, 'independent constraint')} at the start"
    return row("Freedoms", value, sentence(detail))


def _sets(facts: Facts) -> list[Row]:
    if not facts.is_small:
        return [row("Singular sets", "not determined", sentence(facts.left_out))]
    if not facts.sets:
        return [row("Singular sets", "none", "Coordinates, constraints and loads are regular everywhere.", "good")]
    rows = []
    for one in facts.sets:
        words = TITLES.get(one.kind, one.kind.replace("-", " ").capitalize())
        about = f" of {one.load}" if one.load else ""
        proof = "verified by singular values" if one.verified else "not verified"
        rows.append(row(f"{words}{about}", one.text, sentence(f"singular set, {one.how}, {proof}"), "plain"))
    return rows


def _is_closed(run: Run) -> bool:
    """Whether T + V has to be constant: nothing drives, brakes or hits the system."""
    model = run.kernel.model
    forced = any(run.asked.get(key) for key in ("loads", "inputs"))
    others = (model.dampers, model.generalized_forces, model.prescribed, model.frictions, model.stops)
    return not forced and not any(others)


def graded(value: float, good: float, bad: float) -> str:
    return "good" if value <= good else "warn" if value <= bad else "bad"


def audit_rows(run: Run) -> list[Row]:
    """How trustworthy the numbers are."""
    audit = run.audit()
    closed = _is_closed(run)
    balance = audit.power_balance
    found = [
        (
            "status",
            run.status + (f": {run.message}" if run.message else ""),
            "good" if run.solution.is_complete else "bad",
        ),
        (
            "change of energy",
            f"{audit.energy_drift:.2e} of the largest kinetic energy",
            graded(audit.energy_drift, GOOD_DRIFT, BAD_DRIFT) if closed else "plain",
        ),
        ("energy against power put in", f"{balance:.2e}", graded(balance, 1e-4, 1e-2)),
    ]
    if audit.quaternion_error:
        found.append(
            (
                "length of quaternions",
                f"off by {audit.quaternion_error:.1e}",
                graded(audit.quaternion_error, 1e-8, 1e-4),
            )
        )
    if run.kernel.m:
        error, rate = audit.constraint_error, audit.velocity_constraint_error
        found.append(("constraint error", f"{error:.1e}", graded(error, GOOD_ERROR, BAD_ERROR)))
        found.append(("velocity constraint error", f"{rate:.1e}", graded(rate, GOOD_ERROR, BAD_ERROR)))
        certain = "yes" if audit.is_branch_certain else "not certain: use method='auto'"
        found.append(("branch taken is certain", certain, "good" if audit.is_branch_certain else "bad"))
    if run.model.stops:
        found.append(("penetration of stops", f"{audit.penetration:.1e}", graded(audit.penetration, 1e-6, 1e-3)))
    found.append(
        ("steps", f"{audit.accepted} accepted, {audit.rejected} rejected, {audit.evaluations} evaluations", "plain")
    )
    found.append(("step size", f"{audit.smallest_step:.3g} s to {audit.largest_step:.3g} s", "plain"))
    found.append(("method", audit.method, "plain"))
    return [{"label": label, "value": value, "tone": tone} for label, value, tone in found]
