"""A map of a study in a real browser: a click on a pixel shows that run, with the bits of the row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sympy import cos

import cardan as cd
from cardan.api.viewing import serve

CLICK = "cell => window.cardan.page.map.choose(cell)"


def study_of(stopped: bool) -> cd.Study:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=1.0, com=(0, -1, 0), joint=cd.Revolute("z", a))
    s.body("second", mass=1.0, com=(0, -1, 0), joint=cd.Revolute("z", b), parent=first, at=(0, -1, 0))
    s.gravity(-9.81 * s.world.y)
    if stopped:
        s.stop(cos(a) + 0.5, restitution=0.5, name="wall")
    axes = {"a": np.linspace(-1.5, 1.5, 6), "b": np.linspace(-1, 1, 5)}
    return s.sweep(2.0, q=axes, outputs=[cd.final(), cd.last(a, "end")], executor="serial")


def test_a_click_on_a_pixel_computes_that_run(see: Callable[..., Any], tmp_path: Path) -> None:
    study = study_of(stopped=False)
    page = see(study.report(tmp_path / "map.html", "end").as_uri(), 1200, 900, offline=True)
    page.until("Boolean(window.cardan?.live)")
    box = page.page.locator(".study-map").bounding_box()
    before = page.page.evaluate("window.cardan.document.motion.status")
    assert before == "finished"
    page.page.evaluate("window.before = window.cardan.document.motion")
    page.page.mouse.click(box["x"] + 70, box["y"] + 20)  # upper left: least a, largest b
    page.until("window.cardan.document.motion !== window.before && window.cardan.requests.atRest")
    assert page.page.evaluate("window.cardan.page.map.chosen") == [0, 4]
    request = page.page.evaluate("window.cardan.page.controls.values()")
    end = page.page.evaluate("request => window.cardan.live.end(request)", request)
    row = study.number_of((0, 4))
    assert end["y"] == [study[f"final {name}"].ravel()[row] for name in ("a", "b", "a_dot", "b_dot")]
    assert "row 4:" in page.page.locator(".study-told").inner_text()


def test_arrow_keys_move_on_the_map(see: Callable[..., Any], tmp_path: Path) -> None:
    page = see(study_of(stopped=False).report(tmp_path / "map.html", "end", row=(2, 2)).as_uri(), 1200, 900)
    page.page.locator(".study-map").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.page.keyboard.press(key)
    assert page.page.evaluate("window.cardan.page.map.chosen") == [4, 3]
    assert "row 23:" in page.page.locator(".study-told").inner_text()


@pytest.mark.long
def test_the_viewer_shows_rows_of_models_with_stops(see: Callable[..., Any]) -> None:
    study = study_of(stopped=True)
    run, picture = study._pictured("end", None, None, None, "", False, "viridis")
    with serve(run, picture=picture) as viewer:
        page = see(viewer.url, 1200, 900)
        page.changed(lambda: page.page.evaluate(CLICK, [5, 4]))
        series = page.page.evaluate("window.cardan.document.motion.series.slice(0, 2).map(one => one.values[0])")
        assert series == [np.float32(1.5), np.float32(1.0)]
