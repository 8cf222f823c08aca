"""Who may talk to the viewer: only a page that this server itself gave to somebody who knows its secret.

The server listens on the loopback interface, where every page of the browser and every program of the machine can reach
it. So each request, of a page as of a WebSocket, has to name this server exactly in its Host header (a name of another
site that was made to point here is refused: DNS rebinding), must not come from a page of another origin (cross-site
requests and WebSockets), and has to carry the secret of this start in its path. The secret is in the path and not in a
cookie because cookies of 127.0.0.1 are sent to every port of it, to servers of others as well.

The address that is handed to the browser program, and is visible to others in the list of processes, holds a ticket
instead, which is good for one use.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
NAMES = ("127.0.0.1", "localhost")
REFUSED = b"Refused. Open the address that Cardan printed when the viewer started.\n"


@dataclass
class Keys:
    """The secrets of one start of the server."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    ticket: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    is_ticket_spent: bool = False

    def opens(self, path: str) -> bool:
        """Whether the path begins with the token."""
        return secrets.compare_digest(path.split("/", 2)[1].encode() if "/" in path else b"", self.token.encode())

    def takes_ticket(self, path: str) -> bool:
        """Whether the path is the ticket, which is spent by this."""
        fits = secrets.compare_digest(path.encode(), f"/open/{self.ticket}".encode())
        if not fits or self.is_ticket_spent:
            return False
        self.is_ticket_spent = True
        return True


class Guard:
    """Lets a request through to the pages only if its host, origin and secret are right; adds headers to every answer.

    Refusals look alike, whatever the reason.
    """

    def __init__(self, app: ASGIApp, port: int, keys: Keys) -> None:
        self.app, self.keys = app, keys
        self.hosts = {f"{name}:{port}" for name in NAMES}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif not self._comes_from_here(scope):
            await refuse(scope, send)
        elif scope["type"] == "http" and self.keys.takes_ticket(scope["path"]):
            await answer(send, 303, b"", {"Location": f"/{self.keys.token}/"})
        elif self.keys.opens(scope["path"]):
            await self.app(scope, receive, guarded(send))
        else:
            await refuse(scope, send)

    def _comes_from_here(self, scope: Scope) -> bool:
        """Whether the request names this server and no page of another origin made it."""
        host, origin = header(scope, b"host"), header(scope, b"origin")
        if host not in self.hosts or (scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")):
            return False
        if scope["type"] == "websocket":
            return origin == f"http://{host}"
        if origin is not None and origin != f"http://{host}":
            return False
        # A link or a typed address may lead here from anywhere (it still needs the secret); a script, picture or frame
        # of another site may not. Browsers that are too old to say so are held off by the secret.
        site = header(scope, b"sec-fetch-site")
        is_visit = header(scope, b"sec-fetch-mode") == "navigate" and header(scope, b"sec-fetch-dest") == "document"
        return site in (None, "none", "same-origin") or is_visit


def header(scope: Scope, name: bytes) -> str | None:
    """The only value of a header; "" where it is repeated, which nothing equals."""
    found = [value for key, value in scope["headers"] if key.lower() == name]
    if not found:
        return None
    return str(found[0].decode("latin-1")) if len(found) == 1 else ""


def guarded(send: Send) -> Send:
    """A ``send`` that adds the headers."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *raw(HEADERS)]}
        await send(message)

    return sending


def raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(key.lower().encode("latin-1"), value.encode("latin-1")) for key, value in headers.items()]


async def refuse(scope: Scope, send: Send) -> None:
    """403; a WebSocket is refused before it is accepted, which also answers 403."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await answer(send, 403, REFUSED, {"Content-Type": "text/plain; charset=utf-8"})


async def answer(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    length = {"Content-Length": str(len(body))}
    await send({"type": "http.response.start", "status": status, "headers": raw({**HEADERS, **headers, **length})})
    await send({"type": "http.response.body", "body": body})
