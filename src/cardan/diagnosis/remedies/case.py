"""A system at a configuration, and the same after a change of what it says: what a remedy is tried on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel, Magnitudes
from cardan.diagnosis.diagnose import diagnose
from cardan.diagnosis.findings import Diagnosis, Finding
from cardan.diagnosis.judges.placing import place
from cardan.errors import CardanError
from cardan.model.description import Description
from cardan.model.model import Model
from cardan.trajectory.kernels import Kernels

Vector = NDArray[np.float64]
Configuration: TypeAlias = Mapping[str, float | tuple[float, ...]]  # by name; a quaternion has four numbers


class Changeable(Protocol):
    """What remedies need of a system: what it says, its native code, and another that says something else."""

    @property
    def description(self) -> Description: ...

    @property
    def kernels(self) -> Kernels: ...

    def with_description(self, description: Description) -> Self: ...


@dataclass(frozen=True)
class Case:
    """A system at a configuration, with the loads that are judged (all of them where None)."""

    system: Changeable
    q: Configuration
    t: float
    loads: Magnitudes | None

    @property
    def kernel(self) -> Kernel:
        return self.system.kernels.user

    @property
    def state(self) -> Vector:
        """The configuration as a state at rest."""
        return self.kernel.y([x for one in self.q.values() for x in np.atleast_1d(one)])

    def result(self) -> Changeable:
        """The system itself: what a remedy that was tried here gives to its user."""
        return self.system

    def changed(self, change: Callable[[Description], None]) -> Case:
        """The same with another system, whose description has been changed."""
        description = self.system.description.copy()
        change(description)
        return replace(self, system=self.system.with_description(description))

    def diagnosis(self) -> Diagnosis:
        """What is singular here."""
        kernel, p = self.kernel, self.kernel.parameters
        return diagnose(kernel, place(kernel, self.q, None, self.t, p), self.t, p, self.loads)

    def lifts(self, finding: Finding) -> bool:
        """Whether the finding is gone here, and no nearly as bad one is left; a case that cannot be does not count."""
        try:
            found = self.diagnosis()
        except CardanError:
            return False
        return not any(
            one.kind == finding.kind and (not finding.where or set(one.where) & set(finding.where))
            for one in (*found.findings, *found.near)
        )


def by_name(model: Model, y: Vector) -> dict[str, float | tuple[float, ...]]:
    """The configuration of a state by variable name."""
    found: dict[str, float | tuple[float, ...]] = {}
    at = 0
    for variable in model.free:
        count = len(variable.configuration)
        found[variable.name] = float(y[at]) if count == 1 else tuple(y[at : at + count])
        at += count
    return found
