"""What is known about the system of a run: its equations, manifold, singular sets, freedoms; and how the run is judged.

Questions in symbols are bounded by the size of the system. The bounds are sizes and not seconds, so that the same run
gives the same page on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TypeVar

from cardan.audit.audit import Audit
from cardan.audit.lines import audit_of
from cardan.diagnosis.diagnose import diagnose
from cardan.diagnosis.findings import Diagnosis
from cardan.diagnosis.judges.placing import placed
from cardan.diagnosis.manifold.manifold import Manifold, manifold_of
from cardan.diagnosis.sets.sets import SingularSet
from cardan.diagnosis.sets.singular_set import singular_sets
from cardan.equations.equations import Equations
from cardan.errors import CardanError
from cardan.graph import operation_count
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.settings import START_TOLERANCE
from cardan.trajectory.start import given_start
from cardan.trajectory.trajectory import Trajectory

LARGEST = 6  # velocities
LONGEST = 450  # operations of M, f and g together; SymPy takes seconds for this many, and soon minutes
QUATERNION = 2  # what a quaternion makes of an operation: SymPy cannot use that its length is one
MOST_LOADS = 4  # that are asked for their gimbal lock; each is a search of its own

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Facts:
    """Answers about a run and its system, each found when it is asked for, and once."""

    run: Trajectory
    problems: dict[str, str] = field(default_factory=dict)  # what could not be answered, and why

    @cached_property
    def equations(self) -> Equations:
        """In the user's own coordinates, at the values of the run."""
        user = self.run.user
        return Equations(replace(user.model, values=user.values))

    @cached_property
    def operations(self) -> int:
        """How many operations M, f and g take."""
        d = self.run.user.dynamics
        nodes = [*(x for row in d.mass_matrix for x in row), *d.velocity_terms, *d.potential_terms]
        return sum(operation_count(nodes).values())

    @property
    def is_small(self) -> bool:
        """Whether SymPy answers within seconds."""
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
        return self._asked("manifold", lambda: manifold_of(self.equations)) if self.is_small else None

    @cached_property
    def sets(self) -> list[SingularSet]:
        """Singular sets of coordinates, constraints and each load."""
        if not self.is_small:
            return []
        found: list[SingularSet] = []
        loads: list[str | None] = [one.name for one in self.run.model.loads[:MOST_LOADS]]
        for load in loads or [None]:
            for one in self._asked("sets", partial(singular_sets, self.equations, load)) or []:
                if not any((one.kind, one.text, one.load) == (other.kind, other.text, other.load) for other in found):
                    found.append(one)
        return found

    @cached_property
    def start(self) -> Diagnosis | None:
        """The diagnosis where the run starts."""
        return self._asked("start", lambda: _start_of(self.run))

    @cached_property
    def audit(self) -> Audit:
        """How trustworthy the run is."""
        return audit_of(self.run)

    def _asked(self, what: str, question: Callable[[], Answer]) -> Answer | None:
        """The answer; None where the system does not allow the question, as with energies that are not quadratic."""
        try:
            return question()
        except CardanError as problem:
            self.problems[what] = str(problem)
            return None


def _start_of(run: Trajectory) -> Diagnosis:
    """The diagnosis of the first configuration, at rest and without loads in particular."""
    kernel, t = run.user, float(run.t[0])
    given, p = given_start(kernel, run.q[0], None), kernel.p()
    y = placed(kernel, given.y, t, p, given.held_rates, START_TOLERANCE)
    if y is None:
        y = consistent_start(kernel, given, p, t, START_TOLERANCE).y
    return diagnose(kernel, y, t, p, None)
