"""What is known about a system in symbols: its manifold, freedoms and singular sets; bounded by the size of the system.

The bounds are sizes and not seconds, so that the same run gives the same page on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from cardan.diagnosis.findings import Diagnosis
from cardan.diagnosis.manifold.manifold import Manifold
from cardan.diagnosis.sets.sets import SingularSet
from cardan.errors import CardanError
from cardan.graph import operation_count

Run = Any  # the public Run, which lives above this room

LARGEST = 6  # velocities
LONGEST = 450  # operations of M, f and g together; SymPy takes seconds for this many, and soon minutes
QUATERNION = 2  # what a quaternion makes of an operation: SymPy cannot use that its length is one
MOST_LOADS = 4


@dataclass(frozen=True)
class Facts:
    """Answers about the system of a run, each found when it is asked for."""

    run: Run
    problems: dict[str, str] = field(default_factory=dict)  # what could not be answered, and why

    @cached_property
    def operations(self) -> int:
        """How many operations M, f and g take."""
        d = self.run.system.compile().dynamics
        nodes = [*(x for row in d.mass_matrix for x in row), *d.velocity_terms, *d.potential_terms]
        return sum(operation_count(nodes).values())

    @property
    def is_small(self) -> bool:
        weight = QUATERNION if self.run.model.has_quaternions else 1
        return len(self.run.model.v) <= LARGEST and weight * self.operations <= LONGEST

    @property
    def size(self) -> str:
        return f"{len(self.run.model.v)} velocities, {self.operations} operations"

    @property
    def left_out(self) -> str:
        return f"not asked for this page, the system is large ({self.size})"

    @cached_property
    def manifold(self) -> Manifold | None:
        """The configuration manifold; None for a large system, or where no rule tells."""
        return self._asked("manifold", self.run.system.manifold) if self.is_small else None

    @cached_property
    def sets(self) -> list[SingularSet]:
        """Singular sets of coordinates, constraints and each load."""
        if not self.is_small:
            return []
        found: list[SingularSet] = []
        for load in [one.name for one in self.run.model.loads[:MOST_LOADS]] or [None]:
            for one in self._asked("sets", partial(self.run.system.singular_set, load)) or []:
                if not any((one.kind, one.text, one.load) == (other.kind, other.text, other.load) for other in found):
                    found.append(one)
        return found

    @cached_property
    def start(self) -> Diagnosis | None:
        """The diagnosis where the run starts."""
        run = self.run
        state = {}
        at = 0
        for variable in run.model.free:
            count = len(variable.configuration)
            state[variable.name] = float(run.q[0][at]) if count == 1 else tuple(run.q[0][at : at + count])
            at += count
        found: Diagnosis | None = self._asked("start", lambda: run.system.diagnose(q=state, t=float(run.t[0])))
        return found

    def _asked(self, what: str, question: Callable[[], Any]) -> Any:
        """The answer; None where the system does not allow the question, as with energies that are not quadratic."""
        try:
            return question()
        except CardanError as problem:
            self.problems[what] = str(problem)
            return None
