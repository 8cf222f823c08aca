"""A study: many runs of one system, what was varied, what came of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardan.errors import StoreError, unknown
from cardan.native.showing import Shown
from cardan.studies.arrays import take
from cardan.studies.driving import Keeper, Memory, drive
from cardan.studies.extras import needed
from cardan.studies.objects import Bucket, BucketWriter
from cardan.studies.outputs import from_plan
from cardan.studies.pending import SECONDS
from cardan.studies.progress import grouped
from cardan.studies.rows import GOOD, STATUS, Bench
from cardan.studies.setup import Mover, Setup
from cardan.studies.store import Reader, Writer
from cardan.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Failures(Shown):
    """Rows that did not reach their end, and why; equal reasons are counted together."""

    rows: NDArray[np.intp]
    reasons: Mapping[int, str]
    groups: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        if not len(self):
            return "no failures"
        told = [f"{count:8d}  {reason}" for reason, count in self.groups.items()]
        return "\n".join([f"{len(self)} failures:", *told])


class Study(Shown):
    """Rows of a sweep. ``study["name"]`` is a number of every row, in the shape of the sweep."""

    def __init__(
        self, setup: Setup, facts: Mapping[str, Any], source: Memory | Path, *, damaged: bool = False,
        bucket: Bucket | None = None,
    ) -> None:  # fmt: skip
        self._damaged = damaged  # whether shards that cannot be read are left out
        self._bucket = bucket  # where ``source`` is a copy of it
        self.setup, self.facts, self._source = setup, dict(facts), source
        self._arrays: dict[str, NDArray[Any]] = {}
        self._reasons: dict[int, str] = {}
        self._bench: Bench | None = None

    @property
    def path(self) -> Path | None:
        """The folder where it is kept, or where its copy is; None where it is in memory only."""
        return self._source if isinstance(self._source, Path) else None

    # --- what is there -----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.setup)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.setup.shape

    @property
    def columns(self) -> list[str]:
        """Names of what was varied; with the place where a name is varied in two."""
        names = [name for _, name in self.setup.columns]
        return [name if names.count(name) == 1 else f"{place} {name}" for place, name in self.setup.columns]

    @property
    def names(self) -> list[str]:
        """Names of what was kept of every row."""
        return self.setup.names(self.facts["q"], self.facts["v"])

    @property
    def values(self) -> Table:
        """What was varied: one row per run, one column per name."""
        return self.setup.values

    def _array(self, name: str) -> NDArray[Any]:
        if isinstance(self._source, Memory):
            self._reasons = self._source.reasons
            return self._source.arrays[name]
        if name not in self._arrays:
            reader = Reader(self._source)
            self._arrays[name] = reader.intact(name)[0] if self._damaged else reader.array(name)
            self._reasons |= reader.reasons
        return self._arrays[name]

    @property
    def status(self) -> NDArray[np.str_]:
        """How each row ended."""
        found: NDArray[np.str_] = np.array(STATUS)[self._array("status")]
        return found

    @property
    def ended(self) -> Table:
        """When each row ended."""
        return self._array("ended")

    @property
    def states(self) -> Table:
        """States at the times of ``cd.states``: (rows, times, numbers)."""
        if not self.setup.times:
            raise StoreError("No states were kept. Ask for them with outputs=[cd.states(times)].")
        return self._array("states")

    def __getitem__(self, name: str) -> Table:
        """A number of every row, kept or varied, in the shape of the sweep."""
        if name in self.names:
            return self._array("numbers")[:, self.names.index(name)].reshape(self.shape)
        if name in self.columns:
            return self.values[:, self.columns.index(name)].reshape(self.shape)
        raise unknown(name, [*self.names, *self.columns], "number of this study")

    @property
    def is_complete(self) -> bool:
        """Whether every row was run."""
        return bool((self._array("status") != STATUS.index("pending")).all())

    def failures(self) -> Failures:
        """Rows that did not reach their end, with reasons."""
        good = [STATUS.index(one) for one in (*GOOD, "pending")]
        rows = np.flatnonzero(~np.isin(self._array("status"), good))
        reasons = {int(row): self._reasons.get(int(row), str(self.status[row])) for row in rows}
        groups = Counter(grouped(one) for one in reasons.values())
        return Failures(rows, reasons, dict(groups.most_common()))

    # --- more of it --------------------------------------------------------------------------------

    def bench(self) -> Bench:
        """The system ready to run rows."""
        if self._bench is None:
            self._bench = Bench(self.setup)
        return self._bench

    def run(self, row: int | Sequence[int]) -> Trajectory:
        """A row once more, alone: the same motion bit for bit, for reports and the viewer. An index of the sweep's
        shape, as (3, 5), or a number of a row."""
        return self.bench().run(self.number_of(row))

    def number_of(self, row: int | Sequence[int]) -> int:
        """The number of a row that is given by its index in the sweep's shape, or by its number."""
        where = (row,) if isinstance(row, (int, np.integer)) else tuple(row)
        shape = (len(self),) if len(where) == 1 else self.shape
        if len(where) != len(shape) or not all(-n <= k < n for k, n in zip(where, shape, strict=True)):
            raise StoreError(f"There is no row {row!r} in a study of the shape {self.shape}.", row=row)
        return int(np.ravel_multi_index([int(k) % n for k, n in zip(where, shape, strict=True)], shape))

    def resume(
        self, *, executor: Any = None, workers: int | None = None, progress: bool | None = None,
        task_seconds: float = SECONDS,
    ) -> Self:  # fmt: skip
        """Run the rows that are missing, in tasks of about ``task_seconds``."""
        keeper = self._keeper()
        try:
            drive(self.setup, keeper, executor=executor, workers=workers, shown=progress, task_seconds=task_seconds)
        finally:
            keeper.close()
            self._arrays = {}
        return self

    def _keeper(self) -> Keeper:
        if self._bucket is not None:
            return BucketWriter(self._bucket)
        return self._source if isinstance(self._source, Memory) else Writer(self._source)

    def verify(self) -> list[str]:
        """Everything that is damaged in the store, in words; empty where nothing is."""
        return [] if isinstance(self._source, Memory) else Reader(self._source).verify()

    def to_xarray(self) -> xarray.Dataset:
        """An xarray data set: one variable for each number kept, over what was varied (extra ``data``)."""
        module = needed("xarray", "data", "An xarray data set")
        is_grid = len(self.shape) == len(self.columns) > 0 and self._is_grid()
        if is_grid:
            dims = tuple(self.columns)
            coords: dict[str, Any] = {name: self.axis(k) for k, name in enumerate(dims)}
        else:
            dims = ("row",)
            coords = {name: ("row", self[name].ravel()) for name in self.columns}
        shape = self.shape if is_grid else (len(self),)
        found: dict[str, Any] = {name: (dims, self[name].reshape(shape)) for name in self.names}
        found["status"] = (dims, self.status.reshape(shape))
        found["ended"] = (dims, self.ended.reshape(shape))
        if self.setup.times:
            coords |= {"time": np.array(self.setup.times), "number": [*self.facts["q"], *self.facts["v"]]}
            found["states"] = ((*dims, "time", "number"), self.states.reshape(*shape, *self.states.shape[1:]))
        made: xarray.Dataset = module.Dataset(found, coords=coords, attrs={"model": self.facts["name"]})
        return made

    def axis(self, k: int) -> Table:
        """The values of the k-th of what was varied, where all combinations were run."""
        return np.moveaxis(self[self.columns[k]], k, 0).reshape(self.shape[k], -1)[:, 0]

    def _is_grid(self) -> bool:
        return int(np.prod(self.shape)) == len(self)

    def plot_map(
        self, name: str, x: str | None = None, y: str | None = None, *, path: str | PathLike[str] | None = None,
        axes: Axes | None = None, label: str = "", logarithmic: bool = False, colours: str = "viridis",
    ) -> Figure:  # fmt: skip
        """A picture of a number over two of what was varied; failed rows are grey. Saved to ``path`` if given."""
        from cardan.studies.picturing import plot_map

        return plot_map(self, name, x, y, path, axes, label, logarithmic, colours)

    def _row(self) -> dict[str, object]:
        status = self._array("status")
        row: dict[str, object] = {"study": self.facts["name"], "rows": len(self), "done": int((status != 0).sum())}
        row |= {"varied": tuple(self.columns)}
        return row | {"kept": "in memory" if self.path is None else str(self.path)}

    def __repr__(self) -> str:
        done = int((self._array("status") != 0).sum())
        where = self._bucket.address if self._bucket else self.path
        kept = "in memory" if where is None else f"in {where}"
        return f"Study({self.facts['name']!r}: {done} of {len(self)} rows {kept}; varied {', '.join(self.columns)})"


def facts_of(system: Mover) -> dict[str, Any]:
    """What readers want to know of the model."""
    model = system.kernels.model
    return {"name": model.name, "q": [str(x) for x in model.q], "v": [str(x) for x in model.v]}


Kind = TypeVar("Kind", bound=Study)


def load_study(
    path: str | PathLike[str], make: Callable[[dict[str, Any]], Mover], kind: type[Kind], *, damaged: bool = False
) -> Kind:
    """The study that a store holds, as a ``kind`` of study; ``make`` turns the data of a model file into a system."""
    place = place_of(path)
    folder = place.fetch() if isinstance(place, Bucket) else place
    reader = Reader(folder)
    plan = reader.manifest["plan"]
    outputs = tuple(from_plan(one) for one in plan["outputs"])
    columns = tuple((place, name) for place, name in plan["columns"])
    values = take(reader.group, "values", folder)
    setup = Setup(
        make, plan["model"], columns, values, tuple(plan["shape"]), outputs, plan["points"], plan["extra"]
    )  # fmt: skip
    if setup.digest() != reader.manifest["digest"]:
        raise StoreError(f"{path}: plan and values do not belong together; something is damaged.", path=str(path))
    bucket = place if isinstance(place, Bucket) else None
    return kind(setup, reader.manifest["facts"], folder, damaged=damaged, bucket=bucket)


def place_of(where: str | PathLike[str]) -> Path | Bucket:
    """The folder or the bucket that is meant."""
    return Bucket(where) if isinstance(where, str) and "://" in where else Path(where)
