"""From words to the doctor: the hand of a system at a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cardan.diagnosis.findings import Diagnosis, Place
from cardan.diagnosis.judges.placing import place
from cardan.model.bodies import Particle
from cardan.model.frames import Point
from cardan.model.joint_limits import Limits
from cardan.trajectory.settings import Values

if TYPE_CHECKING:
    from cardan.codegen.compiled import Kernel
    from cardan.diagnosis.hand.report import HandDiagnosis


def with_hand(
    found: Diagnosis, kernel: Kernel, task: Place, q: Values, t: float, limits: Mapping[str, Limits]
) -> Diagnosis:
    """The diagnosis with a doctor, who looks when he is asked: ``d.hand``."""

    def asked() -> HandDiagnosis:
        from cardan.diagnosis.hand.report import examine

        y = place(kernel, q, None, t, kernel.p())
        turns = not isinstance(task, (Point, Particle))
        return examine(kernel, kernel.point_of(task), turns, y[: kernel.nq], limits, t)

    return replace(found, examine_hand=asked)
