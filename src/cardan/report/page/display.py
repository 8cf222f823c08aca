"""Systems and runs as notebooks show them: what they are made of, how a run went, and a picture of it."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from html import escape
from typing import Protocol

from cardan.audit.lines import audit_of
from cardan.diagnosis.manifold.manifold import Manifold
from cardan.errors import CardanError
from cardan.model.description import Description
from cardan.model.variables import CoordinateVariable, Variable
from cardan.native.showing import framed, table
from cardan.trajectory.trajectory import Trajectory

MOST = 40  # names in one row of a table
LARGEST = 6  # velocities of a system whose manifold is found at once


class Described(Protocol):
    """A system: what was said of it, and its manifold."""

    @property
    def description(self) -> Description: ...

    def manifold(self) -> Manifold: ...


def system_html(system: Described) -> str:
    """The name of a system, and what it is made of."""
    return framed(f"<p><b>{escape(system.description.name)}</b></p>", table(_parts(system)))


def _parts(system: Described) -> Iterator[tuple[str, str]]:
    d = system.description
    free = [one for one in d.variables if getattr(one, "symbol", None) not in d.prescribed]
    groups = {
        "coordinates": [
            f"{one.name} on {one.domain}" if isinstance(one, CoordinateVariable) else one.name for one in free
        ],
        "prescribed": [f"{symbol} = {motion}" for symbol, motion in d.prescribed.items()],
        "parameters": [f"{symbol} = {value:g}" for symbol, value in d.values.items()],
        "bodies": [one.name for one in d.bodies],
        "particles": [one.name for one in d.particles],
        "loads": [one.name for one in d.loads],
        "inputs": [str(one) for one in d.inputs],
        "constraints": [one.name for one in d.constraints],
        "stops": [one.name for one in d.stops],
    }
    for title, names in groups.items():
        if names:
            more = f", and {len(names) - MOST} more" if len(names) > MOST else ""
            yield title, ", ".join(names[:MOST]) + more
    manifold = _manifold(system)
    if manifold:
        yield "configuration manifold", manifold


def _coordinate(one: Variable) -> str:
    return f"{one.name} on {one.domain}" if isinstance(one, CoordinateVariable) else one.name


def _manifold(system: Described) -> str:
    """The manifold where it follows from joints alone; elsewhere ``s.manifold()`` has to search."""
    d = system.description
    typed = d.kinetic_energies or d.lagrangians or d.potentials
    size = sum(len(one.velocities) for one in d.variables)
    if typed or d.constraints or not (d.bodies or d.particles) or size > LARGEST:
        return ""
    try:
        return str(system.manifold())
    except CardanError:  # a description that is not finished yet
        return ""


def run_html(run: Trajectory) -> str:
    """How a run went: its audit, what happened, and its coordinates as a picture."""
    head = f"<p><b>{escape(run.model.name)}</b>, t = {run.t[0]:g} to {run.t[-1]:g} s, {len(run)} times</p>"
    rows = [_split(line) for line in str(audit_of(run)).splitlines()]
    events = [(f"{one.t:.6g}", one.kind, one.name, one.what) for one in run.events[:MOST]]
    happened = f"<p>Events</p>{table(events, ('t [s]', 'kind', 'name', 'what'))}" if events else ""
    return framed(head, _picture(run), table(rows), happened)


def _split(line: str) -> tuple[str, str]:
    """A line of an audit as (label, value); both are two spaces apart."""
    label, _, value = line.partition("  ")
    return label, value.strip()


def _picture(run: Trajectory) -> str:
    from cardan.report.figures.plots import plot_run

    image = io.BytesIO()
    plot_run(run).savefig(image, format="png", dpi=100)
    data = base64.b64encode(image.getvalue()).decode("ascii")
    return f'<img alt="coordinates and energy against time" style="max-width:100%" src="data:image/png;base64,{data}">'
