"""Where the energy of a run came from and went to."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.equations.power import power_parts
from cardan.graph import Node, live
from cardan.trajectory.along import kernel_along

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

_parts: WeakKeyDictionary[Kernel, dict[str, Node]] = WeakKeyDictionary()


def parts_of(kernel: Kernel) -> dict[str, Node]:
    """Power by name as graph nodes, formed once for each kernel."""
    if kernel not in _parts:
        _parts[kernel] = power_parts(kernel.dynamics)
    return _parts[kernel]


def powers(run: Trajectory) -> dict[str, Vector]:
    """Power of every load, input, other force, damper, motor and moving constraint, at every time of the run."""
    parts = parts_of(run.kernel)
    table = _powers(run, list(parts.values())) if parts else np.zeros((len(run), 0))
    found = {name: table[:, k] for k, name in enumerate(parts)}
    for name, push in run.contacts.drivers.items():
        found[name] = found.get(name, 0.0) + push * run[f"{name}_dot"]
    return found | run.contacts.power


def _powers(run: Trajectory, nodes: list[Node]) -> Vector:
    """The powers at every time, by machine code where nothing but the state is needed for them."""
    kernel, d = run.kernel, run.kernel.dynamics
    imposed = d.impose(nodes)
    if run.refresh is not None or {*d.vd, *d.lam} & set(live(imposed)):
        return run.outputs(nodes, accelerations=True)
    function = kernel.keep("powers", lambda: kernel.custom("powers", imposed))
    return kernel_along(function, run.t, run.solution.y, run.parameters)
