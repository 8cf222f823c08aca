"""What a user asks about a configuration, from words to an answer with remedies."""

from __future__ import annotations

from cardan.codegen.compiled import Magnitudes
from cardan.diagnosis.diagnose import diagnose
from cardan.diagnosis.findings import Diagnosis, Place
from cardan.diagnosis.judges.placing import place
from cardan.diagnosis.remedies.case import Changeable
from cardan.diagnosis.remedies.find import with_remedies
from cardan.trajectory.settings import Values


def diagnose_system(
    system: Changeable, q: Values, v: Values, t: float, loads: Magnitudes | None, task: Place | None
) -> Diagnosis:
    """What is singular at a configuration, brought to the constraints if it misses them slightly."""
    kernel = system.kernels.user
    p = kernel.p()
    y = place(kernel, q, v, t, p)
    return with_remedies(system, diagnose(kernel, y, t, p, loads, task), y, t, loads)
