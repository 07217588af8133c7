"""Guests: a signed cookie, a name, links to other devices and API tokens. There are no accounts and no passwords.

Whoever wants to keep their name has a passkey: see `passkeys.py`.
"""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata
from dataclasses import dataclass, replace
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import and_, delete, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from azalai.server.errors import ApiError
from azalai.server.ids import new_id
from azalai.server.rows import GuestRow, TokenRow
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Store
from azalai.server.tokens import Tokens, digest_of

COOKIE = "azalai"
COOKIE_DAYS = 400  # the maximum browsers allow
BEFORE = "azalai_before"  # the cookie of who a device was before it became another guest
BEFORE_DAYS = 30
LINK_MINUTES = 30
TOKEN_SECONDS = 60.0  # how long a token is cached before the database is asked again
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


@dataclass(frozen=True)
class Guest:
    """A guest: a private id and a public name."""

    id: str
    name: str
    epoch: int = 0  # cookies carry it; raising it ends all sessions
    token: str | None = None  # digest of the API token that was sent; None: a cookie
    player: str | None = None  # the public id of whoever keeps their name


class Guests:
    """Authenticates guests, and manages their names, links and tokens."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self._cookies: URLSafeSerializer
        self._seats: URLSafeSerializer
        self._known: dict[str, tuple[Guest, bool]] = {}  # guests and whether they are banned
        self.stored_tokens = Tokens(store)
        self._tokens: dict[str, tuple[float, str]] = {}
        self._changes = 0  # how often something was forgotten

    async def open(self) -> None:
        """Load the key that signs cookies and links."""
        key = await signing_key(self.store, self.settings)
        self._cookies = URLSafeSerializer(key, salt="guest")
        self._seats = URLSafeSerializer(key, salt="seat")

    # ------------------------------------------------------------ cookies and tokens

    def from_cookie(self, cookie: str | None) -> tuple[str, int] | None:
        """Return the guest id and the epoch of a cookie, or None for an invalid one."""
        if not cookie or len(cookie) > 200:
            return None
        try:
            content = self._cookies.loads(cookie)
        except BadSignature:
            return None
        guest_id, epoch = content if isinstance(content, list) and len(content) == 2 else (content, 0)
        return (guest_id, epoch) if isinstance(guest_id, str) and isinstance(epoch, int) else None

    def cookie(self, session: tuple[str, int], secure: bool, name: str = COOKIE) -> str:
        """Return the `Set-Cookie` header of a guest."""
        value = self._cookies.dumps(list(session) if session[1] else session[0])
        path, days = ("/", COOKIE_DAYS) if name == COOKIE else ("/api/me", BEFORE_DAYS)
        parts = f"{name}={value}; Path={path}; Max-Age={days * 86400}; HttpOnly; SameSite=Lax"
        return parts + ("; Secure" if secure else "")

    async def from_session(self, session: tuple[str, int] | None) -> Guest | None:
        """Return the guest of a cookie's content; None if the session was ended."""
        if session is None:
            return None
        guest = await self.allowed(session[0])
        return guest if guest.epoch == session[1] else None

    async def from_token(self, token: str) -> Guest:
        """Return the guest of an API token."""
        digest = digest_of(token)
        known = self._tokens.get(digest)
        if known is None or known[0] <= time.monotonic():
            guest_id = await self.stored_tokens.guest_of(digest, "api")
            if guest_id is None:
                raise ApiError(401, "bad_token", "this token is not valid (any more)")
            if len(self._tokens) > 10_000:
                self._tokens.clear()
            known = self._tokens[digest] = time.monotonic() + TOKEN_SECONDS, guest_id
        return replace(await self.allowed(known[1]), token=digest)

    async def still_valid(self, guest: Guest) -> bool:
        """Return whether the session or token by which a guest was authenticated still holds."""
        try:
            current = await self.allowed(guest.id)
        except ApiError:
            return False
        if guest.token is None:
            return current.epoch == guest.epoch
        return await self.stored_tokens.guest_of(guest.token, "api") == guest.id

    async def end_sessions(self, guest: Guest) -> Guest:
        """End all sessions, links and tokens of a guest but the one they ask with, which gets a new epoch.

        Passkeys and the recovery code stay: by them the guest comes back.
        """
        await self.store_name(guest.id, guest.name)

        def work(connection: Connection) -> int:
            connection.execute(update(GuestRow).where(GuestRow.id == guest.id).values(epoch=GuestRow.epoch + 1))
            others = and_(TokenRow.guest == guest.id, TokenRow.kind != "recovery", TokenRow.digest != (guest.token or ""))
            connection.execute(delete(TokenRow).where(others))
            return int(connection.execute(select(GuestRow.epoch).where(GuestRow.id == guest.id)).scalar_one())

        epoch = await self.store.transact(work)
        self.forget(guest.id)
        return replace(guest, epoch=epoch)

    async def new_token(self, guest_id: str, label: str) -> dict[str, Any]:
        """Create an API token. Its secret is shown only now."""
        if len(await self.stored_tokens.of_guest(guest_id)) >= 20:
            raise ApiError(409, "too_many_tokens", "you have twenty tokens; delete one first")
        token = "azalai_" + secrets.token_urlsafe(32)
        created = await self.stored_tokens.add(digest_of(token), guest_id, "api", label, None)
        return {"id": digest_of(token)[:16], "label": label, "created": created, "token": token}

    async def tokens(self, guest_id: str) -> list[dict[str, Any]]:
        """Return a guest's tokens, without the secrets."""
        return [
            {"id": one["digest"][:16], "label": one["label"], "created": one["created"]}
            for one in await self.stored_tokens.of_guest(guest_id)
        ]

    async def drop_token(self, guest_id: str, token_id: str) -> None:
        """Delete a token."""
        for one in await self.stored_tokens.of_guest(guest_id):
            if one["digest"][:16] == token_id:
                await self.stored_tokens.drop(one["digest"], guest_id)
                self._tokens.pop(one["digest"], None)
                return
        raise ApiError(404, "no_such_token", "you have no such token")

    # ------------------------------------------------------------ links

    async def new_link(self, guest_id: str) -> tuple[str, int]:
        """Create a one-time code that makes another device this guest; return it and when it expires."""
        code = secrets.token_urlsafe(24)
        expires = now() + LINK_MINUTES * 60_000
        await self.stored_tokens.add(digest_of(code), guest_id, "link", "", expires)
        return code, expires

    async def look_at_link(self, code: str) -> Guest:
        """Return the guest of a one-time code."""
        guest_id = await self.stored_tokens.guest_of(digest_of(code), "link")
        if guest_id is None:
            raise ApiError(404, "bad_link", "this link has been used already, or is too old")
        return await self.allowed(guest_id)

    async def use_link(self, code: str) -> Guest:
        """Return the guest of a one-time code, and invalidate the code."""
        guest = await self.look_at_link(code)
        if not await self.stored_tokens.drop(digest_of(code)):
            raise ApiError(404, "bad_link", "this link has been used already, or is too old")
        return guest

    def seat_code(self, table_id: str, seat: int, since: int) -> str:
        """Return a code that hands a seat over; it is valid until the seat changes hands."""
        return str(self._seats.dumps([table_id, seat, since]))

    def read_seat_code(self, code: str, table_id: str) -> tuple[int, int]:
        """Return the seat of a code, and the entry number that seated its holder."""
        try:
            table, seat, since = self._seats.loads(code)
            if table == table_id and isinstance(seat, int) and isinstance(since, int):
                return seat, since
        except (BadSignature, ValueError, TypeError):
            pass
        raise ApiError(404, "bad_link", "this link hands over no seat at this table")

    # ------------------------------------------------------------ names

    async def get(self, guest_id: str) -> Guest:
        """Return a guest with their name."""
        return (await self._load(guest_id))[0]

    async def allowed(self, guest_id: str) -> Guest:
        """Return a guest; raise an error for one who is banned."""
        guest, banned = await self._load(guest_id)
        if banned:
            raise ApiError(403, "banned", "the operator of this server has banned you from it")
        return guest

    async def _load(self, guest_id: str) -> tuple[Guest, bool]:
        known = self._known.get(guest_id)
        if known is None:
            changes = self._changes
            query = select(GuestRow.__table__).where(GuestRow.id == guest_id)
            row = await self.store.one(query) or {"name": "", "epoch": 0, "banned": None, "player": None}
            guest = Guest(guest_id, row["name"] or default_name(guest_id), row["epoch"], player=row["player"])
            known = guest, row["banned"] is not None
            if len(self._known) > 50_000:
                self._known.clear()
            if changes == self._changes:  # else what was read may be old already
                self._known[guest_id] = known
        return known

    def forget(self, guest_id: str | None = None) -> None:
        """Forget what is cached of a guest, or of all, because it may have changed."""
        self._changes += 1
        if guest_id is None:
            self._known.clear()
            self._tokens.clear()
            return
        self._known.pop(guest_id, None)
        self._tokens = {digest: known for digest, known in self._tokens.items() if known[1] != guest_id}

    async def store_name(self, guest: str, name: str) -> None:
        """Store a guest's name."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(GuestRow).where(GuestRow.id == guest).values(name=name)).rowcount:
                connection.execute(insert(GuestRow), [{"id": guest, "name": name, "created": now(), "epoch": 0}])

        try:
            await self.store.transact(work)
        except IntegrityError:  # two first requests at once: the other one has inserted the row
            await self.store.transact(work)

    async def rename(self, guest_id: str, name: str) -> Guest:
        """Change a guest's name."""
        clean = clean_text(name, self.settings.limits.name_length)
        if not clean:
            raise ApiError(422, "bad_name", "a name needs at least one visible character")
        await self.store_name(guest_id, clean)
        self.forget(guest_id)
        return await self.get(guest_id)


async def signing_key(store: Store, settings: Settings) -> str:
    """Return the key that signs what guests bring back: the operator's, or one that is made once."""
    return settings.secret or await store.setting("secret", lambda: secrets.token_urlsafe(48))


def new_guest() -> str:
    """Return a new guest id."""
    return new_id(18)


def default_name(guest_id: str) -> str:
    """Return the name of a guest who has not chosen one: a desert animal and a number."""
    number = int.from_bytes(hashlib.sha256(guest_id.encode()).digest()[:4], "big")
    return f"{ANIMALS[number % len(ANIMALS)]} {number // len(ANIMALS) % 900 + 100}"


def clean_text(text: str, length: int) -> str:
    """Return one line of visible characters, without control or direction characters, surrogates and stacked marks."""
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
