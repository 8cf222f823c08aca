"""Phase portraits: axes, breaks at the period, singular sets and stops where theory puts them."""

from __future__ import annotations

import numpy as np
import pytest

from cardan.errors import UnknownName
from cardan.report.figures.portrait import Portrait
from support.close import assert_close
from support.pictured import gimbal, legend_texts, lines_labelled, moved


def test_two_angles_make_a_torus_and_an_angle_with_its_rate_a_cylinder() -> None:
    assert Portrait.of([moved()], "nu", "phi_e").surface == "torus"
    assert Portrait.of([moved()], "phi_e").surface == "cylinder"
    assert Portrait.of([moved()], "nu_dot", "phi_e_dot").surface == "plane"


def test_axes_have_labels_with_units_and_ticks_in_parts_of_pi() -> None:
    (axes,) = moved().plot_phase("nu", "phi_e").axes
    assert axes.get_xlabel() == r"$\nu$ [rad]"
    assert axes.get_ylabel() == r"$\phi_{e}$ [rad]"
    assert [text.get_text() for text in axes.get_yticklabels()] == ["−π/2", "0", "π/2", "π", "3π/2"]
    (axes,) = moved().plot_phase("phi_e").axes
    assert axes.get_ylabel() == r"$\dot{\phi}_{e}$ [rad/s]"


def test_gimbal_lock_is_drawn_at_zero_and_pi() -> None:
    """Hemingway & O'Reilly after (72): F . a_nu vanishes where sin(phi_e) does."""
    (axes,) = moved().plot_phase("nu", "phi_e").axes
    lines = lines_labelled(axes, "gimbal lock of F")
    heights = sorted(float(np.nanmean(line.get_ydata())) for line in lines)
    assert_close(heights, [0.0, np.pi], within=1e-9, because="roots of a sine, refined to round-off")
    assert all(np.nanmax(np.ptp(line.get_ydata())) == 0 for line in lines)
    assert any(r"\sin" in text for text in legend_texts(axes))


def test_on_the_cylinder_gimbal_lock_stands_upright_over_the_whole_picture() -> None:
    (axes,) = moved().plot_phase("phi_e").axes
    for line in lines_labelled(axes, "gimbal lock of F"):
        assert tuple(line.get_ydata()) == axes.get_ylim()


def test_curves_break_at_the_period_and_lose_nothing() -> None:
    """phi_e makes more than one turn; drawn modulo a turn its line has gaps and no step across the picture."""
    (axes,) = moved().plot_phase("nu", "phi_e").axes
    curve = max(axes.lines, key=lambda line: len(line.get_xdata()))
    x, y = np.asarray(curve.get_xdata()), np.asarray(curve.get_ydata())
    gaps = np.count_nonzero(np.isnan(x))
    run = moved().at(np.linspace(0.0, 6.0, 2000))
    low = np.array([axes.get_xlim()[0], axes.get_ylim()[0]])
    turns = np.floor((run.q - low) / (2 * np.pi))
    assert gaps == np.count_nonzero(np.diff(turns, axis=0)) >= 2
    assert np.nanmax(np.abs(np.diff(x))) < 0.1
    assert np.nanmax(np.abs(np.diff(y))) < 0.1
    assert np.nanmin(x) >= low[0] - 1e-12
    assert np.nanmax(x) <= low[0] + 2 * np.pi + 1e-12


def test_a_curve_reaches_both_rims_where_it_breaks() -> None:
    (axes,) = moved().plot_phase("nu", "phi_e").axes
    curve = max(axes.lines, key=lambda line: len(line.get_xdata()))
    y = np.asarray(curve.get_ydata())
    low, high = axes.get_ylim()
    before = y[:-1][np.isnan(y[1:])]
    assert_close(np.max(before), high, within=1e-12, because="the rim is put into the curve")
    assert_close(np.nanmin(y), low, within=1e-12, because="as above")


def test_an_angle_between_stops_is_drawn_as_a_line_with_its_stops() -> None:
    portrait = Portrait.of([moved(is_half=True)], "phi_e")
    assert portrait.surface == "plane"
    (axes,) = moved(is_half=True).plot_phase("phi_e").axes
    places = sorted(
        float(lines_labelled(axes, f"stop {name}")[k].get_xdata()[0]) for k, name in enumerate(("top", "bottom"))
    )
    assert_close(places, [0.0, np.pi], within=1e-12, because="a straight gap is found exactly by a secant")
    assert {"stop top", "stop bottom"} <= set(legend_texts(axes))


def test_impacts_are_jumps_and_no_lines() -> None:
    """At an elastic stop the rate changes sign: the two ends of the jump are joined by a dotted line only."""
    run = moved(is_half=True)
    impacts = [one for one in run.events if one.kind == "impact"]
    assert impacts
    (axes,) = run.plot_phase("phi_e").axes
    curve = max(axes.lines, key=lambda line: len(line.get_xdata()))
    assert np.nanmax(np.abs(np.diff(np.asarray(curve.get_ydata())))) < 0.1
    dotted = [line for line in axes.lines if line.get_linestyle() == ":" and len(line.get_xdata()) == 2]
    assert len(dotted) == len(impacts)
    for line in dotted:
        before, after = line.get_ydata()
        assert_close(before, -after, within=1e-6, because="an elastic impact, sampled 1e-9 of the duration beside it")


def test_other_runs_join_the_portrait_and_axes_may_be_given() -> None:
    from cardan.report.figures.style import figure_style

    other = gimbal().simulate(2.0, q=[0.2, 0.6], v=[0.5, 0.9])
    with figure_style() as easel:
        figure, panels = easel.subplots(1, 2)
        found = moved().plot_phase("phi_e", others=[other], axes=panels[1])
        assert found is figure
        assert not panels[0].lines
        assert len({line.get_color() for line in panels[1].lines if len(line.get_xdata()) > 100}) == 2


def test_on_the_surface_every_point_of_the_curve_lies_on_the_torus() -> None:
    figure = moved().plot_phase("nu", "phi_e", surface=True)
    (axes,) = figure.axes
    assert axes.name == "3d"
    for line in axes.lines:
        x, y, z = (np.asarray(one, dtype=float) for one in line.get_data_3d())
        if len(x) > 200:
            height = np.hypot(np.hypot(x, y) - 1.0, z)
            assert_close(height[np.isfinite(height)], 0.44 + 0.012, within=1e-12, because="tube radius and lift")


def test_what_is_no_coordinate_is_refused_by_name() -> None:
    with pytest.raises(UnknownName, match="phi_e"):
        moved().plot_phase("phi")
