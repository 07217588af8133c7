"""Below the application: Uvicorn's protocols, with limits on what a connection may cost, and a way to send without waiting."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

SEND_BUFFER = 128 * 1024  # bytes the system may hold for a socket; by default it takes megabytes for one that does not read
LARGEST_HEAD = 64 * 1024  # bytes of a request before its body
WHOLE_TEXT, MASKED = 0x81, 0x80  # the first byte of a frame that is a whole message; a bit of the second
MASK_END = 6  # in a frame of at most SHORT bytes
SHORT = 125


class Router(Protocol):
    """Knows which process serves a WebSocket."""

    def pass_on(self, url: bytes, head: bytes, connection: int) -> bool:
        """Pass a connection on to the process it belongs to; return False where it is to be served here."""
        ...


class HttpProtocol(HttpToolsProtocol):
    """HTTP that cuts off requests with huge headers, and those that do not arrive in time."""

    router: Router | None = None  # where several processes share a port
    head_seconds = 15.0  # for a request's headers, from the connection or its first byte on
    body_seconds = 30.0
    _size = 0  # of the headers so far
    _complete = False  # whether the headers have arrived
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the parent
        """Wait for a request."""
        super().connection_made(transport)
        self._expect(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._expect(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count headers that have not ended."""
        if self._deadline is None:  # the first bytes of another request
            self._expect(self.head_seconds)
        super().data_received(data)
        if not self._complete and self._deadline is not None:
            self._size += len(data)
            if self._size > LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The headers are too large.")

    def on_message_begin(self) -> None:
        """Begin to count."""
        super().on_message_begin()
        self._size, self._complete = 0, False

    def on_headers_complete(self) -> None:
        """Wait for the body."""
        self._complete = True
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LARGEST_HEAD:
            raise ValueError("the headers are too large")  # answered by the parent with 400
        self._expect(self.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for nothing: the next request comes when it comes."""
        self._expect(None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """The socket has limits of its own. It may belong to another process."""
        self._expect(None)
        if self.router is not None and self.scope["scheme"] == "http" and self._passed_on(self.router):
            self.transport.abort()  # closes it here alone
        else:
            super().handle_websocket_upgrade()

    def _passed_on(self, router: Router) -> bool:
        lines = [b"%b %b HTTP/1.1" % (self.scope["method"].encode(), self.url)]
        lines += [b"%b: %b" % header for header in self.headers]
        head = b"\r\n".join([*lines, b"", b""])
        return router.pass_on(self.url, head, self.transport.get_extra_info("socket").fileno())

    def _expect(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that sends a message at once, without a task and a queue for each socket, and takes a short one as it is."""

    patience = 20.0  # seconds a reader may take nothing
    on_resume: Callable[[], None] | None = None  # called when a reader that was too slow has caught up
    on_message: Callable[[bytes], bool] | None = None  # may take a message instead of the application's queue
    _deadline: asyncio.TimerHandle | None = None
    _unread = 0  # bytes when that was last looked at
    _frame_by_frame = False  # whether each arrival so far was one short frame: then the next one begins another

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Limit what the system holds for a socket."""
        super().connection_made(transport)
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def handle_connect(self, event: Request) -> None:
        """Hand the application this protocol in its scope, as `state.socket`."""
        super().handle_connect(event)
        self._frame_by_frame = True
        if self.response.status_code == 101:
            self.scope["state"]["socket"] = self

    def data_received(self, data: bytes) -> None:
        """Take a short message that arrives by itself, as nearly all do, as it is. The parser costs more than to check a move."""
        size = len(data) - MASK_END
        if not 0 <= size <= SHORT or data[1] != MASKED | size:
            self._frame_by_frame = False
        conn = self.conn
        if self._frame_by_frame and data[0] == WHOLE_TEXT and conn.state is State.OPEN and conn.current_size is None:
            self.curr_msg_data_type, self.frames = "text", [apply_mask(data[MASK_END:], data[2:MASK_END])]
            self.send_receive_event_to_app()
        else:
            super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """Hand a message to `on_message`, if it takes it. The queue costs more: it wakes a task below all of the middleware."""
        take = self.on_message
        if take is None or len(self.frames) != 1 or self.close_sent or not self.queue.empty() or not take(self.frames[0]):
            super().send_receive_event_to_app()

    def send_text(self, message: bytes) -> bool:
        """Send a message; return False, and send nothing, while the reader is too slow: so one message at most is held for it.

        A closed socket takes everything.
        """
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return True
        if not self.writable.is_set():
            return False
        size = len(message)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 0x10000:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        self.transport.write(head + message)
        return True

    def pause_writing(self) -> None:
        """Drop a reader that takes nothing for long. Closing alone would wait until it has read everything, perhaps for ever."""
        super().pause_writing()
        self._unread = self.transport.get_write_buffer_size()
        self._deadline = self.loop.call_later(self.patience, self._check_progress)

    def _check_progress(self) -> None:
        before, self._unread = self._unread, self.transport.get_write_buffer_size()
        if self._unread < before:
            self._deadline = self.loop.call_later(self.patience, self._check_progress)
        else:
            self.transport.abort()

    def resume_writing(self) -> None:
        """Tell the application that the reader has caught up."""
        super().resume_writing()
        self._stop_waiting()
        if self.on_resume is not None:
            self.on_resume()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._stop_waiting()
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """Drop a reader that does not answer."""
        super().keepalive_timeout()
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
