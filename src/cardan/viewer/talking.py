"""A conversation with one page: its requests one at a time, the newest first, older ones forgotten."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from cardan.viewer.session import LARGEST_MESSAGE, Refused, Request, Session, refusal

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

PAGES = 8  # at once
GRACE = 0.3  # seconds that a motion asked for while dragging may go on after the slider has moved further

PATIENCE = 0.3  # seconds after which a page is told what it waits for

log = logging.getLogger(__name__)


class Conversation:
    """What one page wants now. Motions are computed in ``worker``, one at a time for all pages."""

    def __init__(self, socket: WebSocket, session: Session, worker: ThreadPoolExecutor) -> None:
        self.socket, self.session, self.worker = socket, session, worker
        self.wanted: Request | None = None
        self.news = asyncio.Event()
        self.is_over = False

    async def hold(self) -> None:
        """Send the document, then answer requests until the page leaves."""
        await self.socket.accept()
        answering = asyncio.create_task(self._answer_requests())
        try:
            await self._send(await self._document())
            while not self.is_over:
                await self._hear(await self.socket.receive())
        finally:
            self.is_over = True
            answering.cancel()

    async def _send(self, text: str) -> None:
        """Tell the page; one that has left hears nothing."""
        from starlette.websockets import WebSocketDisconnect

        try:
            await self.socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            self.is_over = True

    async def _document(self) -> str:
        """The document; the page is told how far it is."""
        making = asyncio.get_running_loop().run_in_executor(self.worker, lambda: self.session.document)
        told = ""
        while not (await asyncio.wait([making], timeout=PATIENCE))[0]:
            if told != self.session.progress:
                told = self.session.progress
                await self._send(told)
        try:
            return await making
        except Exception as problem:
            log.exception("The page of the viewer could not be made")
            return refusal(Refused("This run cannot be shown", f"{type(problem).__name__}: {problem}"))

    async def _hear(self, message: Mapping[str, object]) -> None:
        if message["type"] == "websocket.disconnect":
            self.is_over = True
            return
        text = message.get("text")
        try:
            if not isinstance(text, str) or len(text) > LARGEST_MESSAGE:
                raise Refused("Message refused", f"A message is text of at most {LARGEST_MESSAGE} characters.")
            self.wanted = self.session.read(text)
            self.news.set()
        except Refused as problem:
            await self._send(refusal(problem))

    async def _answer_requests(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self.news.wait()
            self.news.clear()
            request = self.wanted
            if request is None:
                continue
            try:
                text = await loop.run_in_executor(self.worker, self._compute, request)
            except Refused as problem:
                text = refusal(problem)
            except Exception:  # a mistake of ours ends this request, not the viewer
                log.exception("A request of the viewer failed")
                what = "The motion could not be computed; the terminal in which Cardan runs says more."
                text = refusal(Refused("Unexpected error", what, request.serial))
            if text is not None and (self._is_newest(request) or request.quality == "drag"):
                await self._send(text)

    def _compute(self, request: Request) -> str | None:
        """In the worker's thread; None where a newer request has come before this one was begun."""
        if self.is_over or not self._is_newest(request):
            return None
        begun = time.monotonic()

        def is_wanted() -> bool:
            patient = request.quality == "drag" and time.monotonic() < begun + GRACE
            return not self.is_over and (self._is_newest(request) or patient)

        text = self.session.answer(request, is_wanted)
        return text if is_wanted() else None

    def _is_newest(self, request: Request) -> bool:
        return self.wanted is request
