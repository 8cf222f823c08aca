"""What a user asks about a configuration, from words to an answer with remedies."""

from __future__ import annotations

from cardan.codegen.compiled import Magnitudes
from cardan.diagnosis.diagnose import diagnose, too_late, undefined_contact
from cardan.diagnosis.findings import Diagnosis, Place
from cardan.diagnosis.judges.placing import place
from cardan.diagnosis.remedies.case import Changeable
from cardan.diagnosis.remedies.find import with_remedies
from cardan.native.deadline import BUDGET, OutOfTime, check, within
from cardan.trajectory.settings import Values
from cardan.trajectory.start import given_start, refuse_unmeasurable


def diagnose_system(
    system: Changeable,
    q: Values,
    v: Values,
    t: float,
    loads: Magnitudes | None,
    task: Place | None,
    budget: float | None = BUDGET,
) -> Diagnosis:
    """What is singular at a configuration, brought to the constraints if it misses them slightly."""
    try:
        with within(budget, "diagnosis"):
            return _diagnosed(system, q, v, t, loads, task)
    except OutOfTime as out:
        return too_late(system.description.name, out)


def _diagnosed(
    system: Changeable, q: Values, v: Values, t: float, loads: Magnitudes | None, task: Place | None
) -> Diagnosis:
    kernel = system.kernels.user
    p = kernel.p()
    given = given_start(kernel, q, v)
    flat = kernel.flatness.flat(given.y[: kernel.nq], t, p) if given.held.any() else []
    if flat:
        return undefined_contact(flat)
    check()
    if given.held.all() or not kernel.m:
        refuse_unmeasurable(kernel, given.y, t)
    y = place(kernel, q, v, t, p)
    check()
    return with_remedies(system, diagnose(kernel, y, t, p, loads, task), y, t, loads)
