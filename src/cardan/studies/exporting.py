"""A run written for others: CSV, NPZ, Parquet, netCDF, MATLAB; and as a data frame or an xarray data set.

Files are written beside their place and renamed, so that whoever reads sees the old or the whole new one.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardan.errors import StoreError
from cardan.formats.storing import written_beside
from cardan.studies.extras import needed
from cardan.studies.table import Column, columns_of
from cardan.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    import pandas
    import xarray

EXTRA = "data"


def data_frame(run: Trajectory) -> pandas.DataFrame:
    """A pandas data frame: one row per time, columns by name; units in ``frame.attrs["units"]``."""
    module = needed("pandas", EXTRA, "A data frame")
    columns = columns_of(run)
    frame: pandas.DataFrame = module.DataFrame({one.name: one.values for one in columns})
    frame.attrs = {"units": {one.name: one.unit for one in columns}, "model": run.model.name, "status": run.status}
    return frame


def data_set(run: Trajectory) -> xarray.Dataset:
    """An xarray data set over the coordinate t; every variable has its unit."""
    module = needed("xarray", EXTRA, "An xarray data set")
    time, *others = columns_of(run)
    made: xarray.Dataset = module.Dataset(
        {one.name: ("t", one.values, {"units": one.unit}) for one in others},
        coords={"t": ("t", time.values, {"units": time.unit})},
        attrs={"model": run.model.name, "status": run.status, "message": run.message},
    )
    return made


def write_csv(run: Trajectory, path: Path) -> None:
    """Numbers with all their digits, under a header with units."""
    columns = columns_of(run)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow([one.title for one in columns])
        writer.writerows([repr(float(x)) for x in row] for row in np.column_stack([one.values for one in columns]))


def write_npz(run: Trajectory, path: Path) -> None:
    """Arrays by name; ``units`` beside ``names``, and t, q, v as tables."""
    columns = columns_of(run)
    q_names, v_names = ([str(symbol) for symbol in symbols] for symbols in (run.model.q, run.model.v))
    others = {_identifier(one.name): one.values for one in columns if one.name not in {"t", *q_names, *v_names}}
    names, units = [one.name for one in columns], [one.unit for one in columns]
    tables = {"t": run.t, "q": run.q, "v": run.v, "q_names": np.array(q_names), "v_names": np.array(v_names)}
    arrays: dict[str, Any] = {**tables, "names": np.array(names), "units": np.array(units), **others}
    with path.open("wb") as stream:
        np.savez(stream, **arrays)


def write_parquet(run: Trajectory, path: Path) -> None:
    """A Parquet table, units as metadata of its fields."""
    arrow = needed("pyarrow", EXTRA, "Parquet")
    parquet = needed("pyarrow.parquet", EXTRA, "Parquet")
    columns = columns_of(run)
    fields = [arrow.field(one.name, arrow.float64(), metadata={"units": one.unit}) for one in columns]
    table = arrow.table([one.values for one in columns], schema=arrow.schema(fields))
    parquet.write_table(table, path)


def write_netcdf(run: Trajectory, path: Path) -> None:
    """A netCDF 4 file (HDF5)."""
    needed("h5netcdf", EXTRA, "netCDF")
    renamed = {str(name): _identifier(str(name)) for name in data_set(run).variables}
    data_set(run).rename(renamed).to_netcdf(path, engine="h5netcdf")


def write_mat(run: Trajectory, path: Path) -> None:
    """A MATLAB file: one vector per column, and cell arrays ``names`` and ``units``."""
    from scipy.io import savemat

    columns = columns_of(run)
    cells = {
        "names": np.array([one.name for one in columns], dtype=object),
        "units": np.array([one.unit for one in columns], dtype=object),
    }
    vectors: dict[str, object] = dict(_unlike([(_identifier(one.name), one) for one in columns]))
    savemat(str(path), vectors | cells, oned_as="column", long_field_names=True, appendmat=False)


def _identifier(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def _unlike(pairs: Sequence[tuple[str, Column]]) -> list[tuple[str, np.ndarray]]:
    """Names cut to MATLAB's 63 letters and told apart by numbers."""
    found: dict[str, np.ndarray] = {}
    for name, column in pairs:
        short, k = name[:63], 1
        while short in found:
            k += 1
            short = f"{name[:59]}_{k}"
        found[short] = column.values
    return list(found.items())


WRITERS: dict[str, Callable[[Trajectory, Path], None]] = {
    ".csv": write_csv,
    ".npz": write_npz,
    ".parquet": write_parquet,
    ".nc": write_netcdf,
    ".mat": write_mat,
}


def export(run: Trajectory, path: str | PathLike[str], ending: str | None = None) -> Path:
    """Write a run in the format of its ending, or of the one that is given; returns the path."""
    target = Path(path)
    kind = (ending or target.suffix).lower()
    if kind not in WRITERS:
        raise StoreError(f"{target} should end with one of {', '.join(WRITERS)}.", path=str(target))
    with written_beside(target) as part:
        WRITERS[kind](run, part)
    return target
