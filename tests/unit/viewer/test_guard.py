"""Only the page that the server gave out may talk to it: foreign hosts, origins, secrets and methods are refused.

The server is a real one, on a real port, with a session that answers with its own name; what is tested is who gets in.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from cardan.viewer.guard import HEADERS
from cardan.viewer.server import Viewer
from cardan.viewer.session import Refused, Request


class Session:
    """Enough of a session for the server."""

    name = "<script>alert(1)</script>"
    document = '{"type":"document","document":{}}'
    progress = '{"type":"progress"}'

    def close(self) -> None:
        pass

    def read(self, text: str) -> Request:
        if text.startswith("bad"):
            raise Refused("Message refused", "bad")
        return Request.model_validate_json(text)

    def answer(self, request: Request, is_wanted: Any) -> str:
        if request.serial == 13:
            raise RuntimeError("a mistake of ours")
        return json.dumps({"type": "motion", "serial": request.serial})


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    with Viewer(Session()).start() as started:  # type: ignore[arg-type]
        yield started


def ask(
    viewer: Viewer, path: str, method: str = "GET", host: str | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", viewer.port, timeout=5)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{viewer.port}")
    for key, value in headers.items():
        connection.putheader(key.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    found = response.status, {key.lower(): value for key, value in response.getheaders()}, response.read()
    connection.close()
    return found


def home(viewer: Viewer) -> str:
    return f"/{viewer.keys.token}/"


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_the_page_opens_with_the_secret(viewer: Viewer, name: str) -> None:
    status, headers, body = ask(viewer, home(viewer), host=f"{name}:{viewer.port}")
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert f'content="/{viewer.keys.token}/ws"'.encode() in body


def test_every_answer_carries_the_headers(viewer: Viewer) -> None:
    answers = [
        ask(viewer, path) for path in (home(viewer), home(viewer) + "cardan.js", home(viewer) + "no", "/", "/no")
    ]
    assert [status for status, _, _ in answers] == [200, 200, 404, 403, 403]
    for _, headers, _ in answers:
        assert {key: headers.get(key.lower()) for key in HEADERS} == HEADERS


def test_the_policy_allows_nothing_from_elsewhere() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in HEADERS["Content-Security-Policy"].split(";"))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == rules["connect-src"] == "'self'"


def test_a_hostile_name_is_text(viewer: Viewer) -> None:
    body = ask(viewer, home(viewer))[2]
    assert b"<script>alert" not in body
    assert b"&lt;script&gt;alert" in body


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "/ws",
        "/cardan.js",
        "//",
        "/{token}x/",
        "/x{token}/",
        "/{half}/",
        "/{upper}/",
        "/open/",
        "/open/{token}",
    ],
)
def test_without_the_secret_nothing_opens(viewer: Viewer, path: str) -> None:
    token = viewer.keys.token
    asked = path.format(token=token, half=token[:20], upper=token.swapcase())
    status, _, body = ask(viewer, asked or "*")
    assert status in (400, 403)
    assert token.encode() not in body


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example:{port}",
        "0.0.0.0:{port}",
        "[::1]:{port}",
        "127.0.0.1:{port}.evil.example",
        "127.1:{port}",
        "127.0.0.1:{port}@evil.example",
    ],
)
def test_a_foreign_host_is_refused(viewer: Viewer, host: str) -> None:
    """DNS rebinding: a name of another site that was made to point here."""
    assert ask(viewer, home(viewer), host=host.format(port=viewer.port))[0] == 403


def test_two_hosts_are_refused(viewer: Viewer) -> None:
    with socket.create_connection(("127.0.0.1", viewer.port), timeout=5) as raw:
        lines = [f"GET {home(viewer)} HTTP/1.1", f"Host: 127.0.0.1:{viewer.port}", "Host: evil.example", "", ""]
        raw.sendall("\r\n".join(lines).encode())
        assert raw.recv(100).split()[1] in (b"400", b"403")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_a_request_made_by_another_page_is_refused(viewer: Viewer, origin: str) -> None:
    assert ask(viewer, home(viewer), Origin=origin.format(port=viewer.port))[0] == 403


@pytest.mark.parametrize(("mode", "target"), [("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe")])
def test_other_sites_can_neither_load_nor_frame_it(viewer: Viewer, mode: str, target: str) -> None:
    fetch = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": mode, "Sec_Fetch_Dest": target}
    assert ask(viewer, home(viewer), **fetch)[0] == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_can_be_written(viewer: Viewer, method: str) -> None:
    assert ask(viewer, home(viewer), method, Content_Length="0")[0] == 403


def test_the_ticket_works_once() -> None:
    """What is handed to the browser program is seen by others in the list of processes."""
    with Viewer(Session()).start() as viewer:  # type: ignore[arg-type]
        path = f"/open/{viewer.keys.ticket}"
        status, headers, _ = ask(viewer, path)
        assert (status, headers["location"]) == (303, home(viewer))
        assert ask(viewer, path)[0] == 403


def test_every_start_has_another_secret() -> None:
    with Viewer(Session()).start() as first, Viewer(Session()).start() as second:  # type: ignore[arg-type]
        assert first.port != second.port
        assert first.keys.token != second.keys.token
        assert len(first.keys.token) >= 43, "256 bits"
        assert ask(second, home(first))[0] == 403


def test_it_listens_on_this_computer_only(viewer: Viewer) -> None:
    assert viewer._socket.getsockname()[0] == "127.0.0.1"


# --- WebSockets ------------------------------------------------------------------------------------------------------


def talk(viewer: Viewer, path: str = "", origin: str | None = "", host: str | None = None) -> Any:
    where = path or home(viewer) + "ws"
    own = f"http://127.0.0.1:{viewer.port}"
    sock = socket.create_connection(("127.0.0.1", viewer.port), timeout=5)
    uri = f"ws://{host or f'127.0.0.1:{viewer.port}'}{where}"
    return connect(uri, sock=sock, origin=own if origin == "" else origin, open_timeout=5, close_timeout=1)  # type: ignore[arg-type]


def refused(viewer: Viewer, **how: Any) -> int:
    with pytest.raises(InvalidStatus) as caught, talk(viewer, **how):
        pass
    return caught.value.response.status_code


def test_the_own_page_may_talk(viewer: Viewer) -> None:
    with talk(viewer) as socket_:
        assert json.loads(socket_.recv(timeout=5))["type"] == "document"
        socket_.send('{"type":"run","serial":4}')
        assert json.loads(socket_.recv(timeout=5)) == {"type": "motion", "serial": 4}


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", None, "https://127.0.0.1:{port}", "http://localhost:{port}"]
)
def test_a_socket_of_a_foreign_origin_is_refused(viewer: Viewer, origin: str | None) -> None:
    """Cross-site WebSocket hijacking; a page at localhost is another origin than one at 127.0.0.1."""
    assert refused(viewer, origin=origin and origin.format(port=viewer.port)) == 403


def test_a_socket_with_a_foreign_host_is_refused(viewer: Viewer) -> None:
    assert refused(viewer, host=f"evil.example:{viewer.port}") == 403
    assert refused(viewer, host=f"evil.example:{viewer.port}", origin=f"http://evil.example:{viewer.port}") == 403


def test_a_socket_without_the_secret_is_refused(viewer: Viewer) -> None:
    assert refused(viewer, path="/ws") == 403
    assert refused(viewer, path=f"/{viewer.keys.token[:-1]}/ws") == 403


def test_a_bad_message_is_answered_and_the_next_one_too(viewer: Viewer) -> None:
    with talk(viewer) as page:
        page.recv(timeout=5)
        page.send("bad")
        assert json.loads(page.recv(timeout=5))["type"] == "error"
        page.send(b"\x00\xff")
        assert json.loads(page.recv(timeout=5))["type"] == "error"
        page.send('{"type":"run","serial":13}')
        answer = json.loads(page.recv(timeout=5))
        assert (answer["type"], answer["serial"], answer["title"]) == ("error", 13, "Unexpected error")
        page.send('{"type":"run","serial":14}')
        assert json.loads(page.recv(timeout=5)) == {"type": "motion", "serial": 14}


def test_a_message_that_is_too_long_ends_only_its_own_socket(viewer: Viewer) -> None:
    from websockets.exceptions import ConnectionClosed

    with talk(viewer) as page:
        page.recv(timeout=5)
        page.send("x" * 200_000)
        with pytest.raises(ConnectionClosed) as caught:
            page.recv(timeout=5)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
    with talk(viewer) as page:
        assert json.loads(page.recv(timeout=5))["type"] == "document"


def test_the_number_of_pages_is_limited(viewer: Viewer) -> None:
    from contextlib import ExitStack

    from cardan.viewer.talking import PAGES

    with ExitStack() as pages:
        for _ in range(PAGES):
            pages.enter_context(talk(viewer)).recv(timeout=5)
        assert refused(viewer) == 403


def test_a_taken_port_is_said(viewer: Viewer) -> None:
    from cardan.errors import ViewerError

    with pytest.raises(ViewerError, match=f"Port {viewer.port} of 127.0.0.1 cannot be used"):
        Viewer(Session(), port=viewer.port)  # type: ignore[arg-type]


def test_stopping_frees_the_port_and_the_thread() -> None:
    viewer = Viewer(Session()).start()  # type: ignore[arg-type]
    viewer.stop()
    assert not viewer.is_running
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", viewer.port), timeout=1)
    again = Viewer(Session(), port=viewer.port).start()  # type: ignore[arg-type]
    again.stop()
