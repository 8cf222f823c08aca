"""The site of the gallery in a real browser, from disk and without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardan.gallery.site import write_site

READY = "Boolean(window.cardan?.document?.motion)"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("gallery"), ["H12"]).parent


def opened(browser: Any, path: Path, **options: Any) -> tuple[Any, list[str], list[str]]:
    """A page, what its console says, and what it asks for."""
    context = browser.new_context(**options)
    page = context.new_page()
    console: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda problem: console.append(str(problem)))
    page.on("request", lambda request: requests.append(request.url))
    context.set_offline(True)
    page.goto(path.as_uri())
    return page, console, requests


def test_the_index_leads_to_an_entry_and_on_to_its_moving_report(browser: Any, site: Path) -> None:
    page, console, requests = opened(browser, site / "index.html", viewport={"width": 1200, "height": 800})
    page.click("a.card")
    assert page.title() == "H12. Cardan suspension of three gimbals"
    page.click("text=Interactive report")
    page.wait_for_function(READY)
    assert console == []
    assert requests
    assert all(one.startswith(("file:", "data:", "blob:")) for one in requests)


def test_pictures_are_loaded_and_formulas_typeset(browser: Any, site: Path) -> None:
    page, console, _ = opened(browser, site / "H12.html", viewport={"width": 1200, "height": 800})
    assert page.evaluate("Array.from(document.images).length") == 5  # two of the motion, three of figure 7 of the text
    page.evaluate("Promise.all(Array.from(document.images, one => { one.loading = 'eager'; return one.decode(); }))")
    assert min(page.evaluate("Array.from(document.images, one => one.naturalWidth)")) > 400
    heights = "Array.from(document.querySelectorAll('math')).map(one => one.getBoundingClientRect().height)"
    assert min(page.evaluate(heights)) > 5  # pixels: an element that is not understood has no height of its own
    dots = "document.querySelector('mover').getBoundingClientRect().height"
    letter = "document.querySelector('mover > mi').getBoundingClientRect().height"
    assert page.evaluate(dots) > page.evaluate(letter)  # a dot stands over its letter
    assert console == []


def test_a_page_fits_a_phone_and_follows_the_dark_scheme(browser: Any, site: Path) -> None:
    size = {"width": 380, "height": 800}
    page, _, _ = opened(browser, site / "H12.html", viewport=size, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    light = opened(browser, site / "H12.html", viewport=size, color_scheme="light")[0].evaluate(ground)
    assert light == "rgb(255, 255, 255)"
    assert dark != light
