"""How a run is kept and handed to other programs. Each method is one call into the room that writes it."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from cardan.api.showing import Showing
from cardan.errors import StoreError

if TYPE_CHECKING:
    import pandas
    import xarray

    from cardan.api.system import System

Where = str | PathLike[str]


class RunKeeping(Showing):
    """Files of a run."""

    system: System

    def save(self, path: Where) -> Path:
        """Write the run to a folder ``x.zarr``, from which ``cd.load_run`` gives the same run back.

        It holds the arrays (Zarr v3, every chunk with its CRC32C), the model, start and settings as a model file, and
        the SHA-256 of everything; no code. What a model file has no word for, such as a load given as a Python
        function, is refused by name. Written beside its place and renamed.
        """
        from cardan.studies.kept_runs import save

        return save(self, self.system.data_of(self), Path(path))

    def to_csv(self, path: Where) -> Path:
        """A table of states, energies, multipliers and reactions; units in the header."""
        return self._exported(path, ".csv")

    def to_parquet(self, path: Where) -> Path:
        """The same table as Parquet (extra ``data``)."""
        return self._exported(path, ".parquet")

    def to_netcdf(self, path: Where) -> Path:
        """The same table as netCDF 4 (extra ``data``)."""
        return self._exported(path, ".nc")

    def to_mat(self, path: Where) -> Path:
        """The same table for MATLAB."""
        return self._exported(path, ".mat")

    def to_dataframe(self) -> pandas.DataFrame:
        """The same table as a pandas data frame (extra ``data``); units in ``frame.attrs``."""
        from cardan.studies.exporting import data_frame

        return data_frame(self)

    def to_xarray(self) -> xarray.Dataset:
        """The same table as an xarray data set over t (extra ``data``)."""
        from cardan.studies.exporting import data_set

        return data_set(self)

    def _exported(self, path: Where, ending: str) -> Path:
        from cardan.studies.exporting import export

        return export(self, path, ending)

    def __reduce__(self) -> NoReturn:
        raise StoreError("A run holds machine code and cannot be pickled. Use run.save('x.zarr') and cd.load_run.")
