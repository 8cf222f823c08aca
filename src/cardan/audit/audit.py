"""How trustworthy a run is: one line for every way in which it can be wrong, with a number, a verdict and a remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cardan.native.once import once
from cardan.native.showing import Shown, table

OK, LOOK, WRONG = "ok", "look", "wrong"


@dataclass(frozen=True)
class Line(Shown):
    """One thing that was checked: what was found in words, with its number, and how it is judged.

    ``verdict`` is "ok", "look" (the motion may be right; read the words before trusting what they name) or "wrong".
    """

    name: str
    verdict: str
    value: float
    words: str

    def __str__(self) -> str:
        mark = "" if self.verdict == OK else f"{self.verdict.upper()}: "
        return f"{self.name:<18}{mark}{self.words}"


def verdict(value: float, look: float, wrong: float) -> str:
    """How a number that should be small is judged; one that is not a number is wrong."""
    if not value <= wrong:
        return WRONG
    return OK if value <= look else LOOK


@dataclass(frozen=True)
class Audit(Shown):
    """How trustworthy a run is: drifts relative to the largest kinetic energy, steps, and how it ended.

    ``lines`` hold everything that was checked, ``complaints`` those that are not "ok": none for a good run.
    """

    status: str
    message: str
    energy_drift: float
    jacobi_drift: float
    quaternion_error: float
    constraint_error: float
    velocity_constraint_error: float
    penetration: float
    rank_changes: int
    accepted: int
    rejected: int
    evaluations: int
    smallest_step: float
    largest_step: float
    method: str
    _lines: Callable[[], tuple[Line, ...]] = field(default=tuple, repr=False, compare=False)
    _balance: Callable[[], float] = field(default=float, repr=False, compare=False)
    _nearest: Callable[[], float] = field(default=lambda: 1.0, repr=False, compare=False)

    @once
    def power_balance(self) -> float:
        """Largest difference between T + V and what was put in, over the largest kinetic energy."""
        return self._balance()

    @once
    def nearest_rank_loss(self) -> float:
        """The smallest last pivot of the constraint rows outside passages, in units of its median over the run."""
        return self._nearest()

    @once
    def lines(self) -> tuple[Line, ...]:
        """Everything that was checked and can be said of this run."""
        return self._lines()

    @property
    def complaints(self) -> tuple[Line, ...]:
        """The lines that are not "ok", wrong ones first."""
        return tuple(sorted((one for one in self.lines if one.verdict != OK), key=lambda one: one.verdict != WRONG))

    def __getitem__(self, name: str) -> Line:
        """The line of that name; KeyError where nothing of the kind was there to be checked."""
        for line in self.lines:
            if line.name == name:
                return line
        raise KeyError(name)

    @property
    def is_branch_certain(self) -> bool:
        """Whether every loss of rank was passed under watch, or resolved by steps of controlled error."""
        return all(line.verdict == OK for line in self.lines if line.name == "branch")

    def __str__(self) -> str:
        cost = f"{self.accepted} accepted, {self.rejected} rejected, {self.evaluations} evaluations"
        lines = [
            *map(str, self.lines),
            f"{'steps':<18}{cost}, {self.smallest_step:.3g} to {self.largest_step:.3g} long",
            f"{'method':<18}{self.method}",
            f"{'verdict':<18}{self._verdict()}",
        ]
        return "\n".join(lines)

    def _verdict(self) -> str:
        if not self.complaints:
            return "nothing to complain of"
        wrong = [one.name for one in self.complaints if one.verdict == WRONG]
        look = [one.name for one in self.complaints if one.verdict == LOOK]
        parts = [f"wrong: {', '.join(wrong)}"] if wrong else []
        return "; ".join([*parts, *([f"to be looked at: {', '.join(look)}"] if look else [])])

    def _pieces(self) -> Iterator[str]:
        yield table([(one.name, one.verdict, one.words) for one in self.lines], ("checked", "verdict", "found"))
