"""A page with an anchor for every message: classes of errors, statuses of runs, kinds of events, lines of the audit."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from cardan import errors
from cardan.audit.lines import LINES
from cardan.simulation.solution import STATUS
from cardan.singular.records import KINDS
from tools.site.places import ROOT

LINK = re.compile(r"\]\((?!#|[a-z]+:)")  # this page is one folder further down
RAISED = re.compile(r"raise (\w+)\(")


def write_messages(page: Path) -> None:
    """The page: what each means, and where it is explained."""
    text = [
        "# Messages",
        "",
        "Every error, status, event and line of the audit has an anchor here: link to it by name.",
    ]
    text += ["", "## Errors", ""]
    for name, kind in error_classes().items():
        text += [f"### {name}", "", *told_error(kind), ""]
    text += ["## Statuses of a run", "", "`run.status` is one of these; `run.message` says why, with numbers.", ""]
    for status in dict.fromkeys([*STATUS.values(), *STATUSES]):
        text += [f"### status {status}", "", STATUSES[status], ""]
    text += ["## Kinds of events", ""]
    for kind in KINDS:
        text += [f"### event {kind}", "", *told_event(kind), ""]
    text += [
        "## Lines of the audit",
        "",
        "`run.audit()` prints them; [the audit](../audit.md) explains all of them.",
        "",
    ]
    rows = audit_rows()
    for name in LINES:
        measured, look, wrong = rows[name]
        text += [f"### audit {name}", "", f"What is measured: {measured}.", ""]
        text += [f"- *look* when: {look}"] if look else []
        text += [f"- *wrong* when: {wrong}"] if wrong else []
        text += [""]
    page.write_text("\n".join(text), encoding="utf-8")


def error_classes() -> dict[str, type[errors.CardanError]]:
    """Every class of the tree, in the order of errors.py."""
    found = inspect.getmembers(errors, lambda one: inspect.isclass(one) and issubclass(one, errors.CardanError))
    return dict(sorted(found, key=lambda one: inspect.getsourcelines(one[1])[1]))


def told_error(kind: type[errors.CardanError]) -> list[str]:
    """What it means, what it is a kind of, and which files raise it."""
    above = [one.__name__ for one in kind.__mro__[1:] if one not in (object, BaseException)]
    places = [
        one.relative_to(ROOT).as_posix()
        for one in sorted((ROOT / "src" / "cardan").rglob("*.py"))
        if kind.__name__ in RAISED.findall(one.read_text(encoding="utf-8"))
    ]
    rooms = sorted({place.split("/")[2].removesuffix(".py") for place in places})
    lines = [(kind.__doc__ or "").strip(), "", f"A kind of: {', '.join(above)}."]
    return lines + (["", f"Raised in: {', '.join(f'`{one}`' for one in rooms)}."] if rooms else [])


def told_event(kind: str) -> list[str]:
    return [EVENTS[kind]]


def audit_rows() -> dict[str, tuple[str, str, str]]:
    """The table of docs/audit.md, which a test holds to the lines that there are."""
    text = LINK.sub("](../", (ROOT / "docs" / "audit.md").read_text(encoding="utf-8"))
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    return {row[0]: (row[1].rstrip("."), row[2], row[3]) for row in cells if len(row) == 4}


STATUSES = {
    "finished": "The run reached its end.",
    "event": "An event with `terminal=True` ended it.",
    "stopped": "It ended where no motion, or no preferred one, goes on: the finding says which, and what would help.",
    "out-of-reach": "A drive asks the mechanism for a place that it cannot reach.",
    "step-underflow": "Steps became too short to add to the time: something is singular or jumps there.",
    "non-finite": "A force, an input or the state became infinite or no number.",
    "pivot-failed": "A system of equations of one step could not be solved: a mass matrix or constraints lost rank.",
    "too-many-steps": "`max_steps` were made before the end.",
    "callback-failed": "A Python function given as load, input or event raised an error.",
    "no-convergence": "The equations of an implicit step were not solved; a shorter step may help.",
    "interrupted": "Ctrl-C, or an observer, ended it early; what was computed is kept.",
}
EVENTS = {
    "user": "A function given with `events=` crossed zero.",
    "chart-switch": "The motion went on in another chart, declared by `s.chart`.",
    "rank-change": "The constraints lost rank, and the motion was carried across.",
    "branch": "Several motions go on; the one that belongs to the velocity, or that was asked for, was taken.",
    "impulse": "Velocities jumped so that they fit constraints that came into force.",
    "impact": "A stop was hit.",
    "contact": "A stop was reached and stayed closed.",
    "release": "A closed stop opened.",
    "zeno": "Infinitely many impacts in a finite time were jumped over.",
    "snap": "Geometry that misses a singular configuration by less than `geometry_tol` was taken as exact.",
    "stop": "The run could not go on, and says why.",
    "stick": "Friction began to hold.",
    "slip": "Friction let go.",
}
