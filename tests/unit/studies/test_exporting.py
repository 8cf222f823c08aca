"""Tables of a run for other programs."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import InstallationError, StoreError
from cardan.studies.exporting import export
from cardan.studies.extras import needed


@pytest.fixture(scope="module")
def run() -> cd.Run:
    """A pendulum on a rod that holds it: a mass at distance 2, by a multiplier."""
    s = cd.System("hanging")
    x, y = s.coordinates("x y")
    P = s.particle("P", mass=3, position=x * s.world.x + y * s.world.y)
    s.gravity(-10 * s.world.y)
    s.distance(P, s.world.origin, 2, name="rod")
    return s.simulate(1.0, q=[0.0, -2.0], times=[0.0, 0.5, 1.0])


def test_a_csv_has_units_and_every_digit(run: cd.Run, tmp_path: Path) -> None:
    with run.to_csv(tmp_path / "x.csv").open(newline="") as stream:
        header, *rows = list(csv.reader(stream))
    assert header[:5] == ["t [s]", "x [m]", "y [m]", "x_dot [m/s]", "y_dot [m/s]"]
    table = dict(zip(header, np.array(rows, dtype=float).T, strict=True))
    assert np.array_equal(table["y [m]"], run.q[:, 1])
    assert np.array_equal(table["energy [J]"], run.energy)
    # at rest the rod pulls with the weight 3 x 10 N: it is held up by that force, and lam is negative when it pulls
    assert table["reaction P force_y [N]"] == pytest.approx([30.0] * 3, abs=1e-9)
    assert table["multiplier rod"] == pytest.approx([-30.0] * 3, abs=1e-9)


def test_all_formats_hold_the_same_numbers(run: cd.Run, tmp_path: Path) -> None:
    import pandas
    import xarray
    from scipy.io import loadmat

    frame = run.to_dataframe()
    assert frame.attrs["units"]["reaction P force_y"] == "N"
    read = pandas.read_parquet(run.to_parquet(tmp_path / "x.parquet"))
    assert list(read.columns) == list(frame.columns)
    assert np.array_equal(read.to_numpy(), frame.to_numpy())
    data = run.to_xarray()
    assert data["x"].attrs["units"] == "m"
    with xarray.open_dataset(run.to_netcdf(tmp_path / "x.nc"), engine="h5netcdf") as opened:
        assert np.array_equal(opened["multiplier_rod"].to_numpy(), data["multiplier rod"].to_numpy())
    matlab = loadmat(run.to_mat(tmp_path / "x.mat"))
    assert np.array_equal(matlab["multiplier_rod"].ravel(), data["multiplier rod"].to_numpy())
    with np.load(export(run, tmp_path / "x.npz")) as arrays:
        assert np.array_equal(arrays["multiplier_rod"], data["multiplier rod"].to_numpy())


def test_unknown_endings_and_missing_packages_are_told(run: cd.Run, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"\.parquet"):
        export(run, tmp_path / "x.doc")
    with pytest.raises(InstallationError, match=r"cardan\[data\]"):
        needed("no_such_package", "data", "A data frame")
