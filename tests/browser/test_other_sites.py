"""What pages of other sites can do to a running viewer: nothing. Each attempt is made by a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from cardan.viewer.server import Viewer

PAGE = b"<!doctype html><title>another site</title><body>"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *words: Any) -> None:
        pass


@pytest.fixture(scope="module")
def other_site(browser: Any) -> Iterator[Any]:
    """A page of a server on another port, which is another origin on the same host."""
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    page = browser.new_context().new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield page
    page.context.close()
    server.shutdown()
    server.server_close()
    thread.join()


# Even with the secret, which another site does not know, nothing works from there.

SOCKET = """address => new Promise(done => {
  const socket = new WebSocket(address);
  socket.onopen = () => done("open");
  socket.onerror = () => done("refused");
})"""
FETCH = """address => fetch(address, {mode: "MODE"}).then(
  answer => answer.type === "opaque" ? "opaque" : String(answer.status), () => "refused")"""
SCRIPT = """address => new Promise(done => {
  const script = document.createElement("script");
  script.src = address;
  script.onload = () => done("loaded");
  script.onerror = () => done("refused");
  document.body.append(script);
})"""
FRAME = """address => new Promise(done => {
  const frame = document.createElement("iframe");
  frame.src = address;
  frame.onload = () => done(frame.contentDocument === null ? "shut" : "readable");
  document.body.append(frame);
})"""


def test_a_web_socket_is_refused(other_site: Any, viewer: Viewer) -> None:
    assert other_site.evaluate(SOCKET, viewer.url.replace("http", "ws") + "ws") == "refused"


def test_a_fetch_is_refused(other_site: Any, viewer: Viewer) -> None:
    assert other_site.evaluate(FETCH.replace("MODE", "cors"), viewer.url) == "refused"
    assert other_site.evaluate(FETCH.replace("MODE", "no-cors"), viewer.url) == "refused"


def test_a_script_element_cannot_load_it(other_site: Any, viewer: Viewer) -> None:
    assert other_site.evaluate(SCRIPT, viewer.url + "cardan.js") == "refused"


def test_a_frame_shows_nothing(other_site: Any, viewer: Viewer) -> None:
    """Clickjacking: the page must not appear under somebody else's."""
    assert other_site.evaluate(FRAME, viewer.url) == "shut"
    inner = other_site.frames[-1]
    assert "cardan" not in inner.content(), "the browser's own page about a refusal"


def test_a_name_that_points_here_is_refused(browser: Any, viewer: Viewer) -> None:
    """DNS rebinding: the browser takes the page of evil.example and this server for one origin."""
    page = browser.new_context().new_page()
    evil = f"http://evil.example:{viewer.port}"
    assert page.goto(evil).status == 403
    assert page.evaluate(FETCH.replace("MODE", "same-origin"), f"/{viewer.keys.token}/") == "403"
    assert page.evaluate(SOCKET, f"ws://evil.example:{viewer.port}/{viewer.keys.token}/ws") == "refused"
    page.context.close()


def test_the_ticket_opens_the_page_from_anywhere_once(other_site: Any, viewer: Viewer) -> None:
    """The address given to the browser program leads to the page; a link from elsewhere works as well, once."""
    ticket = f"http://127.0.0.1:{viewer.port}/open/{viewer.keys.ticket}"
    page = other_site.context.new_page()
    page.goto(ticket)
    assert page.url == viewer.url
    assert page.goto(ticket).status == 403
    page.close()
