"""The rows of a study as a table: CSV, Parquet, netCDF, or an array file."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardan.errors import StoreError
from cardan.formats.storing import written_beside
from cardan.studies.extras import needed

if TYPE_CHECKING:
    from cardan.studies.study import Study

ENDINGS = (".csv", ".parquet", ".nc", ".npz")


def columns_of(study: Study) -> dict[str, Any]:
    """What was varied, what was kept, when and how each row ended."""
    found: dict[str, Any] = {name: study[name].ravel() for name in (*study.columns, *study.names)}
    return found | {"ended": study.ended, "status": study.status}


def export_study(study: Study, path: Path) -> Path:
    """Write the rows; returns the path."""
    if path.suffix.lower() not in ENDINGS:
        raise StoreError(f"{path} should end with one of {', '.join(ENDINGS)}.", path=str(path))
    with written_beside(path) as part:
        _WRITERS[path.suffix.lower()](study, part)
    return path


def _csv(study: Study, path: Path) -> None:
    columns = columns_of(study)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*(np.asarray(one).tolist() for one in columns.values()), strict=True))


def _parquet(study: Study, path: Path) -> None:
    arrow, parquet = needed("pyarrow", "data", "Parquet"), needed("pyarrow.parquet", "data", "Parquet")
    parquet.write_table(arrow.table({name: np.asarray(one) for name, one in columns_of(study).items()}), path)


def _netcdf(study: Study, path: Path) -> None:
    needed("h5netcdf", "data", "netCDF")
    data = study.to_xarray()
    plain = {str(name): str(name).replace(" ", "_") for name in (*data.variables, *data.dims)}
    data.rename({old: new for old, new in plain.items() if old != new}).to_netcdf(path, engine="h5netcdf")


def _npz(study: Study, path: Path) -> None:
    with path.open("wb") as stream:
        np.savez(stream, **columns_of(study))


_WRITERS = {".csv": _csv, ".parquet": _parquet, ".nc": _netcdf, ".npz": _npz}
