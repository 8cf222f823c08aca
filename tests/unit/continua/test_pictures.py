"""Pictures of strings and beams: what they show, and that they leave the user's figures alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, StoreError

x = sp.Symbol("x")
BEAM = cd.Beam(length=1.0, EI=1.0, rho_A=1.0, right={"mass": 0.3})
STRING = cd.String(length=1.0, tension=1.0, rho=1.0)


def test_a_figure_of_modes_shows_every_shape_with_its_frequency(tmp_path: Path):
    figure = BEAM.plot(3, path=tmp_path / "modes.png")
    (axes,) = figure.axes
    curves = [line for line in axes.lines if len(line.get_xdata()) > 100]
    assert len(curves) == 3
    for k, (curve, mode) in enumerate(zip(curves, BEAM.modes(3), strict=True)):
        shape, drawn = mode(np.asarray(curve.get_xdata())), np.asarray(curve.get_ydata()) - k
        assert np.allclose(drawn / 0.42, shape / np.max(np.abs(shape)))
    assert [text.get_text() for text in axes.texts] == [f"ω = {omega:.5g}" for omega in BEAM.frequencies(3)]
    assert (tmp_path / "modes.png").stat().st_size > 5000


def test_a_figure_of_dispersion_shows_both_branches(tmp_path: Path):
    figure = cd.Beam(length=1, EI=1, rho_A=1, kappa_GA=100, rho_I=0.01).plot_dispersion(30.0, path=tmp_path / "k.svg")
    left, right = figure.axes
    assert len(left.lines) == 2
    assert len(right.lines) == 4
    assert np.max(left.lines[0].get_xdata()) == pytest.approx(30.0)


def test_reflections_as_figure_and_film(tmp_path: Path):
    from PIL import Image

    waves = STRING.dalembert(sp.exp(-(((x - 0.3) / 0.05) ** 2)))
    figure = waves.plot(path=tmp_path / "waves.png")
    assert figure.axes[0].get_ylabel() == "time"
    film = waves.animate(tmp_path / "waves.gif", pictures=5)
    with Image.open(film) as pictures:
        assert pictures.n_frames == 5
    STRING.response(x * (1 - x), modes=3).plot(1.0, path=tmp_path / "series.png")
    STRING.response(x * (1 - x), modes=3).animate(tmp_path / "series.gif", 1.0, pictures=2)


def test_pictures_leave_pyplot_alone():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    BEAM.plot(1)
    assert plt.get_fignums() == before


def test_what_cannot_be_drawn_is_said(tmp_path: Path):
    with pytest.raises(StoreError, match=r"\.png"):
        BEAM.plot(1, path=tmp_path / "modes.doc")
    with pytest.raises(ModelError, match="pictures"):
        STRING.dalembert(x).animate(tmp_path / "film.gif", pictures=1)
