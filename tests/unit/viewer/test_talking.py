"""The newest request wins: older ones are dropped, running ones end early, and a page that leaves stops its work."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.sync.client import connect

from cardan.viewer.server import Viewer
from cardan.viewer.session import Request

LONG = 20.0  # seconds; nothing here may take that long


class Slow:
    """A session whose requests take ``duration`` seconds (in serial order), or until nobody wants them."""

    name = "slow"
    document = '{"type":"document"}'
    progress = '{"type":"progress"}'

    def close(self) -> None:
        pass

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.ended_early: list[int] = []
        self.takes: dict[int, float] = {}
        self.is_busy = threading.Event()

    def read(self, text: str) -> Request:
        return Request.model_validate_json(text)

    def answer(self, request: Request, is_wanted: Callable[[], bool]) -> str:
        self.begun.append(request.serial)
        self.is_busy.set()
        end = time.monotonic() + self.takes.get(request.serial, 0.0)
        while time.monotonic() < end:
            if not is_wanted():
                self.ended_early.append(request.serial)
                break
            time.sleep(0.002)
        return json.dumps({"type": "motion", "serial": request.serial})


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def page(slow: Slow) -> Iterator[Any]:
    with (
        Viewer(slow).start() as viewer,  # type: ignore[arg-type]
        connect(viewer.url.replace("http", "ws") + "ws", origin=f"http://127.0.0.1:{viewer.port}") as socket,  # type: ignore[arg-type]
    ):
        socket.recv(timeout=5)
        yield socket


def ask(page: Any, serial: int, quality: str) -> None:
    page.send(json.dumps({"type": "run", "serial": serial, "quality": quality}))


def answers(page: Any, until: int) -> list[int]:
    found = [0]
    while found[-1] != until:
        found.append(json.loads(page.recv(timeout=LONG))["serial"])
    return found[1:]


def test_a_full_motion_gives_way_to_a_newer_request(slow: Slow, page: Any) -> None:
    slow.takes = {1: LONG}
    ask(page, 1, "full")
    assert slow.is_busy.wait(5)
    ask(page, 2, "full")
    assert answers(page, until=2) == [2]
    assert slow.ended_early == [1]


def test_while_dragging_the_picture_moves_and_requests_in_between_are_dropped(slow: Slow, page: Any) -> None:
    """A motion that is nearly ready is shown, although the slider has moved on: else a drag would show nothing."""
    slow.takes = {1: 0.15}
    ask(page, 1, "drag")
    assert slow.is_busy.wait(5)
    for serial in (2, 3, 4):
        ask(page, serial, "drag")
    assert answers(page, until=4) == [1, 4]
    assert slow.begun == [1, 4]


def test_a_drag_that_takes_too_long_gives_way(slow: Slow, page: Any) -> None:
    slow.takes = {1: LONG}
    ask(page, 1, "drag")
    assert slow.is_busy.wait(5)
    ask(page, 2, "drag")
    assert answers(page, until=2) == [2]
    assert slow.ended_early == [1]


def test_a_page_that_leaves_ends_its_motion(slow: Slow, page: Any) -> None:
    slow.takes = {1: LONG}
    ask(page, 1, "full")
    assert slow.is_busy.wait(5)
    page.close()
    end = time.monotonic() + 5
    while not slow.ended_early and time.monotonic() < end:
        time.sleep(0.01)
    assert slow.ended_early == [1]


def test_a_page_is_told_what_it_waits_for() -> None:
    class Large(Slow):
        progress = '{"type":"progress","stage":"manifold","part":0.5}'

        @property
        def document(self) -> str:  # type: ignore[override]
            time.sleep(1.0)
            return '{"type":"document"}'

    with (
        Viewer(Large()).start() as viewer,  # type: ignore[arg-type]
        connect(viewer.url.replace("http", "ws") + "ws", origin=f"http://127.0.0.1:{viewer.port}") as socket,  # type: ignore[arg-type]
    ):
        assert json.loads(socket.recv(timeout=5))["stage"] == "manifold"
        assert json.loads(socket.recv(timeout=5)) == {"type": "document"}, "the same stage is told once"


def test_a_run_that_cannot_be_shown_is_an_answer() -> None:
    class Odd(Slow):
        @property
        def document(self) -> str:  # type: ignore[override]
            raise ValueError("no such shape")

    with (
        Viewer(Odd()).start() as viewer,  # type: ignore[arg-type]
        connect(viewer.url.replace("http", "ws") + "ws", origin=f"http://127.0.0.1:{viewer.port}") as socket,  # type: ignore[arg-type]
    ):
        answer = json.loads(socket.recv(timeout=5))
        assert (answer["type"], answer["what"]) == ("error", "ValueError: no such shape")
