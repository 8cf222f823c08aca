"""The module that a page computes with: the loop, the equations of motion, what keeps constraints, and what ends it.

A motion is watched for what only Python can decide: the edge of the coordinates, constraints that come near to a loss
of rank, stops that are reached. The page ends there and says so.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass

from cardan.codegen.compiled import Kernel
from cardan.codegen.constrained import texts_of
from cardan.codegen.emit import emit_module
from cardan.codegen.function import NativeFunction
from cardan.codegen.linking import fixed_text, joined_text
from cardan.equations.stops import stop_nodes
from cardan.linalg.projection import WATCHED
from cardan.native.wasm import webassembly
from cardan.report.data.live_entries import Code, WatchEntry
from cardan.report.data.sampling import Table
from cardan.simulation import layout
from cardan.simulation.methods.method import Loop
from cardan.simulation.protocol import CompiledModel
from cardan.trajectory.charts.guard import edge_level
from cardan.trajectory.charts.indicator import ChartIndicator, indicator_function, may_be_singular
from cardan.trajectory.trajectory import Trajectory

WATCH = "watch"  # name of the kernel of everything that is watched


@dataclass(frozen=True)
class Watched:
    """One thing that ends a motion in the page: a kernel by name, of whose outputs one becomes negative there."""

    kind: str  # "coordinates", "rank" or "stop"
    name: str
    outputs: int = 1
    mark: int = layout.EXACT  # whether the motion ends at the crossing, or a little beside it
    kernels: tuple[NativeFunction, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def entry(self) -> WatchEntry:
        return {"kind": self.kind, "count": self.outputs}


def first_mode(run: Trajectory) -> CompiledModel:
    """The model in which the motion began."""
    mode = run.solution.segments[0].model
    assert mode is not None, "a run that a native loop made"
    return mode


def level_of(run: Trajectory) -> float:
    """The least pivot of the constraints at which a motion is interrupted; 0 where it is not watched."""
    kernel = run.kernel
    return float(first_mode(run).parameters[len(kernel.parameters) + kernel.m + WATCHED]) if kernel.m else 0.0


def watched_in(run: Trajectory) -> list[Watched]:
    """What ends a motion, in the order in which guards are asked."""
    kernel, found = run.kernel, list[Watched]()
    if run.model.stops:
        gaps = gaps_of(kernel)
        found.append(Watched("stop", gaps.name, gaps.nout, kernels=(gaps,)))
    if level_of(run) > 0:
        found.append(Watched("rank", "nearness", mark=layout.ROUGH))
    if may_be_singular(kernel):
        found.append(_edge(run))
    return found


def _edge(run: Trajectory) -> Watched:
    """The edge of the coordinates; its sizes stand behind the parameters, where constraints have no numbers there."""
    kernel, indicator = run.kernel, indicator_function(run.kernel)
    if not kernel.m:
        return Watched("coordinates", indicator.name, kernels=(indicator,))
    level, y, t = edge_level(run.settings.rtol, is_noisy=True), run.solution.y[0], float(run.solution.t[0])
    sizes = ChartIndicator(kernel, y, t, run.parameters, level).tail
    text = fixed_text("edge", indicator.name, len(kernel.parameters), [float(x) for x in sizes])
    return Watched("coordinates", "edge", kernels=(indicator,), texts=(text,))


def gaps_of(kernel: Kernel) -> NativeFunction:
    """How far every stop is away."""
    return kernel.keep("gaps", lambda: kernel.custom("gaps", stop_nodes(kernel.dynamics).gaps))


def code_of(run: Trajectory, loop: Loop, table: Table, watched: list[Watched]) -> Code:
    """Everything in one module; kernels are exported by name, and those that others call have an address."""
    kernel = run.kernel
    kernels = [kernel.custom("outputs", kernel.dynamics.impose(table.numbers)), *_equations(kernel)]
    kernels += [kernel for one in watched for kernel in one.kernels]
    texts = [loop.run.ir(), loop.states_at.ir(), emit_module([one.text for one in kernels])]
    texts += texts_of(kernel.compiled.constrained_kernels) if kernel.m else []
    texts += [text for one in watched for text in one.texts]
    texts += [joined_text(WATCH, [(one.name, one.outputs) for one in watched])] if watched else []
    called = ["rhs", *(["project", "nearness"] if kernel.m else []), *([WATCH] if watched else [])]
    ends = loop.run.signature.symbol, loop.states_at.signature.symbol
    made = webassembly(texts, [*ends, "outputs", *called], called)
    return {
        "wasm": base64.b64encode(made.code).decode("ascii"),
        "imports": list(made.imports),
        "data_end": made.data_end,
        "table_size": made.table_size,
        "run": ends[0],
        "states_at": ends[1],
        "arguments": [name for name, _ in loop.run.signature.flat],
        "arguments_at": [name for name, _ in loop.states_at.signature.flat],
    }


def _equations(kernel: Kernel) -> list[NativeFunction]:
    """The right-hand side, or what it is made of where constraints are solved for."""
    return kernel.compiled.constrained_kernels.all if kernel.m else [kernel.function("rhs")]
