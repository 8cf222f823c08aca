"""A sweep as plain data: the model as a model file, what varies, what is kept; and studies from stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardan.api.loading import PLANNED, arguments
from cardan.formats.build import build
from cardan.formats.document import Document
from cardan.formats.expression_text import said
from cardan.formats.model_reader import check_model
from cardan.formats.say_plan import say_plan
from cardan.simulation.methods.objects import resolve
from cardan.studies.driving import Keeper, Memory, opened
from cardan.studies.objects import Bucket
from cardan.studies.outputs import Output, checked
from cardan.studies.rows import Bench
from cardan.studies.sampling import Grid, Sampling
from cardan.studies.setup import Setup, require_known, varied
from cardan.studies.store import Layout
from cardan.studies.study import Study as Rows
from cardan.studies.study import facts_of
from cardan.studies.study import load_study as stored_study
from cardan.trajectory.events import checked_events

if TYPE_CHECKING:
    from cardan.api.run import Run
    from cardan.api.system import System
    from cardan.report.data.maps import Picture
    from cardan.viewer.notebook import Embedded
    from cardan.viewer.server import Viewer


class Study(Rows):
    """Rows of a sweep, with pages on which they are seen. ``study["name"]`` is a number of every row."""

    def report(
        self, path: str | PathLike[str], name: str, x: str | None = None, y: str | None = None, *,
        row: int | Sequence[int] | None = None, label: str = "", logarithmic: bool = False, colours: str = "viridis",
        title: str | None = None,
    ) -> Path:  # fmt: skip
        """Write a report with a map: a click on a pixel shows that run. Returns its whole path.

        One HTML file that opens without a network and computes the run of a pixel by itself, where nothing has to be
        decided in Python (see ``run.report``); elsewhere the page tells what is known of each row, and ``study.view``
        shows them. ``row`` is the run that is shown first.
        """
        from cardan.report.page.html import write_report

        run, picture = self._pictured(name, x, y, row, label, logarithmic, colours)
        return write_report(run, path, title=title, picture=picture).absolute()

    def view(
        self, name: str, x: str | None = None, y: str | None = None, *, row: int | Sequence[int] | None = None,
        label: str = "", logarithmic: bool = False, colours: str = "viridis", open_browser: bool = True,
        block: bool | None = None, port: int = 0,
    ) -> Viewer | Embedded:  # fmt: skip
        """A map on a page of the browser: a click on a pixel simulates that run, whatever the model holds.

        ``open_browser``, ``block`` and ``port`` are those of ``run.view``.
        """
        from cardan.api.viewing import show

        run, picture = self._pictured(name, x, y, row, label, logarithmic, colours)
        return show(run, open_browser, block, port, picture)

    def _pictured(
        self, name: str, x: str | None, y: str | None, row: int | Sequence[int] | None, label: str, logarithmic: bool,
        colours: str,
    ) -> tuple[Run, Picture]:  # fmt: skip
        from cardan.api.run import Run
        from cardan.report.data.maps import Picture, whole_run

        picture = Picture(self, name, x, y, None if row is None else self.number_of(row), label, logarithmic, colours)
        run = whole_run(picture)
        assert isinstance(run, Run)
        return run, picture


def system_of(data: dict[str, Any]) -> System:
    """The system that the data of a model file describe, with its plan: what every worker begins with."""
    from cardan.api.system import System

    model, document = check_model(Document(data, "study", {}))
    system = System(model.name)
    system.plan = arguments(build(model, document, system))
    system.came_from({key: value for key, value in data.items() if key not in PLANNED})
    return system


def swept(
    system: Any, asked: Mapping[str, Any], given: Mapping[str, Any], sampling: Sampling | None,
    outputs: Sequence[Output] | Output | None, points: int, store: Path | Bucket | None, resume: bool,
) -> tuple[Study, Keeper]:  # fmt: skip
    """The study and what keeps its rows."""
    setup = setup_of(system, asked, given, sampling, outputs, points)
    bench = Bench(setup)  # refuses here, by name, what workers would refuse
    model = bench.system.kernels.model
    facts = facts_of(bench.system)
    layout = Layout.of(len(setup), bench.width, len(setup.times), len(model.q) + len(model.v))
    keeper = opened(setup, facts, layout, store, resume=resume)
    if isinstance(store, Bucket):
        return Study(setup, facts, store.folder, bucket=store), keeper
    return Study(setup, facts, keeper if isinstance(keeper, Memory) else Path(store or "")), keeper


def setup_of(
    system: Any, asked: Mapping[str, Any], given: Mapping[str, Any], sampling: Sampling | None,
    outputs: Sequence[Output] | Output | None, points: int,
) -> Setup:  # fmt: skip
    """Everything that decides the numbers of a sweep."""
    fixed, columns, lists = varied(given)
    require_known([*columns, *((place, name) for place, names in fixed.items() for name in names)], system.description)
    values, shape = (sampling or Grid()).rows([f"{place} {name}" for place, name in columns], lists)
    method, step = resolve(asked.get("method", "auto"), asked.get("step"))
    base = {**asked, "method": method.name, "step": step}
    base |= {place: names for place, names in fixed.items() if place != "parameters"}
    plan = say_plan(base, checked_events(asked.get("events", ())))
    data = {**system.as_data(), **plan}
    data["parameters"] = {**data.get("parameters", {}), **fixed.get("parameters", {})}
    atol = asked.get("atol")
    extra = {"atol": np.asarray(atol, dtype=float).tolist()} if atol is not None and np.ndim(atol) else {}
    return Setup(system_of, data, tuple(columns), values, shape, _said(checked(outputs)), points, extra)


def _said(outputs: tuple[Output, ...]) -> tuple[Output, ...]:
    """Outputs with their expressions as text."""
    return tuple(
        one if one.expression is None else replace(one, expression=str(said(one.expression))) for one in outputs
    )


def load_study(path: str | PathLike[str], *, damaged: bool = False) -> Study:
    """The study that a store holds; rows that are missing are nan and "pending" until ``study.resume()``.

    With ``damaged`` rows that cannot be read are missing, too, instead of an error.
    """
    return stored_study(path, system_of, Study, damaged=damaged)
