"""A real browser, one page per test, and everything that its console says."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

import cardan as cd
from cardan.api.viewing import serve
from cardan.viewer.server import Viewer

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # for tools.browser

READY = "Boolean(window.cardan?.document?.motion)"  # before, the name means the element with this id


@dataclass
class Seen:
    """A page, what its console said, and what it asked of any server."""

    page: Any
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def until(self, claim: str, seconds: float = 60.0) -> None:
        """Wait until an expression is true. Asked from here: the page's policy lets no text become code there."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(claim):
            assert time.monotonic() < end, f"after {seconds} s still not: {claim}"
            self.page.wait_for_timeout(20)

    def changed(self, act: Callable[[], Any]) -> Any:
        """Do something that asks for a motion, and wait until the page has the whole of the last one asked for."""
        self.page.evaluate("window.before = window.cardan.document.motion")
        result = act()
        self.until("window.cardan.document.motion !== window.before && window.cardan.document.motion.audit.length > 0")
        self.until("window.cardan.requests.atRest && window.cardan.document.motion.audit.length > 0")
        return result

    def poses(self) -> dict[str, dict[str, Any]]:
        """Where the bodies are drawn, by name."""
        return {one["name"]: one for one in self.page.evaluate("window.cardan.poses()")}

    def times(self) -> list[float]:
        return self.page.evaluate("Array.from(window.cardan.document.motion.times)")  # type: ignore[no-any-return]

    def goto(self, t: float) -> None:
        self.page.evaluate("t => window.cardan.goto(t)", t)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from tools.browser import started

    with started("--host-resolver-rules=MAP evil.example 127.0.0.1") as found:
        yield found


def opened(browser: Any, url: str, width: int, height: int, **options: Any) -> Seen:
    """A page with a profile of its own, at the moment when it shows its document."""
    offline = options.pop("offline", False)
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    seen = Seen(context.new_page())
    seen.page.on("console", lambda message: seen.console.append(f"{message.type}: {message.text}"))
    seen.page.on("pageerror", lambda problem: seen.console.append(f"uncaught: {problem}"))
    seen.page.on("request", lambda request: seen.requests.append(request.url))
    context.set_offline(offline)
    seen.page.goto(url)
    seen.until(READY)
    return seen


@pytest.fixture
def see(browser: Any) -> Iterator[Callable[..., Seen]]:
    """Opens an address; at the end of the test the console must have been silent."""
    pages: list[Seen] = []

    def opening(url: str, width: int = 900, height: int = 600, **options: Any) -> Seen:
        pages.append(opened(browser, url, width, height, **options))
        return pages[-1]

    yield opening
    said = [line for seen in pages for line in seen.console]
    for seen in pages:
        seen.page.context.close()
    assert said == [], "the console is to stay empty"


@pytest.fixture(scope="module")
def lasting_page(browser: Any, viewer: Viewer) -> Iterator[Seen]:
    """One page of the viewer for many tests: opening it takes longer than most of them."""
    seen = opened(browser, viewer.url, 900, 600)
    yield seen
    seen.page.context.close()


@pytest.fixture
def shown(lasting_page: Seen) -> Iterator[Seen]:
    """The page of the viewer as it is when it has just been opened; the test must leave its console empty."""
    seen = lasting_page
    seen.page.keyboard.press("Escape")
    if seen.page.locator(".undo.changed").count():
        seen.changed(lambda: seen.page.get_by_role("button", name="Reset all").click())
    seen.goto(0.0)
    yield seen
    said, seen.console = seen.console, []
    assert said == [], "the console is to stay empty"


def starter(name: str) -> cd.System:
    with as_file(files("cardan.formats") / "starters" / f"{name}.yaml") as path:
        return cd.load(path)


@pytest.fixture(scope="session")
def suspension() -> cd.Run:
    """The Cardan suspension as its file plans it: five seconds, through gimbal lock twice, under a small moment."""
    system = starter("cardan_suspension")
    return system.simulate(**{**system.plan, "loads": {"M": 0.05}})


@pytest.fixture(scope="session")
def viewer(suspension: cd.Run) -> Iterator[Viewer]:
    with serve(suspension) as started:
        yield started


@pytest.fixture(scope="session")
def report(suspension: cd.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return suspension.report(tmp_path_factory.mktemp("report") / "suspension.html")
