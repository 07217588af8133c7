"""Who gets messages in tests: a push service with a browser behind it, webhooks, and a mail server."""

from __future__ import annotations

import base64
import json
import os
import threading
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.server.running import free_port


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Request:
    """A request that was received."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """An HTTP server that notes what it gets. `answers` has the status for a path, or where it redirects to; else 201."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answers: dict[str, int | str] = {}
        self.hold = threading.Event()  # paths that begin with /slow are answered when it is set
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                receiver.requests.append(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                if self.path.startswith("/slow"):
                    receiver.hold.wait(60)
                answer = receiver.answers.get(self.path, 201)
                self.send_response(answer if isinstance(answer, int) else 307)
                if isinstance(answer, str):
                    self.send_header("location", answer)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.hold.set()
        self.server.shutdown()
        self.server.server_close()

    def at(self, path: str) -> list[Request]:
        return [one for one in self.requests if one.path == path]


class Browser:
    """A browser's push subscription: it alone can read what is sent to it."""

    def __init__(self, service: Receiver, path: str) -> None:
        self.service, self.path = service, path
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)

    @property
    def subscription(self) -> dict[str, Any]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.service.address + self.path, "keys": {"p256dh": encoded(point), "auth": encoded(self.secret)}}

    @property
    def messages(self) -> list[Any]:
        """What was sent to this browser, decrypted."""
        return [
            json.loads(http_ece.decrypt(one.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))
            for one in self.service.at(self.path)
        ]


def signed_claims(request: Request, public_key: str) -> Any:
    """What the sender of a push message claims, after its signature was checked with the key the browser subscribed with."""
    scheme, _, rest = request.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    parts = dict(one.strip().split("=", 1) for one in rest.split(","))
    assert parts["k"] == public_key
    head, claims, signature = parts["t"].split(".")
    raw = decoded(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public_key))
    key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    return json.loads(decoded(claims))


class Mailbox:
    """A mail server that keeps all mails. `refused` has addresses it does not know."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refused: set[str] = set()
        self.port = free_port()
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)

    @property
    def address(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, _: Any, __: Any, envelope: Any, address: str, ___: Any
    ) -> str:
        if address in self.refused:
            return "550 there is nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _: Any, __: Any, envelope: Any) -> str:  # noqa: N802
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def to(self, address: str) -> list[EmailMessage]:
        return [one for one in self.mails if one["To"] == address]

    def __enter__(self) -> Self:
        self.controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.controller.stop()
