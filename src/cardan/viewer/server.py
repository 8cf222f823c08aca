"""A web server for one run, on this computer only, in a thread of its own."""

from __future__ import annotations

import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

from cardan.errors import ViewerError
from cardan.viewer.guard import Guard, Keys
from cardan.viewer.page import page
from cardan.viewer.session import LARGEST_MESSAGE, Session
from cardan.viewer.talking import PAGES, Conversation

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute
    from starlette.websockets import WebSocket

ADDRESS = "127.0.0.1"
STARTING = 10.0  # seconds that the server may take to answer


class Viewer:
    """A page on which a run is seen and changed. ``url`` opens it; ``stop()`` ends it."""

    def __init__(self, session: Session, port: int = 0) -> None:
        import uvicorn

        from cardan.viewer.patience import patient_protocol

        self.session, self.keys = session, Keys()
        app = self._app()  # missing files are said before a port is taken
        self._socket = listening(port)
        self.port: int = self._socket.getsockname()[1]
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="cardan-motion")
        self._pages = 0
        config = uvicorn.Config(
            Guard(app, self.port, self.keys),
            ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,  # the other end is this machine: bytes cost less than packing them
            http=patient_protocol(),
            backlog=1024,
            lifespan="off",
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody stands between
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="cardan-viewer", daemon=True)

    @property
    def url(self) -> str:
        """The address of the page, with the secret of this start: who has it sees and moves this run."""
        return f"http://{ADDRESS}:{self.port}/{self.keys.token}/"

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive() and not self._server.should_exit

    def start(self) -> Self:
        """Begin to serve; the page can be opened when this returns."""
        self._thread.start()
        self._worker.submit(lambda: self.session.document)  # ready when the page asks
        deadline = time.monotonic() + STARTING
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > deadline:
                self.stop()
                raise ViewerError(f"The viewer's server did not start on {ADDRESS}:{self.port}.", port=self.port)
            time.sleep(0.005)
        return self

    def open(self) -> bool:
        """Show the page in the user's browser; whether one was found. The address it is given works once."""
        import webbrowser

        return webbrowser.open(f"http://{ADDRESS}:{self.port}/open/{self.keys.ticket}")

    def wait(self) -> None:
        """Serve until Ctrl-C or ``stop()``."""
        try:
            while self.is_running:
                time.sleep(0.1)
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def stop(self) -> None:
        """End the server and free its port."""
        self._server.should_exit = True
        self.session.close()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)
        self._socket.close()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = "at " + self.url if self.is_running else "stopped"
        return f"Viewer({self.session.name!r} {state})"

    # --- inside ------------------------------------------------------------------------------------

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

    def _app(self) -> Starlette:
        from starlette.applications import Starlette
        from starlette.responses import HTMLResponse, Response
        from starlette.routing import Route, WebSocketRoute

        from cardan.report.page.bundle import bundle_css, bundle_js

        script, style = bundle_js().encode(), bundle_css().encode()
        base = f"/{self.keys.token}"

        async def shell(request: Request) -> Response:
            return HTMLResponse(page(self.session.name, f"{base}/ws"))

        async def javascript(request: Request) -> Response:
            return Response(script, media_type="text/javascript")

        async def stylesheet(request: Request) -> Response:
            return Response(style, media_type="text/css")

        routes: list[BaseRoute] = [
            Route(f"{base}/", shell),
            Route(f"{base}/cardan.js", javascript),
            Route(f"{base}/cardan.css", stylesheet),
            WebSocketRoute(f"{base}/ws", self._talk),
        ]
        return Starlette(routes=routes)

    async def _talk(self, socket: WebSocket) -> None:
        if self._pages >= PAGES:
            await socket.close(code=1013)
            return
        self._pages += 1
        try:
            await Conversation(socket, self.session, self._worker).hold()
        finally:
            self._pages -= 1


def listening(port: int) -> socket.socket:
    """A socket on the loopback interface, which no other program can share."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform == "win32":
        found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port just left can be taken again
    try:
        found.bind((ADDRESS, port))
    except (OSError, OverflowError) as problem:
        found.close()
        raise ViewerError(
            f"Port {port} of {ADDRESS} cannot be used: {problem}. Leave the port out, and a free one is taken.",
            port=port,
        ) from None
    return found
