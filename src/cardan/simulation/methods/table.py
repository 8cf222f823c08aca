"""The integrators by name, all behind one calling convention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cardan.native.language import NativeFunction
from cardan.simulation.methods import dop853, fixed, manifold, radau


def _state_and_time(n: int) -> int:
    return n + 1


def _nothing(n: int, m: int) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Method:
    """A native loop and what it needs.

    ``run(rhs, callback, events, project_state, *kernels, size, flags, count, control, atol, p, samples, sign, found,
    rows, work)`` and ``states_at(rhs, callback, size, p, rows, steps, number, out, count, work)``. ``kernels`` are
    optional kernels of the model that are passed (0 where absent), ``needs`` those the method is impossible without.
    """

    name: str
    order: int
    run: NativeFunction[..., int]
    states_at: NativeFunction[..., int]
    work_size: Callable[[int], int]
    width: Callable[[int], int] = _state_and_time
    kernels: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    is_adaptive: bool = True
    stages: int = 0
    rows_work: Callable[[int, int], int] = _nothing  # further scratch, of velocities and constraint rows

    @property
    def is_on_constraints(self) -> bool:
        """Whether the steps themselves keep the constraints."""
        return "structure" in self.needs


_MECHANICAL = ("momentum", "momentum_rate", "mass_matrix")
_CONSTRAINED = ("momentum", "momentum_rate", "structure", "residual", "forces", "energy")


def _symplectic(name: str, order: int, stages: int) -> Method:
    return Method(
        name, order, fixed.run, fixed.states_at, fixed.work_size, kernels=(*_MECHANICAL, "", "", ""), needs=_MECHANICAL,
        is_adaptive=False, stages=stages,
    )  # fmt: skip


def _on_manifold(name: str, stages: int, *more: str) -> Method:
    return Method(
        name, 2, fixed.run, fixed.states_at, fixed.work_size, kernels=_CONSTRAINED, needs=(*_CONSTRAINED[:3], *more),
        is_adaptive=False, stages=stages, rows_work=manifold.rows_work,
    )  # fmt: skip


_ALL = (
    Method("DOP853", 8, dop853.run, dop853.states_at, dop853.work_size),
    Method("RK4", 4, fixed.run, fixed.states_at, fixed.work_size, kernels=("",) * 6, is_adaptive=False),
    Method("Radau", 5, radau.run, radau.states_at, radau.work_size, width=radau.width, kernels=("jacobian",)),
    _symplectic("symplectic", 2, 1),
    _symplectic("symplectic-4", 4, 5),
    _symplectic("symplectic-6", 6, 9),
    _on_manifold("RATTLE", -1),
    _on_manifold("energy-momentum", -2, "energy"),
)
BY_NAME: dict[str, Method] = {method.name: method for method in _ALL}
