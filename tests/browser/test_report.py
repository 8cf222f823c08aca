"""A report in a real browser: opened from disk with the network off, it shows everything and asks nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.geometry import quaternion
from cardan.viewer.notebook import Embedded
from support.close import assert_close

Opening = Callable[..., Any]
FLOAT32 = 4 * float(np.finfo(np.float32).eps)


def test_it_works_from_disk_with_the_network_off(see: Opening, report: Path, suspension: cd.Run) -> None:
    seen = see(report.as_uri(), offline=True)
    assert [url for url in seen.requests if not url.startswith(("data:", "blob:"))] == [report.as_uri()]
    times = seen.times()
    for share in (0.1, 0.5, 0.9):
        t = times[round(share * (len(times) - 1))]
        seen.goto(t)
        here = suspension.at([t])
        poses = seen.poses()
        for name in ("outer", "inner", "platform"):
            drawn = np.array(quaternion.matrix(tuple(poses[name]["quaternion"])), dtype=float)
            assert_close(drawn, here.rotation(name)[0], within=8 * FLOAT32, because="a frame, sent as float32")
    equations = seen.page.locator("#panel-equations")
    equations.scroll_into_view_if_needed()
    equations.locator(".katex").nth(2).wait_for(state="visible")
    assert seen.page.locator("input[type=range][data-control]").count() > 0, "the page computes by itself"
    text = seen.page.locator("body").inner_text()
    assert "gimbal lock" in text.lower()
    assert "sin(beta) = 0" in text or seen.page.locator(".katex", has_text="β").count() > 0


def test_its_policy_lets_nothing_in_or_out(see: Opening, report: Path) -> None:
    """Even a script that got into the page could send nothing: there is no address it may talk to."""
    seen = see(report.as_uri())
    attempt = "fetch('http://127.0.0.1:9/').then(() => 'sent', problem => 'refused')"
    assert seen.page.evaluate(attempt) == "refused"
    assert any("Content Security Policy" in line for line in seen.console)
    seen.console.clear()


def test_it_fits_a_phone(see: Opening, report: Path) -> None:
    seen = see(report.as_uri(), width=380, height=780)
    widths = seen.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1] == 380


def test_it_works_inside_a_notebook_cell(browser: Any, suspension: cd.Run, tmp_path: Path) -> None:
    """The frame is shut off from the page around it, and draws all the same."""
    around = tmp_path / "notebook.html"
    around.write_text(
        f"<!doctype html><meta charset=utf-8><body>{Embedded(suspension)._repr_html_()}", encoding="utf-8"
    )
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda problem: said.append(str(problem)))
    page.goto(around.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("canvas").first.wait_for(state="visible", timeout=20_000)
    assert "Cardan suspension" in frame.locator("h1").inner_text()
    inner = page.frames[1]
    with pytest.raises(Exception, match=r"Blocked a frame|SecurityError|cross-origin"):
        inner.evaluate("window.parent.document.title")
    page.close()
    assert said == []


def test_hostile_names_are_shown_as_text(see: Opening, tmp_path: Path) -> None:
    name = "</script><img src=x onerror=\"document.title='owned'\"><b>bold</b>"
    s = cd.System(name)
    a = s.coordinates("a", on="S1")
    s.body("<i>bob</i>", mass=1, inertia=1, com=(0, 0, -1), joint=cd.Revolute("y", a))
    s.gravity(-9.81 * s.world.z)
    run = s.simulate(0.5, q=[0.5])
    seen = see(run.report(tmp_path / "hostile.html").as_uri())
    assert seen.page.locator("h1").inner_text() == name
    assert "owned" != seen.page.title()
    assert seen.page.locator("img[src=x], h1 b, i").count() == 0
