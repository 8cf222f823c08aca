"""What happened along a run, for a page: findings with reasons and remedies, events with facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.findings import Finding
from cardan.diagnosis.indicators import NEAR
from cardan.diagnosis.met import MOST_FINDINGS
from cardan.report.data.arrays import shown
from cardan.report.data.entries import EventEntry, FindingEntry
from cardan.trajectory.impulses import Impulses
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

MOST_EVENTS = 300

TITLES = {
    "coordinate-singularity": "Coordinate singularity",
    "gimbal-lock": "Gimbal lock",
    "constraint-degeneracy": "Degenerate constraints",
    "boundary": "Boundary",
}
EVENTS = {
    "user": "Event",
    "chart-switch": "Change of coordinates",
    "rank-change": "Change of rank",
    "branch": "Branches of motion",
    "impulse": "Impulse",
    "impact": "Impact",
    "contact": "Contact",
    "release": "Release",
    "zeno": "Impacts that accumulate",
    "snap": "Snapped geometry",
    "stop": "End of the motion",
    "stick": "Sticking",
    "slip": "Sliding",
}
SERIES = {"coordinate-singularity": "basis", "constraint-degeneracy": "constraints"}


def series_of(finding: Finding) -> str | None:
    """The indicator that tells of a finding."""
    return f"load {finding.where[0]}" if finding.kind == "gimbal-lock" else SERIES.get(finding.kind)


def title(finding: Finding) -> str:
    return f"{'Near: ' if finding.is_near else ''}{named(finding.kind, finding.where)}"


def named(kind: str, where: tuple[str, ...]) -> str:
    """A kind of finding with what it is about: "Gimbal lock of M on platform"."""
    words = TITLES.get(kind, kind.replace("-", " ").capitalize())
    about = " on ".join(where) if kind == "gimbal-lock" else ", ".join(where)
    return f"{words} of {about}" if about else words


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    clean = text.strip()
    head = clean[:1].upper() + clean[1:]
    return head if not head or head[-1] in ".!?" else head + "."


def finding_entries(
    here: Trajectory, findings: Sequence[Finding], indicators: dict[str, Vector], remedies: Mapping[int, list[str]]
) -> list[FindingEntry]:
    """Findings in order of time, with the remedies of those whose index has some."""
    found: list[FindingEntry] = []
    for k, one in enumerate(findings[:MOST_FINDINGS]):
        name = series_of(one)
        start = float(here.t[0] if one.t is None else one.t)
        evidence = [["indicator", f"{one.indicator:.3g}"], ["singular below", f"{one.tolerance:.0e}"]]
        evidence += [[key.replace("_", " "), evidence_text(value)] for key, value in one.evidence.items()]
        found.append(
            {
                "t": start,
                "t_end": _end(here.t, start, indicators.get(name or "")),
                "kind": one.kind,
                "title": title(one),
                "what": sentence(one.what),
                "why": sentence(one.why),
                "evidence": evidence,
                "remedies": [sentence(one) for one in remedies.get(k, [])],
                "series": name if name in indicators else None,
            }
        )
    return found


def evidence_text(value: object) -> str:
    """Evidence in words; what is keyed by its own name is told once."""
    if isinstance(value, dict) and value and all(not isinstance(one, (float, int)) for one in value.values()):
        return "; ".join(str(one) for one in value.values())
    return shown(value)


def _end(t: Vector, start: float, indicator: Vector | None) -> float:
    """Until when an indicator stays below the value at which it is reported."""
    if indicator is None:
        return start
    k = int(np.searchsorted(t, start))
    low = indicator[k:] < NEAR
    last = k + (len(low) if np.all(low) else int(np.argmin(low))) - 1
    return float(max(start, t[last])) if last >= k else start


def _fact(key: str, value: object) -> list[list[str]]:
    """A fact as rows of a table: impulses one by one."""
    if isinstance(value, Impulses):
        rows = [[f"impulse {words}", str(one)] for words, one in value.lines()]
        return rows + ([["bearings", value.note]] if value.note else [])
    return [[key.replace("_", " "), shown(value)]]


def event_entries(run: Trajectory) -> list[EventEntry]:
    """Events in order of time; of very many, the first ones and a word about the rest."""
    events = list(run.events)
    found: list[EventEntry] = [
        {
            "t": float(one.t),
            "kind": one.kind,
            "title": EVENTS[one.kind],
            "name": one.name,
            "what": sentence(one.what),
            "facts": [row for key, value in one.facts.items() for row in _fact(str(key), value)],
        }
        for one in events[:MOST_EVENTS]
    ]
    if len(events) > MOST_EVENTS:
        rest = f"{len(events) - MOST_EVENTS} more events followed; run.events lists them all."
        found.append(
            {
                "t": float(events[MOST_EVENTS].t),
                "kind": "user",
                "title": EVENTS["user"],
                "name": "and more",
                "what": rest,
                "facts": [],
            }
        )
    return found
