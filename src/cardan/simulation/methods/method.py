"""A method and its facts: everything that another room may want to know of it is said here, once.

Rooms ask for the fact they mean (``method.is_held_at_rank_loss``) and never for a name, so that a new method is known
everywhere as soon as it stands in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cardan.native.language import NativeFunction
from cardan.simulation.protocol import CompiledModel


def _state_and_time(n: int) -> int:
    return n + 1


Kernels: TypeAlias = NamedTuple
"""A bundle of addresses of kernels."""


class NoKernels(NamedTuple):
    """For loops that need the right-hand side only; others have a bundle of their own in its place."""


def no_kernels(model: CompiledModel) -> NoKernels:
    """Nothing of a model."""
    return NoKernels()


def _nothing(nv: int, rows: int) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Loop:
    """A native loop over steps, and what it needs.

    ``run(ledger, kernels, work)`` and ``states_at(field, size, rows, steps, number, out, work)``. ``kernels`` picks the
    further kernels of the model that are passed (0 where absent); ``needs`` names those among them that the method is
    impossible without. ``work_size`` says how many numbers of scratch a state of so many numbers needs, ``own_work``
    how many more there are for so many velocities and constraint rows.
    """

    run: NativeFunction[..., int]
    states_at: NativeFunction[..., int]
    work_size: Callable[[int], int]
    width: Callable[[int], int] = _state_and_time
    kernels: Callable[[CompiledModel], Kernels] = no_kernels
    needs: tuple[str, ...] = ()
    own_work: Callable[[int, int], int] = _nothing
    many: NativeFunction[..., int] | None = None  # many motions in one call, where the loop can: `many.py`

    def missing(self, model: CompiledModel) -> list[str]:
        """Names of the kernels that it cannot do without and the model does not have."""
        found = self.kernels(model)._asdict()
        return [name for name in self.needs if not found[name]]


@dataclass(frozen=True, slots=True)
class Method:
    """A way to make the steps of a run.

    At the ends of steps of length h the states of a run are wrong by O(h^order), between them by O(h^dense_order).
    Steps of methods without a ``loop`` are made elsewhere. ``stands_for`` names the method that is really used, which
    gives way to ``when_stiff`` where the model turns out to be stiff.
    """

    name: str
    order: int
    dense_order: int
    loop: Loop | None = None
    is_adaptive: bool = True
    """Whether it chooses its steps by rtol and atol; others take step= as it is."""
    is_offered: bool = True
    """Whether a user can ask for it by name."""
    is_held_at_rank_loss: bool = False
    """Whether its steps are held back from losses of rank, which it then crosses by passages."""
    is_carried_across_rank_loss: bool = False
    """Whether passages carry its motion across losses of rank, its own steps being as long as they are."""
    conserves_energy: bool = False
    """Whether energy changes by the work of forces only, up to rounding."""
    is_symplectic: bool = False
    """Whether its steps preserve the symplectic form, so that the energy error stays bounded."""
    needs_own_coordinates: bool = False
    """Whether it moves the user's own coordinates: it is a statement about these, or needs as many as velocities."""
    keeps_constraints: bool = False
    """Whether its steps themselves end on the constraints; a quaternion is then four coordinates with one of them."""
    finds_events: bool = True
    """Whether sign changes of event functions are found and located."""
    solves_friction: bool = True
    """Whether forces may depend on multipliers, as friction does that is solved for together with the motion."""
    is_time_stepping: bool = False
    """Whether it makes the whole run by itself and decides contacts once per step, not at their instants."""
    keeps_pace: bool = False
    """Whether the last steps before a passage say how long the first one behind it may be."""
    runs_side_by_side: bool = False
    """Whether many motions can be made together in vector kernels."""
    stands_for: str = ""
    when_stiff: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """Optional kernels of the model that it is impossible without."""
        return () if self.loop is None else self.loop.needs
