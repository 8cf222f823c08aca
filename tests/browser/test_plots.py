"""The plots of a page in a real browser: zoomed together, hidden one by one, kept when the motion changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.close import assert_close

Opening = Callable[..., Any]
VIEW = "window.cardan.plots.view()"
COORDINATES = '[data-plot^="coordinates/"]'


def middle(plot: Any) -> tuple[float, float]:
    """The pixel in the middle of a plot, scrolled into view."""
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def width(seen: Any) -> float:
    """Seconds of the run that are shown."""
    first, last = seen.page.evaluate(VIEW)
    return float(last - first)


def test_keys_zoom_all_plots_of_time_and_a_button_shows_the_whole_run_again(see: Opening, report: Path) -> None:
    seen = see(report.as_uri())
    resets, portraits = seen.page.locator(".plot-reset"), seen.page.locator(".plot-card-portraits .plot-reset")
    whole = width(seen)
    assert resets.count() > portraits.count() > 0
    seen.page.locator(f"{COORDINATES} .plot-canvas").first.focus()
    seen.page.keyboard.press("+")
    seen.page.keyboard.press("+")
    assert_close(width(seen), 0.64 * whole, within=1e-12 * whole, because="two steps of 0.8, round-off of the ends")
    assert sum(one.is_visible() for one in resets.all()) == resets.count() - portraits.count()
    resets.first.click()
    assert_close(width(seen), whole, within=1e-12 * whole, because="round-off of the ends")
    assert not any(one.is_visible() for one in resets.all())


def test_the_wheel_zooms_a_focused_plot_and_scrolls_the_page_over_another(see: Opening, report: Path) -> None:
    seen = see(report.as_uri())
    plot = seen.page.locator(f"{COORDINATES} .plot-canvas").first
    whole = width(seen)
    seen.page.mouse.move(*middle(plot))
    before = seen.page.evaluate("window.scrollY")
    seen.page.mouse.wheel(0, 40)
    seen.until(f"window.scrollY > {before}")
    assert width(seen) == whole
    plot.focus()
    seen.page.mouse.move(*middle(plot))
    before = seen.page.evaluate("window.scrollY")
    seen.page.mouse.wheel(0, -40)
    seen.until(f"{VIEW}[1] - {VIEW}[0] < {0.9 * whole}")
    assert seen.page.evaluate("window.scrollY") == before, "a page that moves away under the pointer"


def test_a_part_selected_with_shift_fills_the_plot(see: Opening, report: Path) -> None:
    seen = see(report.as_uri())
    plot = seen.page.locator(f"{COORDINATES} .plot-canvas").first
    whole = width(seen)
    x, y = middle(plot)
    share = plot.bounding_box()["width"] / 5
    seen.page.mouse.move(x - share, y)
    seen.page.keyboard.down("Shift")
    seen.page.mouse.down()
    seen.page.mouse.move(x + share, y)
    assert width(seen) == whole, "not before the button is released"
    seen.page.mouse.up()
    seen.page.keyboard.up("Shift")
    assert 0.4 * whole < width(seen) < 0.6 * whole, "two fifths of the frame; axes take a part of it"
    seen.page.mouse.dblclick(x, y)
    assert_close(width(seen), whole, within=1e-12 * whole, because="round-off of the ends")


def test_a_series_hidden_by_its_legend_stays_hidden_in_another_motion(shown: Any) -> None:
    card = shown.page.locator(COORDINATES).first
    entry = card.locator(".plot-entry").first
    shown.page.evaluate(f"window.card = document.querySelector('{COORDINATES}')")
    assert entry.get_attribute("aria-pressed") == "true"
    entry.click()
    assert entry.get_attribute("aria-pressed") == "false"
    number = shown.page.locator('input[type=number][aria-label^="beta"]').first
    shown.changed(lambda: (number.fill("0.7"), number.press("Enter")))
    assert entry.get_attribute("aria-pressed") == "false"
    assert shown.page.evaluate(f"window.card === document.querySelector('{COORDINATES}')"), "the card itself stays"
    entry.click()
    assert entry.get_attribute("aria-pressed") == "true"


def test_plots_out_of_sight_are_drawn_when_the_page_rests(see: Opening, report: Path) -> None:
    """Nobody scrolls before printing; a canvas that was never drawn has the size that browsers begin with."""
    seen = see(report.as_uri(), height=400)
    plots = seen.page.locator(".plot-canvas")
    assert plots.count() > 3
    assert plots.last.bounding_box()["y"] > 400 + 120, "far below the screen"
    drawn = "one => one.firstElementChild.width === Math.round(one.clientWidth * devicePixelRatio)"
    seen.until(f"[...document.querySelectorAll('.plot-canvas')].every({drawn})")
