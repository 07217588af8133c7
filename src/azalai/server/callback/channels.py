"""Sends one message to one contact: a browser by Web Push, a mail address, a webhook in the form of Discord or Slack."""

from __future__ import annotations

import asyncio
import base64
import time
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import unquote, urlsplit

import orjson

from azalai.engine.words import MessageCatalog
from azalai.server.callback.outbound import MOST_REDIRECTS, Outbound, Refused
from azalai.server.settings import Settings
from azalai.server.store import Store

WORDS = Path(__file__).resolve().parent.parent
DAY = 86_400
PUSH_TTL = DAY  # seconds for which a push service keeps a message for a browser that is off
MOST_LINES = 10  # tables named in one message
GONE = (404, 410)
MAIL_TIMEOUT = 20.0


class CallLine(TypedDict):
    """What a message says of one table."""

    text: str
    table: str | None


class CallMessage(TypedDict):
    """A message in the words of its reader."""

    language: str
    title: str
    lines: list[CallLine]


class Gone(Exception):
    """The receiver does not exist any more, or will never take a message."""


class Failed(Exception):
    """The message was not taken; another attempt may help."""


class Channels:
    """All ways to reach people. Libraries are loaded when the first message needs them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        self.outbound = Outbound(settings.callback_networks)
        self._thread = ThreadPoolExecutor(1, "push")  # signs and encrypts
        self._vapid: Any = None

    def close(self) -> None:
        """Stop."""
        self.outbound.close()
        self._thread.shutdown(wait=False, cancel_futures=True)

    @property
    def mails(self) -> bool:
        """Whether the operator has named a mail server."""
        return bool(self.settings.smtp)

    async def send(self, contact: dict[str, Any], message: CallMessage, stop: str) -> None:
        """Send a message; raise Gone or Failed. `stop` is the code that ends mails to this address."""
        try:
            if contact["kind"] == "mail":
                await self._mail(contact["address"], message, stop)
            else:
                check_status(await self._post(contact, message))
        except Refused as error:
            raise Gone(str(error)) from None
        except (OSError, TimeoutError, ValueError) as error:
            raise Failed(type(error).__name__) from None

    async def _post(self, contact: dict[str, Any], message: CallMessage) -> int:
        if contact["kind"] == "push":
            headers, body = await self._encrypted(contact, message)
            return await self.outbound.post(contact["address"], headers, body)
        body = orjson.dumps(webhook_body(contact["kind"], message, self.settings.public_url))
        return await self.outbound.post(contact["address"], {"content-type": "application/json"}, body, MOST_REDIRECTS)

    # ------------------------------------------------------------ Web Push

    async def push_key(self) -> str:
        """Return the public key that browsers subscribe with."""
        vapid = await self._keys()
        return await asyncio.get_running_loop().run_in_executor(self._thread, public_key, vapid)

    async def _keys(self) -> Any:
        """Return the server's key pair. The first process that needs it makes it; all others find it in the database."""
        if self._vapid is None:
            loop = asyncio.get_running_loop()
            fresh = await loop.run_in_executor(self._thread, new_private_key)
            stored = await self.store.setting("vapid", lambda: fresh)
            self._vapid = await loop.run_in_executor(self._thread, load_private_key, stored)
        return self._vapid

    async def _encrypted(self, contact: dict[str, Any], message: CallMessage) -> tuple[dict[str, str], bytes]:
        vapid = await self._keys()
        work = asyncio.get_running_loop().run_in_executor(
            self._thread, encrypt, vapid, self._operator(), contact["address"], contact["keys"], push_body(message)
        )
        return await work

    def _operator(self) -> str:
        """Return how a push service can reach whoever runs this server."""
        if self.settings.mail_from:
            return "mailto:" + self.settings.mail_from.rpartition("<")[2].rstrip("> ")
        return self.settings.public_url or "mailto:operator@localhost"

    # ------------------------------------------------------------ mail

    async def _mail(self, address: str, message: CallMessage, stop: str) -> None:
        url, words = self.settings.public_url, MessageCatalog(WORDS, message["language"])
        lines = [line["text"] + (f"\n{url}/table/{line['table']}" if line["table"] else "") for line in message["lines"]]
        foot = [words("call.why"), words("call.settings", url=f"{url}/call"), words("call.stop", url=f"{url}/call#stop={stop}")]
        unsubscribe = {
            "List-Unsubscribe": f"<{url}/api/callback/unsubscribe/{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        await self.mail(address, message["title"], "\n\n".join([*lines, "-- \n" + "\n".join(foot)]), unsubscribe)

    async def mail(self, address: str, subject: str, text: str, headers: dict[str, str] | None = None) -> None:
        """Send a mail; raise Gone or Failed."""
        import aiosmtplib

        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.settings.mail_from, address, subject
        mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain=urlsplit(self.settings.public_url).hostname)
        mail["Auto-Submitted"] = "auto-generated"
        for name, value in (headers or {}).items():
            mail[name] = value
        mail.set_content(text)
        server = urlsplit(self.settings.smtp)
        try:
            await aiosmtplib.send(
                mail,
                hostname=server.hostname,
                port=server.port,
                username=unquote(server.username) if server.username else None,
                password=unquote(server.password) if server.password else None,
                use_tls=server.scheme == "smtps",
                timeout=MAIL_TIMEOUT,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            if all(500 <= one.code < 600 for one in error.recipients):
                raise Gone("refused") from None
            raise Failed("refused for now") from None
        except aiosmtplib.SMTPException as error:
            raise Failed(type(error).__name__) from None


def check_status(status: int) -> None:
    """Raise Gone or Failed where a receiver did not take the message."""
    if status in GONE:
        raise Gone(f"status {status}")
    if not 200 <= status < 300:
        raise Failed(f"status {status}")


def new_private_key() -> str:
    """Make the server's key for Web Push."""
    from py_vapid import Vapid02

    vapid = Vapid02()
    vapid.generate_keys()
    return str(vapid.private_pem().decode())


def load_private_key(text: str) -> Any:
    """Load the server's key for Web Push."""
    from py_vapid import Vapid02

    return Vapid02.from_pem(text.encode())


def public_key(vapid: Any) -> str:
    """Return the public half of the key as browsers want it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return encoded(vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def encrypt(vapid: Any, operator: str, endpoint: str, keys: dict[str, str], body: bytes) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of a push message (RFC 8291, RFC 8292)."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    parts = urlsplit(endpoint)
    claims = {"sub": operator, "aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + DAY // 2}
    sealed = http_ece.encrypt(
        body,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(keys["p256dh"]),
        auth_secret=decoded(keys["auth"]),
        version="aes128gcm",
    )
    headers = {
        **vapid.sign(claims),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(PUSH_TTL),
        "urgency": "normal",
        "topic": "azalai-tables",  # a message that waits for the browser is replaced by the next
    }
    return headers, sealed


def check_push_keys(keys: dict[str, str]) -> bool:
    """Return whether messages can be encrypted with a subscription's keys."""
    try:
        point, secret = decoded(keys["p256dh"]), decoded(keys["auth"])
    except (ValueError, KeyError):
        return False
    return len(point) == 65 and point[0] == 4 and len(secret) == 16


def push_body(message: CallMessage) -> bytes:
    """Return what the service worker gets: title, text, and the page to open."""
    lines = message["lines"][:MOST_LINES]
    url = f"/table/{lines[0]['table']}" if len(message["lines"]) == 1 and lines[0]["table"] else "/"
    return orjson.dumps({"title": message["title"], "body": "\n".join(line["text"] for line in lines), "url": url})


def webhook_body(kind: str, message: CallMessage, url: str) -> dict[str, Any]:
    """Return a message in the form of Discord or Slack. Names are shown as they are, and mention nobody."""
    escape = escape_slack if kind == "slack" else escape_discord
    lines = [
        escape(line["text"]) + (f"\n{url}/table/{line['table']}" if url and line["table"] else "")
        for line in message["lines"][:MOST_LINES]
    ]
    text = "\n".join(lines if len(lines) == 1 else [escape(message["title"]), *lines])
    return {"text": text} if kind == "slack" else {"content": text, "allowed_mentions": {"parse": []}}


def escape_slack(text: str) -> str:
    """Return text that Slack shows as it is."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_discord(text: str) -> str:
    """Return text that Discord shows as it is."""
    return "".join(f"\\{sign}" if sign in "\\*_~`|>[]()<#" else sign for sign in text)


def encoded(content: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64url, with or without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
