"""The integrators by name, all behind one calling convention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cardan.native.language import NativeFunction
from cardan.simulation import dop853


@dataclass(frozen=True, slots=True)
class Method:
    """A native loop and what it needs.

    ``run(rhs, callback, events, *kernels, size, flags, count, control, atol, p, samples, sign, found, rows, work)`` and
    ``states_at(rhs, callback, size, p, rows, steps, number, out, count, work)``.
    """

    name: str
    order: int
    run: NativeFunction[..., int]
    states_at: NativeFunction[..., int]
    work_size: Callable[[int], int]
    width: Callable[[int], int] = lambda n: n + 1
    kernels: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    is_adaptive: bool = True
    stages: int = 1


BY_NAME: dict[str, Method] = {
    "DOP853": Method("DOP853", 8, dop853.run, dop853.states_at, dop853.work_size),
}


def describe() -> dict[str, Any]:
    """Name and order of every method."""
    return {name: method.order for name, method in BY_NAME.items()}
