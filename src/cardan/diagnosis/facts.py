"""What is known about the system of a run: its equations, manifold, singular sets and freedoms.

Questions in symbols are bounded by the size of the system. The bounds are sizes and not seconds, so that the same run
gives the same page on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from cardan.diagnosis.diagnose import diagnose
from cardan.diagnosis.findings import Diagnosis
from cardan.diagnosis.judges.placing import placed
from cardan.diagnosis.manifold.manifold import Manifold, manifold_of
from cardan.diagnosis.sets.sets import SingularSet
from cardan.diagnosis.sets.singular_set import singular_sets
from cardan.equations.equations import Equations
from cardan.equations.terms import Terms, terms_of
from cardan.errors import CardanError
from cardan.graph import operation_count
from cardan.native.deadline import OutOfTime
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
class Size:
    """How large a system is: str() tells it."""

    velocities: int
    operations: int  # of M, f and g together
    has_quaternions: bool

    @property
    def is_small(self) -> bool:
        """Whether SymPy answers within seconds."""
        weight = QUATERNION if self.has_quaternions else 1
        return self.velocities <= LARGEST and weight * self.operations <= LONGEST

    def __str__(self) -> str:
        return f"{self.velocities} velocities, {self.operations} operations"


def size_of(run: Trajectory) -> Size:
    """The size of the system in the user's own coordinates."""
    model, d = run.user.model, run.user.dynamics
    nodes = [*(x for row in d.mass_matrix for x in row), *d.velocity_terms, *d.potential_terms]
    return Size(len(model.v), sum(operation_count(nodes).values()), model.has_quaternions)


def equations_of(run: Trajectory) -> Equations:
    """The equations in the user's own coordinates, at the values of the run."""
    known = run.user.dynamics if run.user.dynamics.model is run.model else None  # derived for other values
    return Equations(run.model, derived=known)


@dataclass(frozen=True)
class Facts:
    """Answers about the system of a run; None, or nothing, where it is large or does not allow the question."""

    run: Trajectory
    size: Size
    equations: Equations
    terms: Terms | None
    manifold: Manifold | None
    manifold_name: str  # "" where there is none
    sets: list[SingularSet]  # of coordinates, constraints and each load
    start: Diagnosis | None
    problems: Mapping[str, str]  # by question: why it has no answer

    @property
    def left_out(self) -> str:
        return f"not asked for this page, the system is large ({self.size})"


def ask(run: Trajectory) -> Facts:
    """Every question about the system of a run, one after the other; what follows only reads the answers."""
    problems: dict[str, str] = {}
    size, equations = size_of(run), equations_of(run)
    is_small = size.is_small
    terms = _answer("terms", partial(terms_of, equations), problems) if is_small else None
    manifold = _answer("manifold", partial(manifold_of, equations), problems) if is_small else None
    return Facts(
        run,
        size,
        equations,
        terms=terms,
        manifold=manifold,
        manifold_name="" if manifold is None else str(manifold),
        sets=known_sets(equations, problems) if is_small else [],
        start=_answer("start", partial(_start_of, run), problems),
        problems=problems,
    )


def known_sets(equations: Equations, problems: dict[str, str]) -> list[SingularSet]:
    """Singular sets of coordinates, constraints and each load, each once; why where none can be told is a problem."""
    found: list[SingularSet] = []
    loads: list[str | None] = [one.name for one in equations.model.loads[:MOST_LOADS]]
    for load in loads or [None]:
        for one in _answer("sets", partial(singular_sets, equations, load), problems) or []:
            if not any((one.kind, one.text, one.load) == (other.kind, other.text, other.load) for other in found):
                found.append(one)
    return found


def _answer(what: str, question: Callable[[], Answer], problems: dict[str, str]) -> Answer | None:
    """The answer; None where there is no time, or the system does not allow the question (energies not quadratic)."""
    try:
        return question()
    except (CardanError, OutOfTime) as problem:
        problems[what] = str(problem)
        return None


def _start_of(run: Trajectory) -> Diagnosis:
    """The diagnosis of the first configuration, at rest."""
    kernel, t, p = run.user, float(run.t[0]), run.user.parameters
    y = np.concatenate([run.q[0], np.zeros(kernel.nv)])
    found = placed(kernel, y, t, p, np.zeros(kernel.nv, dtype=bool), START_TOLERANCE)
    if found is None:
        found = consistent_start(kernel, given_start(kernel, run.q[0], None), p, t, START_TOLERANCE).y
    return diagnose(kernel, found, t, p, None)
