"""Guests: a signed cookie, a name, a link to another device, tokens for programs. No sign-up, no password."""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer

from azalai.server.acts import Refused, Who
from azalai.server.settings import Settings
from azalai.server.store import Store, now

COOKIE = "azalai"
COOKIE_DAYS = 400  # as long as browsers keep one
LINK_MINUTES = 30
TOKEN_SECONDS = 60.0  # how long a token is believed without asking the database again
ANIMALS = (
    "Addax",
    "Caracal",
    "Dorcas",
    "Fennec",
    "Gazelle",
    "Hoopoe",
    "Jerboa",
    "Lanner",
    "Mehari",
    "Oryx",
    "Sandcat",
    "Swift",
    "Viper",
)


class Guests:
    """Knows who is asking."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self._cookies: URLSafeSerializer
        self._seats: URLSafeSerializer
        self._names: dict[str, str] = {}
        self._tokens: dict[str, tuple[float, str]] = {}

    async def open(self) -> None:
        """Get the key that signs."""
        key = self.settings.secret or await self.store.setting("secret", lambda: secrets.token_urlsafe(48))
        self._cookies = URLSafeSerializer(key, salt="guest")
        self._seats = URLSafeSerializer(key, salt="seat")

    # ------------------------------------------------------------ cookies and tokens

    def from_cookie(self, cookie: str | None) -> str | None:
        """The guest of a cookie, or None where it is not one of ours."""
        if not cookie or len(cookie) > 200:
            return None
        try:
            guest = self._cookies.loads(cookie)
        except BadSignature:
            return None
        return guest if isinstance(guest, str) else None

    def cookie(self, guest: str, secure: bool) -> str:
        """The header that gives a browser its cookie."""
        value = self._cookies.dumps(guest)
        parts = f"{COOKIE}={value}; Path=/; Max-Age={COOKIE_DAYS * 86400}; HttpOnly; SameSite=Lax"
        return parts + ("; Secure" if secure else "")

    async def from_token(self, token: str) -> str:
        """The guest an API token stands for."""
        digest = digest_of(token)
        known = self._tokens.get(digest)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        guest = await self.store.token(digest, "api")
        if guest is None:
            raise Refused(401, "bad_token", "this token is not valid (any more)")
        if len(self._tokens) > 10_000:
            self._tokens.clear()
        self._tokens[digest] = time.monotonic() + TOKEN_SECONDS, guest
        return guest

    async def new_token(self, guest: str, label: str) -> dict[str, Any]:
        """A token for a program; it is shown this once."""
        if len(await self.store.tokens(guest)) >= 20:
            raise Refused(409, "too_many_tokens", "you have twenty tokens; delete one first")
        token = "azalai_" + secrets.token_urlsafe(32)
        created = await self.store.add_token(digest_of(token), guest, "api", label, None)
        return {"id": digest_of(token)[:16], "label": label, "created": created, "token": token}

    async def tokens(self, guest: str) -> list[dict[str, Any]]:
        """A guest's tokens, without the tokens themselves."""
        return [
            {"id": one["digest"][:16], "label": one["label"], "created": one["created"]} for one in await self.store.tokens(guest)
        ]

    async def drop_token(self, guest: str, token_id: str) -> None:
        """Make a token worthless, here at once and in other processes within a minute."""
        for one in await self.store.tokens(guest):
            if one["digest"][:16] == token_id:
                await self.store.drop_token(one["digest"], guest)
                self._tokens.pop(one["digest"], None)
                return
        raise Refused(404, "no_such_token", "you have no such token")

    # ------------------------------------------------------------ links

    async def new_link(self, guest: str) -> tuple[str, int]:
        """A code that makes another device this guest, once, and until when."""
        code = secrets.token_urlsafe(24)
        expires = now() + LINK_MINUTES * 60_000
        await self.store.add_token(digest_of(code), guest, "link", "", expires)
        return code, expires

    async def use_link(self, code: str) -> str:
        """The guest a code stands for. It is worthless afterwards."""
        guest = await self.store.token(digest_of(code), "link")
        if guest is None or not await self.store.drop_token(digest_of(code)):
            raise Refused(404, "bad_link", "this link has been used already, or is too old")
        return guest

    def seat_code(self, table_id: str, seat: int, since: int) -> str:
        """A code that hands a seat over, valid until the seat changes hands."""
        return str(self._seats.dumps([table_id, seat, since]))

    def read_seat_code(self, code: str, table_id: str) -> tuple[int, int]:
        """The seat a code hands over, and since when its holder has it."""
        try:
            table, seat, since = self._seats.loads(code)
            if table == table_id and isinstance(seat, int) and isinstance(since, int):
                return seat, since
        except (BadSignature, ValueError, TypeError):
            pass
        raise Refused(404, "bad_link", "this link hands over no seat at this table")

    # ------------------------------------------------------------ names

    async def who(self, guest: str) -> Who:
        """A guest with their name."""
        name = self._names.get(guest)
        if name is None:
            name = await self.store.guest_name(guest) or default_name(guest)
            if len(self._names) > 50_000:
                self._names.clear()
            self._names[guest] = name
        return Who(guest, name)

    async def rename(self, guest: str, name: str) -> Who:
        """Take a name."""
        clean = clean_text(name, self.settings.limits.name_length)
        if not clean:
            raise Refused(422, "bad_name", "a name needs at least one visible character")
        await self.store.name_guest(guest, clean)
        self._names[guest] = clean
        return Who(guest, clean)


def new_guest() -> str:
    """The id of somebody new."""
    return secrets.token_urlsafe(18)


def default_name(guest: str) -> str:
    """What a guest is called who has not taken a name: an animal of the desert and a number."""
    number = int.from_bytes(hashlib.sha256(guest.encode()).digest()[:4], "big")
    return f"{ANIMALS[number % len(ANIMALS)]} {number // len(ANIMALS) % 900 + 100}"


def digest_of(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def clean_text(text: str, length: int) -> str:
    """One line of visible characters: no control or direction signs, no lone surrogates, no endless combining marks."""
    kept = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text.encode("utf-8", "ignore").decode()):
        category = unicodedata.category(sign)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category in ("Zs", "Zl", "Zp") or sign in "\t\n\r":
            kept.append(" ")
        elif (category[0] != "C" and marks <= 2) or (sign == "\u200d" and kept):
            kept.append(sign)
    return " ".join("".join(kept).split())[:length].strip()
