"""Connections on which nothing is said: the oldest make room, so that the page itself is always answered.

Any program of this computer may open connections and keep them. Each costs a little, so they are not refused by number,
which would lock out the page with them; of those that have not sent a request yet only the newest are kept.
"""

from __future__ import annotations

from asyncio import Transport
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SILENT = 64  # connections without a request


class PatientProtocol(H11Protocol):
    """HTTP for one connection, which may be ended while it is silent."""

    silent: ClassVar[dict[H11Protocol, None]]  # in the order in which they came; one table for each server

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.silent[self] = None
        while len(self.silent) > MOST_SILENT:
            oldest = next(iter(self.silent))
            del self.silent[oldest]
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.silent.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None:
            self.silent.pop(self, None)

    def handle_websocket_upgrade(self, event: object) -> None:
        self.silent.pop(self, None)
        super().handle_websocket_upgrade(event)  # type: ignore[arg-type]


def patient_protocol() -> type[PatientProtocol]:
    """A protocol for one server."""
    return type("ServerProtocol", (PatientProtocol,), {"silent": {}})
