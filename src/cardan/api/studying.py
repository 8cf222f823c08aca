"""Many runs of a system: sweeps, and the studies that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cardan.api.keeping import Keeping
from cardan.errors import ModelError
from cardan.model.variables import CoordinateVariable

if TYPE_CHECKING:
    import sympy as sp
    from numpy.typing import ArrayLike

    from cardan.api.surveys import PlottedBasins, PlottedDiagram, PlottedSection
    from cardan.api.sweeping import Study
    from cardan.studies.fitting import Fit
    from cardan.studies.lyapunov import Lyapunov
    from cardan.studies.outputs import Output
    from cardan.studies.sampling import Sampling
    from cardan.studies.sensitivity import Sensitivity
    from cardan.studies.setup import Mover

Varied = Mapping[Any, Any] | None  # a number, a list of them, a range, or a distribution, by name


def side_by_side(q: Varied, v: Varied) -> list[tuple[Any, Any]]:
    """Starts of several motions: lists of equal length, numbers for all."""
    given = {(k, name): np.asarray(x, dtype=float) for k, one in enumerate((q, v)) for name, x in (one or {}).items()}
    lengths = {len(x) for x in given.values() if x.ndim}
    if len(lengths) > 1:
        raise ModelError(f"Starts side by side need lists of equal length, found {sorted(lengths)}.")
    wide = {key: np.broadcast_to(x, (max(lengths, default=1),)) for key, x in given.items()}
    return [
        tuple({name: float(x[j]) for (k, name), x in wide.items() if k == place} for place in (0, 1))  # type: ignore[misc]
        for j in range(max(lengths, default=1))
    ]


class Studying(Keeping):
    """Sweeps of a system."""

    def sweep(
        self,
        duration: float,
        *,
        q: Varied = None,
        v: Varied = None,
        parameters: Varied = None,
        loads: Varied = None,
        inputs: Varied = None,
        sampling: Sampling | None = None,
        outputs: Sequence[Output] | Output | None = None,
        points: int = 201,
        store: str | PathLike[str] | None = None,
        executor: Any = "processes",
        workers: int | None = None,
        resume: bool = True,
        progress: bool | None = None,
        task_seconds: float = 1.0,
        **settings: Any,
    ) -> Study:
        """Many runs: every combination of the lists given for q, v, parameters, loads and inputs, by name.

        ``sampling`` chooses rows otherwise: ``cd.Rows()`` takes lists side by side, ``cd.Sobol(1024)``,
        ``cd.LatinHypercube(n)``, ``cd.Halton(n)`` and ``cd.MonteCarlo(n, rng=1)`` draw them from ranges (low, high).
        ``outputs`` say what is kept of each run (``cd.final()``, ``cd.largest(expr)``, ``cd.when(expr)``, ...), looked
        at ``points`` times along it. With ``store="study.zarr"`` rows are kept as they are finished, and the same call
        goes on where it was; an address as "s3://bucket/study.zarr" is an object store (extra ``cloud``). ``executor``
        is "serial", "threads", "processes", "dask", the address of a Dask scheduler, a Dask client, or a
        ``concurrent.futures.Executor``; rows have the same bits with each of them. A run that fails is a row with a
        reason. Rows are handed out in tasks of about ``task_seconds``. The other ``settings`` are
        those of ``simulate``.
        """
        from cardan.api.sweeping import swept
        from cardan.studies.study import place_of

        given = {"q": q, "v": v, "parameters": parameters, "loads": loads, "inputs": inputs}
        asked = {**settings, "duration": duration}
        where = None if store is None else place_of(store)
        study, keeper = swept(self, asked, given, sampling, outputs, points, where, resume)
        keeper.close()
        return study.resume(executor=executor, workers=workers, progress=progress, task_seconds=task_seconds)

    def lyapunov(
        self,
        duration: float,
        *,
        count: int | None = None,
        settle: float | None = None,
        interval: float | None = None,
        **settings: Any,
    ) -> Lyapunov:
        """Lyapunov exponents of a motion, largest first, by variational equations from the graph.

        ``count`` of them (all by default); the first ``settle`` seconds (a tenth) are not counted, and vectors are made
        orthonormal every ``interval``. Neighbours are carried through impacts on smooth stops without friction, through
        contacts and along constraints; -inf is a direction that a contact takes away. The other ``settings`` are those
        of ``simulate``.
        """
        from cardan.studies.lyapunov import lyapunov
        from cardan.trajectory.settings import Settings

        return lyapunov(cast("Mover", self), Settings(duration, **settings), count, settle, interval)

    def basins(
        self, duration: float, *, q: Varied = None, v: Varied = None, near: float = 0.05, **sweep: Any
    ) -> PlottedBasins:
        """Which starts end together: all combinations of the lists in ``q`` and ``v`` are moved and put together by
        their ends.

        An attractor is a rest, free or against stops, a set of rests on which things stick, or what a motion comes
        back to at the end; ``near`` is the share of what each number went through below which ends are alike. Further
        keywords are those of ``sweep`` (store, executor, parameters, ...) and ``simulate``.
        """
        from cardan.api.surveys import PlottedBasins
        from cardan.studies.basins import basins_of, outputs_for

        kept = outputs_for((*self.model.q, *self.model.v))
        study = self.sweep(duration, q=q, v=v, outputs=kept, **sweep)
        variables = [one for one in self.description.variables if isinstance(one, CoordinateVariable)]
        found = basins_of(study, frozenset(one.name for one in variables if one.domain.is_angle), near)
        return PlottedBasins(found.study, found.labels, found.attractors)

    def poincare(
        self, section: sp.Expr, duration: float, *, q: Varied = None, v: Varied = None, direction: int = 1,
        **settings: Any,
    ) -> PlottedSection:  # fmt: skip
        """States of motions whenever ``section`` passes through zero in a direction (+1, -1, or 0 for both).

        ``q`` and ``v`` give numbers, or lists side by side for several motions; ``settings`` are those of
        ``simulate``. Impacts, rests and whatever else happens on the way are passed as in any run.
        """
        from cardan.api.surveys import PlottedSection
        from cardan.studies.sections import passages
        from cardan.trajectory.events import Event
        from cardan.trajectory.settings import Settings

        event = Event(section, direction, name="section")
        system = cast("Mover", self)
        found = [
            passages(system.follow(Settings(duration, q=one, v=other, events=[event], **settings)), "section")
            for one, other in side_by_side(q, v)
        ]
        names, title = tuple(map(str, (*self.model.q, *self.model.v))), f"{self.name}: {section} = 0"
        return PlottedSection(names, tuple(t for t, _ in found), tuple(y for _, y in found), title)

    def bifurcation(
        self, parameter: str, values: ArrayLike, period: float, *, settle: int = 200, keep: int = 60,
        q: Varied = None, v: Varied = None, t0: float = 0.0, **sweep: Any,
    ) -> PlottedDiagram:  # fmt: skip
        """What remains of motions once in every ``period`` of a drive, over a parameter: a diagram by brute force.

        The first ``settle`` periods are not kept, the next ``keep`` are; every value begins at the same start. Further
        keywords are those of ``sweep``. ``s.periodic_family`` follows what this finds, unstable parts included.
        """
        from cardan.api.surveys import PlottedDiagram
        from cardan.studies.outputs import states

        times = t0 + period * np.arange(settle, settle + keep)
        study = self.sweep(
            float(times[-1] - t0), q=q, v=v, t0=t0, parameters={str(parameter): values}, outputs=states(times), **sweep
        )
        names = (*study.facts["q"], *study.facts["v"])
        return PlottedDiagram(str(parameter), study.values[:, 0], names, study.states, study)

    def fit(
        self,
        times: ArrayLike,
        data: Mapping[str, ArrayLike],
        *,
        parameters: Mapping[str, float],
        bounds: Mapping[str, tuple[float, float]] | None = None,
        sigma: float | None = None,
        confidence: float = 0.95,
        **settings: Any,
    ) -> Fit:
        """Parameters that bring the motion nearest to measured ``data``: series by name of coordinates or velocities.

        ``parameters`` are those to be found, with first guesses; ``settings`` are those of ``simulate`` (q, v, ...).
        Standard errors and intervals follow from the residuals, or from ``sigma`` where the noise is known.
        Combinations that the data do not tell are named in ``unseen``.
        """
        from cardan.studies.fitting import fit

        return fit(cast("Mover", self), times, data, parameters, settings, bounds or {}, sigma, confidence)

    def sensitivity(
        self,
        duration: float,
        output: Output,
        *,
        q: Varied = None,
        v: Varied = None,
        parameters: Varied = None,
        method: str = "sobol",
        count: int = 256,
        rng: int = 0,
        **settings: Any,
    ) -> Sensitivity:
        """Which of several ranges (low, high) matter for an output: Sobol indices or Morris screening (extra
        ``sensitivity``). ``count`` is SALib's N: Sobol takes N (names + 2) runs, Morris N (names + 1)."""
        from cardan.studies.sensitivity import sensitivity

        given = {"q": q or {}, "v": v or {}, "parameters": parameters or {}}
        ranges = {(place, str(name)): one for place, names in given.items() for name, one in names.items()}

        def run(rows: Sampling) -> Study:
            return self.sweep(duration, q=q, v=v, parameters=parameters, sampling=rows, outputs=output, **settings)

        return sensitivity(run, ranges, output.label, method, count, rng)
