"""The verdict about a run, and its audit, as rows of words."""

from __future__ import annotations

from collections.abc import Sequence

from cardan.audit.audit import Audit
from cardan.diagnosis.facts import Facts
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.words import listed, plural
from cardan.report.data.entries import Row
from cardan.report.data.happenings import TITLES, named, sentence
from cardan.trajectory.trajectory import Trajectory

Key = tuple[str, bool, tuple[str, ...]]  # of findings told together: kind, whether nearly, where

MOST_FINDINGS = 6  # rows
TONES = {"ok": "good", "look": "warn", "wrong": "bad"}  # of the verdicts of an audit


def row(label: str, value: str, detail: str = "", tone: str = "plain") -> Row:
    return {"label": label, "value": value, "detail": detail, "tone": tone}


def verdict(facts: Facts, findings: Sequence[Finding], audit: Audit) -> list[Row]:
    """What a reader wants to know first."""
    about_run = [_outcome(facts.run), *finding_rows(findings)]
    return [*about_run, *standing(facts), _trust(audit)]


def standing(facts: Facts) -> list[Row]:
    """The part of a verdict that is about the system, whatever moves."""
    return [_manifold(facts), _freedoms(facts), *_sets(facts)]


def moving(run: Trajectory, findings: Sequence[Finding], audit: Audit) -> list[Row]:
    """The part of a verdict that is about one motion."""
    return [_outcome(run), *finding_rows(findings), _trust(audit)]


def outcome(run: Trajectory) -> list[Row]:
    """How a motion ended, which is known at once."""
    return [_outcome(run)]


def _outcome(run: Trajectory) -> Row:
    duration = f"{run.t[0]:g} s to {run.t[-1]:g} s"
    if run.solution.is_complete:
        return row("Motion", f"complete, {duration}", f"{plural(len(run.events), 'event')} on the way", "good")
    return row("Motion", f"stopped at {run.t[-1]:g} s", sentence(run.message), "bad")


def finding_rows(findings: Sequence[Finding]) -> list[Row]:
    """Findings of one kind and place together, with their times."""
    if not findings:
        return [row("Singularities met", "none", "coordinates, loads and constraints stayed regular", "good")]
    groups: dict[Key, list[float | None]] = {}
    for one in sorted(findings, key=lambda one: one.is_near):  # what was singular before what was nearly so
        groups.setdefault((one.kind, one.is_near, one.where), []).append(one.t)
    rows = [_finding(key, times) for key, times in list(groups.items())[:MOST_FINDINGS]]
    rest = sum(len(times) for times in list(groups.values())[MOST_FINDINGS:])
    if rest:
        rows.append(row("More findings", str(rest), "listed with their times among the findings", "warn"))
    return rows


def _finding(key: Key, times: Sequence[float | None]) -> Row:
    kind, is_near, where = key
    value = f"{'nearly, ' if is_near else ''}{plural(len(times), 'time')}"
    tone = "warn" if is_near or kind == "boundary" else "bad"
    return row(named(kind, where), value, f"at t = {_times(times)}", tone)


def _times(times: Sequence[float | None]) -> str:
    shown = [f"{t:.4g} s" for t in times[:6] if t is not None]
    more = len(times) - len(shown)
    return listed(shown) + (f" and {more} more" if more else "")


def _manifold(facts: Facts) -> Row:
    found = facts.manifold
    if found is None:
        reason = facts.problems.get("manifold", "the rules do not tell") if facts.size.is_small else facts.left_out
        return row("Configuration manifold", "not determined", sentence(reason))
    details = [*found.why, *(f"open: {one}" for one in found.undecided)]
    name = facts.manifold_name
    if "?" in name:
        name = f"of dimension {found.dimension}, not named"
    return row("Configuration manifold", name, "; ".join(details))


def _freedoms(facts: Facts) -> Row:
    coordinates = plural(len(facts.run.model.v), "velocity", "velocities")
    found = facts.start
    if found is None:
        return row("Freedoms", coordinates, "")
    places, rates, rank = found.configuration_dof, found.velocity_dof, found.constraint_rank
    if places is None or rates is None or rank is None:
        return row("Freedoms", "not decided", sentence("; ".join(one.what for one in found.findings)))
    value = (
        plural(rates, "freedom")
        if places == rates
        else f"{plural(places, 'configuration freedom')}, {rates} of velocity"
    )
    detail = f"{coordinates}, {plural(rank, 'independent constraint')} at the start"
    return row("Freedoms", value, sentence(detail))


def _sets(facts: Facts) -> list[Row]:
    if not facts.size.is_small:
        return [row("Singular sets", "not determined", sentence(facts.left_out))]
    if not facts.sets and "sets" in facts.problems:
        return [row("Singular sets", "not determined", sentence(facts.problems["sets"]))]
    if not facts.sets:
        return [row("Singular sets", "none", "Coordinates, constraints and loads are regular everywhere.", "good")]
    rows = []
    for one in facts.sets:
        words = TITLES.get(one.kind, one.kind.replace("-", " ").capitalize())
        about = f" of {one.load}" if one.load else ""
        proof = "verified by singular values" if one.verified else "not verified"
        rows.append(row(f"Set of {words[:1].lower()}{words[1:]}{about}", one.text, sentence(f"{one.how}, {proof}")))
    return rows


def _trust(audit: Audit) -> Row:
    """What the audit says, in one row."""
    complaints = audit.complaints
    if not complaints:
        return row("Audit", "nothing to complain of", "", "good")
    wrong = [one for one in complaints if TONES[one.verdict] == "bad"]
    words = listed([one.name for one in wrong or complaints])
    value = f"wrong: {words}" if wrong else f"look at {words}"
    return row("Audit", value, sentence((wrong or complaints)[0].words), "bad" if wrong else "warn")


def audit_rows(audit: Audit) -> list[Row]:
    """How trustworthy the numbers are: everything that was checked."""
    judged: list[Row] = [{"label": one.name, "value": one.words, "tone": TONES[one.verdict]} for one in audit.lines]
    cost = f"{audit.accepted} accepted, {audit.rejected} rejected, {audit.evaluations} evaluations"
    sizes = f"{audit.smallest_step:.3g} s to {audit.largest_step:.3g} s"
    plain = (("steps", cost), ("step size", sizes), ("method", audit.method))
    told: list[Row] = [{"label": label, "value": value, "tone": "plain"} for label, value in plain]
    return judged + told
