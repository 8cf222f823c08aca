"""Cardan in one page: a description becomes equations, equations become machine code, machine code moves.

    Model  ->  Equations  ->  Kernel  ->  Entry  ->  Motion  ->  Trajectory

This is the code that runs: ``s.equations()`` calls ``read``, ``s.compile()`` calls ``prepare``, and ``s.simulate()``
calls ``simulate``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cardan.codegen.compiled import Kernel, compile_native
from cardan.equations.equations import Equations
from cardan.equations.reduced import derive
from cardan.model.charts import DeclaredChart
from cardan.model.model import Model
from cardan.trajectory.beside import beside
from cardan.trajectory.follow import follow
from cardan.trajectory.keeping import Kept, resumed
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.request import read_request
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory


def read(model: Model, form: str = "auto") -> Equations:
    """Equations for people."""
    return Equations(model, form)


def prepare(model: Model) -> Kernel:
    """Equations for machines, as native code."""
    equations = derive(model)
    return compile_native(equations)


def kernels_of(model: Model, charts: Sequence[DeclaredChart] = ()) -> Kernels:
    """Native code of a model in all coordinates its motions can be written in, each prepared when it is needed."""
    return Kernels(model, model.values, tuple(charts), prepare)


def simulate(kernels: Kernels, settings: Settings) -> Trajectory:
    """The road from compiled equations to a motion."""
    request = read_request(kernels.user, settings)  # what is asked: start, signals, events, duration
    coordinates = kernels.coordinates(request)  # what the motion is written in
    entry = coordinates.enter(request)  # a start on the constraints, with the signals of the run
    motion = follow(entry, request)  # integrated under guard
    near = beside(coordinates, entry, request)  # how neighbours of it are followed
    return Trajectory.of(coordinates.leave(motion), partial(simulate, kernels), near)  # as its user reads it


def restore(kernels: Kernels, settings: Settings, kept: Kept) -> Trajectory:
    """A motion that was kept, without following it again; where only that can tell, it is followed and compared."""
    request = read_request(kernels.user, settings)
    coordinates = kernels.coordinates(request)
    entry = coordinates.enter(request)
    motion = resumed(coordinates, entry, request, kept)
    if motion is None:
        return kept.compared(simulate(kernels, settings))
    return Trajectory.of(motion, partial(simulate, kernels), beside(coordinates, entry, request))
