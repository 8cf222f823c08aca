"""The viewer in a real browser: what is drawn is what was computed, and sliders compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.api.viewing import serve
from cardan.geometry import quaternion
from cardan.viewer.server import Viewer
from support.close import assert_close

Opening = Callable[..., Any]
BODIES = ("outer", "inner", "platform")
FLOAT32 = 4 * float(np.finfo(np.float32).eps)  # positions and quaternions of size 1 travel as float32


def rotation(pose: dict[str, Any]) -> Any:
    return np.array(quaternion.matrix(tuple(pose["quaternion"])), dtype=float)


def assert_drawn(seen: Any, run: cd.Run, t: float, within: float, because: str) -> None:
    poses, here = seen.poses(), run.at([t])
    assert set(BODIES) <= set(poses)
    for name in BODIES:
        assert_close(poses[name]["position"], here.position(name)[0], within=within, because=because)
        assert_close(rotation(poses[name]), here.rotation(name)[0], within=within, because=because)


@pytest.mark.parametrize("share", [0.0, 0.37, 1.0])
def test_bodies_are_drawn_where_the_trajectory_has_them(shown: Any, suspension: cd.Run, share: float) -> None:
    times = shown.times()
    t = times[round(share * (len(times) - 1))]
    shown.goto(t)
    assert_drawn(shown, suspension, t, 8 * FLOAT32, "a frame of the motion, sent as float32, turned into a matrix")


def test_between_frames_the_picture_is_interpolated(shown: Any, suspension: cd.Run) -> None:
    times = shown.times()
    t = 0.5 * (times[100] + times[101])
    shown.goto(t)
    because = "half a frame of 1/60 s at rates of 3 rad/s and 10 rad/s^2: 10 (1/120)^2 / 2 of turning, with room"
    assert_drawn(shown, suspension, t, 1e-3, because)


def test_the_scrubber_moves_the_mechanism(shown: Any, suspension: cd.Run) -> None:
    shown.page.locator("input[data-timeline]").focus()
    shown.page.keyboard.press("End")
    shown.until("window.cardan.page.drawn.time === window.cardan.player.end")
    assert_drawn(shown, suspension, shown.times()[-1], 8 * FLOAT32, "a frame of the motion, sent as float32")


def drag(seen: Any, name: str, share: float) -> float:
    """Move a slider with the mouse; returns the value it then has."""
    slider = seen.page.locator(f'input[type=range][data-control="{name}"]')
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    low, high, value = (float(slider.get_attribute(key) or 0) for key in ("min", "max", "value"))
    now = (value - low) / (high - low)
    seen.page.mouse.move(box["x"] + now * box["width"], y)
    seen.page.mouse.down()
    for k in range(1, 6):
        seen.page.mouse.move(box["x"] + (now + (share - now) * k / 5) * box["width"], y)
        seen.page.wait_for_timeout(20)
    seen.page.mouse.up()
    return float(slider.input_value())


def test_dragging_a_slider_simulates_again(shown: Any, suspension: cd.Run) -> None:
    value = shown.changed(lambda: drag(shown, "lambda1", 0.9))
    assert value != 0.3
    times = shown.times()
    t = times[len(times) // 2]
    shown.goto(t)
    expected = suspension.system.with_values(lambda1=value).simulate(**{**suspension.asked, "times": None})
    assert_drawn(shown, expected, t, 8 * FLOAT32, "the same simulation, sent as float32")
    with pytest.raises(AssertionError):
        assert_drawn(shown, suspension, t, 1e-2, "another motion than before")


@pytest.mark.parametrize(("name", "key", "share"), [("beta", "q", 0.8), ("gamma_dot", "v", 0.2), ("M", "loads", 0.9)])
def test_the_start_and_the_loads_can_be_dragged(
    shown: Any, suspension: cd.Run, name: str, key: str, share: float
) -> None:
    value = shown.changed(lambda: drag(shown, name, share))
    asked = {**suspension.asked, "times": None}
    asked[key] = {**asked[key], name.removesuffix("_dot"): value}
    times = shown.times()
    shown.goto(times[-1])
    because = "the same simulation from a start equal to round-off, sent as float32"
    assert_drawn(shown, suspension.system.simulate(**asked), times[-1], 8 * FLOAT32, because)


def test_meters_and_explanation_appear_at_the_singular_time(shown: Any, suspension: cd.Run) -> None:
    locks = [one for one in suspension.findings if one.kind == "gimbal-lock"]
    assert locks, "the suspension passes gimbal lock"
    shown.goto(0.5 * float(locks[0].t or 0.0))
    meter = shown.page.locator(".meter", has_text="load M")
    assert meter.get_attribute("data-state") == "regular"
    notice = shown.page.locator(".now-notice")
    assert not notice.is_visible()
    shown.goto(float(locks[0].t or 0.0))
    assert meter.get_attribute("data-state") == "singular"
    assert notice.is_visible()
    explanation = shown.page.locator("dialog.explanation")
    for way in (notice, meter):
        way.click()
        assert explanation.is_visible()
        said = explanation.inner_text()
        assert locks[0].what[1:] in said, "the sentence begins with a capital there"
        assert locks[0].why[1:] in said
        shown.page.keyboard.press("Escape")
        assert not explanation.is_visible()


def test_keys_work(shown: Any) -> None:
    page = shown.page
    page.locator("h1").click()
    page.keyboard.press("End")
    assert page.evaluate("window.cardan.player.time === window.cardan.player.end")
    page.keyboard.press("Home")
    assert page.evaluate("window.cardan.player.time === window.cardan.player.start")
    page.keyboard.press("ArrowRight")
    assert_close(page.evaluate("window.cardan.player.time"), shown.times()[1], within=1e-12, because="the next frame")
    page.keyboard.press(" ")
    shown.until("window.cardan.player.playing && window.cardan.player.time > 0.1")
    page.keyboard.press(" ")
    assert not page.evaluate("window.cardan.player.playing")
    before = page.evaluate("document.documentElement.dataset.theme")
    page.keyboard.press("d")
    assert {before, page.evaluate("document.documentElement.dataset.theme")} == {"light", "dark"}
    page.keyboard.press("d")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").inner_text().count("\n") > 10


def test_sliders_obey_the_keyboard(shown: Any, suspension: cd.Run) -> None:
    slider = shown.page.locator('input[type=range][data-control="beta"]')
    slider.focus()
    before = float(slider.input_value())
    shown.changed(lambda: shown.page.keyboard.press("ArrowRight"))
    step = float(slider.get_attribute("step") or 0)
    assert_close(float(slider.input_value()), before + step, within=1e-12, because="one step of the slider")


def test_pointing_at_a_plot_moves_the_mechanism(shown: Any, suspension: cd.Run) -> None:
    plot = shown.page.locator("#panel-plots canvas").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    shown.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    shown.page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    shown.until("window.cardan.page.drawn.time > 0.5")
    t = shown.page.evaluate("window.cardan.page.drawn.time")
    assert 0.3 * 5.0 < t < 0.8 * 5.0, "axes take a part of the width"
    because = "half a frame of 1/60 s at rates of 4 rad/s and 10 rad/s^2: 10 (1/120)^2 / 2 of turning, with room"
    assert_drawn(shown, suspension, t, 1e-3, because)


def test_a_phone_shows_everything_without_scrolling_sideways(see: Opening, viewer: Viewer) -> None:
    seen = see(viewer.url, width=380, height=780)
    widths = seen.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1] == 380
    assert seen.page.locator("canvas").first.is_visible()
    assert seen.page.locator('input[data-control="beta"]').bounding_box()["width"] > 60


def test_a_longer_rod_is_drawn_longer(see: Opening) -> None:
    """Shapes follow parameters, and come back with them."""
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    l, g = s.parameters(l=1.0, g=9.81)  # noqa: E741 - the letter of the formula
    s.body("bob", mass=1, inertia=0.001, com=(0, 0, -l), joint=cd.Revolute("y", a))
    s.gravity(-g * s.world.z)
    with serve(s.simulate(1.0, q=[0.5])) as viewer:
        seen = see(viewer.url)
        before = seen.page.evaluate("JSON.stringify(window.cardan.scene.model.bodies[0].shapes)")
        groups = seen.page.evaluate("window.cardan.scene.bodies.groups[0].uuid")
        number = seen.page.locator('input[type=number][aria-label^="l,"]')
        seen.changed(lambda: (number.fill("2"), number.press("Enter")))
        assert seen.page.evaluate("JSON.stringify(window.cardan.scene.model.bodies[0].shapes)") != before
        assert seen.page.evaluate("window.cardan.scene.bodies.groups[0].uuid") != groups
        seen.changed(lambda: seen.page.get_by_role("button", name="Reset all").click())
        assert seen.page.evaluate("JSON.stringify(window.cardan.scene.model.bodies[0].shapes)") == before
        seen.until("window.cardan.page.drawn.motion === window.cardan.document.motion")


def test_impossible_values_are_explained_and_the_picture_stays(shown: Any) -> None:
    before = shown.poses()
    number = shown.page.locator('input[type=number][aria-label^="lambda1"]')
    number.fill("-1")
    number.press("Enter")
    problem = shown.page.locator("[role=alert]")
    problem.wait_for(state="visible")
    assert "inertia" in problem.inner_text()
    assert shown.poses() == before


def test_two_pages_do_not_disturb_each_other(see: Opening, viewer: Viewer, shown: Any) -> None:
    other = see(viewer.url)
    other.page.evaluate("window.before = window.cardan.document.motion")
    shown.changed(lambda: drag(shown, "beta", 0.9))
    assert other.page.evaluate("window.cardan.document.motion === window.before")
    assert other.requests
    own = (f"http://127.0.0.1:{viewer.port}/", "data:")
    assert all(url.startswith(own) for url in other.requests), "nothing is asked of any other server"
