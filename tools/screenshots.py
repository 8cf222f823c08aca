"""Pictures for people: the demo's report, the viewer in its themes and widths, and figures of the texts.

    make screenshots

They are looked at, not compared: what they must show is written beside each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import cardan as cd
from cardan.api.viewing import serve
from cardan.gallery.index import entry
from tools.browser import started

FOLDER = Path("output") / "screenshots"
DESK, PHONE = (1400, 900), (380, 800)
TALL, TALL_PHONE = (1400, 4000), (380, 3000)  # a part of the page that is longer than a screen is taken whole


def suspension() -> cd.Run:
    """The Cardan suspension of the demo, driven through gimbal lock under a small moment."""
    with as_file(files("cardan.formats") / "starters" / "cardan_suspension.yaml") as path:
        system = cd.load(path)
    return system.simulate(**{**system.plan, "loads": {"M": 0.05}})


def gallery_run(name: str) -> tuple[Any, cd.Run]:
    found = entry(name)
    return found, found.system().simulate(**found.start)


@contextmanager
def page_at(browser: Any, url: str, size: tuple[int, int], scheme: str = "light") -> Iterator[Any]:
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=1, reduced_motion="reduce"
    )
    page.goto(url)
    while not page.evaluate("Boolean(window.cardan?.document?.motion)"):
        page.wait_for_timeout(50)
    yield page
    page.close()


def take(page: Any, name: str, t: float, part: str | None = None) -> None:
    """A picture at a time: of what the screen shows, or of a part of the page scrolled into view."""
    page.evaluate("t => window.cardan.goto(t)", t)
    if part is not None:
        page.locator(part).scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    path = FOLDER / f"{name}.png"
    if part is None:
        page.screenshot(path=path)
    else:
        page.locator(part).screenshot(path=path)
    print(path)


def pages(browser: Any) -> None:
    run = suspension()
    lock = next(float(one.t) for one in run.findings if one.kind == "gimbal-lock" and one.t is not None)
    report = run.report(FOLDER / "demo-report.html").resolve().as_uri()
    with page_at(browser, report, DESK) as page:
        take(page, "report-at-gimbal-lock", lock)
    with page_at(browser, report, TALL) as page:
        take(page, "report-plots", lock, "#panel-plots")
        take(page, "report-equations", lock, "#panel-equations")
    with serve(run) as viewer:
        with page_at(browser, viewer.url, DESK) as page:
            take(page, "viewer-light", 2.0)
        with page_at(browser, viewer.url, DESK, "dark") as page:
            take(page, "viewer-dark", 2.0)
            page.locator(".meter").last.click()
            page.wait_for_timeout(500)
            page.screenshot(path=FOLDER / "viewer-explanation.png")
        with page_at(browser, viewer.url, PHONE) as page:
            take(page, "viewer-380", 2.0)
        with page_at(browser, viewer.url, TALL_PHONE) as page:
            take(page, "viewer-380-long", 2.0)
    for name in ("H8", "B1", "R1"):
        with serve(gallery_run(name)[1]) as viewer:
            with page_at(browser, viewer.url, DESK) as page:
                take(page, f"viewer-{name}", 1.0)
            with page_at(browser, viewer.url, TALL) as page:
                take(page, f"viewer-{name}-plots", 1.0, "#panel-plots")


def figures() -> None:
    """The phase portrait of H8 on its torus, and both panels of Fig. 6."""
    from cardan.gallery.pictures import picture_of

    h8, run = gallery_run("H8")
    run.plot_phase("nu1", "phi_e", surface=True, path=str(FOLDER / "H8-torus.png"))
    run.plot_phase("nu1", "phi_e", path=str(FOLDER / "H8-torus-cut-open.png"))
    picture_of(h8, run).savefig(FOLDER / "H8-gallery.png")
    h9, run = gallery_run("H9")
    picture_of(h9, run).savefig(FOLDER / "fig6.png")
    demo = suspension()
    demo.plot(path=str(FOLDER / "demo-plot.png"))
    demo.plot_indicators(path=str(FOLDER / "demo-indicators.png"))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    figures()
    with started() as browser:
        pages(browser)
    print(f"All in {FOLDER}")


if __name__ == "__main__":
    main()
