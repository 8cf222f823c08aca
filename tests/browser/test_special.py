"""Modes shaken on a page by its sliders, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.api.viewing import serve
from support.close import assert_close

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
Opening = Callable[..., Any]
FLOAT32 = 8 * float(np.finfo(np.float32).eps)


@pytest.fixture(scope="module")
def rung(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a double pendulum with its modes and its spectrum."""
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=1.0, inertia=0.0, com=(0, 0, -1), joint=cd.Revolute("y", a))
    s.body("second", mass=1.0, inertia=0.0, com=(0, 0, -1), at=(0, 0, -1), joint=cd.Revolute("y", b), parent=first)
    s.gravity(-9.81 * s.world.z)
    run = s.simulate(1.0, q=[0.2, 0.1])
    rest = [0.0, 0.0]
    path = tmp_path_factory.mktemp("report") / "rung.html"
    return run.report(path, special=[s.modes(rest), s.linearize(rest)], live=False, remedies=False)


def test_a_slider_bends_a_mode_and_the_motion_comes_back(see: Opening, rung: Path) -> None:
    seen = see(rung.as_uri(), offline=True)
    seen.goto(0.5)
    before = seen.poses()["second"]["quaternion"]
    slider = seen.page.locator("input[aria-label='bent by hand']")
    slider.scroll_into_view_if_needed()
    for value in (1.0, -0.5):
        slider.evaluate("(one, value) => { one.value = value; one.dispatchEvent(new Event('input')); }", value)
        turned = [seen.poses()[name]["quaternion"] for name in ("first", "second")]
        angles = [2 * np.arctan2(q[2], q[0]) for q in turned]
        assert np.sign(angles[0]) in (np.sign(value), -np.sign(value))
        assert abs(angles[0]) > 0.02
        assert_close(angles[1], np.sqrt(2) * angles[0], within=FLOAT32, because="the slow mode, quaternions as float32")
    seen.goto(0.5)
    assert_close(seen.poses()["second"]["quaternion"], before, within=0, because="the same frame of the motion")


def test_a_mode_shakes_until_the_motion_is_wanted_again(see: Opening, rung: Path) -> None:
    seen = see(rung.as_uri(), offline=True)
    button = seen.page.locator(".shaker button")
    button.click()
    seen.until("Boolean(window.cardan.scene.shaking)")
    first = seen.poses()["first"]["quaternion"]
    seen.until(f"Math.abs(window.cardan.poses()[0].quaternion[2] - ({first[2]})) > 1e-3")
    button.click()
    seen.until("!window.cardan.scene.shaking")
    assert seen.page.locator("#panel-special svg.chart circle").count() == 4, "four eigenvalues"


def test_axe_finds_no_violations_in_the_section(see: Opening, rung: Path) -> None:
    seen = see(rung.as_uri(), width=390, height=900, color_scheme="dark")
    seen.page.locator("#panel-special").scroll_into_view_if_needed()
    seen.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = seen.page.evaluate("axe.run('#panel-special', { resultTypes: ['violations'] })")
    assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]] == []
    assert found["passes"], "axe has looked at something"
    widths = seen.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1] == 390


def test_the_viewer_shakes_modes_beside_its_other_sliders(see: Opening) -> None:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.body("bob", mass=1.0, inertia=0.0, com=(0, 0, -1), joint=cd.Revolute("y", a))
    s.gravity(-9.81 * s.world.z)
    with serve(s.simulate(0.5, q=[0.2]), special=[s.modes([0.0])]) as viewer:
        seen = see(viewer.url)
        slider = seen.page.locator("input[aria-label='how far it swings']")
        slider.scroll_into_view_if_needed()
        slider.evaluate("one => { one.value = 1; one.dispatchEvent(new Event('input')); }")
        seen.until("Boolean(window.cardan.scene.shaking)")
        seen.until("Math.abs(window.cardan.poses()[0].quaternion[2]) > 0.05")
        change = seen.page.locator("input[type=range][data-control='a']").first
        seen.changed(lambda: change.evaluate("one => { one.value = 0.4; one.dispatchEvent(new Event('input')); }"))
        seen.until("!window.cardan.scene.shaking")
