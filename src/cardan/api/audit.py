"""How trustworthy a run is, in numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

UNWATCHED = 0.05  # a state as near as this to a loss of rank, met with fixed steps, may have changed branch unseen


@dataclass(frozen=True)
class Audit:
    """How trustworthy a run is: drifts relative to the largest kinetic energy, steps, and how it ended."""

    status: str
    message: str
    energy_drift: float
    jacobi_drift: float
    quaternion_error: float
    constraint_error: float
    velocity_constraint_error: float
    penetration: float
    rank_changes: int
    nearest_rank_loss: float  # outside passages; last pivot of the constraint rows, typically near 1
    accepted: int
    rejected: int
    evaluations: int
    smallest_step: float
    largest_step: float
    method: str
    _balance: Callable[[], float] = field(default=float, repr=False, compare=False)

    @cached_property
    def power_balance(self) -> float:
        """Largest difference between T + V and what was put in, over the largest kinetic energy."""
        return self._balance()

    @property
    def is_branch_certain(self) -> bool:
        """Whether every loss of rank was passed under watch, or resolved by steps of controlled error."""
        return self.nearest_rank_loss > UNWATCHED or self.method in ("DOP853", "Radau", "passage")

    def _rank(self) -> str:
        near = f"nearest otherwise {self.nearest_rank_loss:.1e}"
        return near if self.is_branch_certain else near + ": THE BRANCH TAKEN THERE IS NOT CERTAIN, use method='auto'"

    def __str__(self) -> str:
        lines = [
            f"status            {self.status}" + (f" ({self.message})" if self.message else ""),
            f"energy drift      {self.energy_drift:.2e} of the largest kinetic energy",
            f"Jacobi drift      {self.jacobi_drift:.2e}",
            f"power balance     {self.power_balance:.2e}",
            f"quaternion error  {self.quaternion_error:.2e}",
            f"constraint error  {self.constraint_error:.2e} (velocities {self.velocity_constraint_error:.2e})",
            f"penetration       {self.penetration:.2e} beyond stops",
            f"rank changes      {self.rank_changes}; {self._rank()}",
            f"steps             {self.accepted} accepted, {self.rejected} rejected, {self.evaluations} evaluations",
            f"step size         {self.smallest_step:.3g} to {self.largest_step:.3g}",
            f"method            {self.method}",
        ]
        return "\n".join(lines)
