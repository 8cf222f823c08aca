"""The picture of indicators: a logarithmic axis, thresholds, crossings, and findings at the times theory gives."""

from __future__ import annotations

import numpy as np

from cardan.diagnosis.indicators import NEAR, SINGULAR
from cardan.report.figures.indicator_plots import crossings, plot_indicators, sampled
from support.close import assert_close
from support.pictured import moved


def test_axes_thresholds_and_names() -> None:
    (axes,) = moved().plot_indicators().axes
    assert axes.get_yscale() == "log"
    assert axes.get_xlabel() == "time [s]"
    assert axes.get_ylabel() == "indicator (no unit)"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["basis", "load F"]
    levels = {float(line.get_ydata()[0]) for line in axes.lines if len(line.get_xdata()) == 2}
    assert {NEAR, SINGULAR} <= levels
    words = [text.get_text() for text in axes.texts]
    assert any("near below" in text for text in words)
    assert any("singular below" in text for text in words)


def test_the_indicator_of_the_force_vanishes_where_the_bead_passes_the_axis() -> None:
    """Gimbal lock at phi_e = 0 modulo pi: the numbered lines stand where the run passes there."""
    run = moved()
    figure = plot_indicators(run)
    (axes,) = figure.axes
    upright = sorted({float(line.get_xdata()[0]) for line in axes.lines if list(line.get_ydata()) == [0, 1]})
    fine = run.at(np.linspace(0.0, 6.0, 60001))
    passed = np.flatnonzero(np.diff(np.floor(fine["phi_e"] / np.pi)))
    assert len(upright) == len(passed) >= 3
    assert_close(upright, fine.t[passed], within=1e-4, because="passages are told from samples 1e-4 s apart")
    assert "Gimbal lock" in figure.get_supxlabel()


def test_minima_of_findings_are_among_the_samples() -> None:
    t, series = sampled(moved(), None)
    for one in moved().findings:
        assert series["load F"][int(np.flatnonzero(t == one.t)[0])] == one.indicator < SINGULAR


def test_crossings_are_found_on_straight_lines_in_the_logarithm() -> None:
    found = crossings(np.array([0.0, 1.0, 2.0]), np.array([1.0, 1e-6, 1.0]), 1e-3)
    assert [down for _, down in found] == [True, False]
    assert_close([t for t, _ in found], [0.5, 1.5], within=1e-15, because="halfway in the exponent")


def test_a_run_without_findings_says_so() -> None:
    from support.pictured import gimbal

    quiet = gimbal().simulate(0.2, q=[0.0, 1.5], v=[0.1, 0.1])
    assert quiet.plot_indicators().get_supxlabel() == "no findings"
