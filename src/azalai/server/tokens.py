"""Stored digests of secrets: API tokens, links, recovery codes, challenges."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import delete, insert, or_, select

from azalai.server.rows import TokenRow
from azalai.server.server_time import now
from azalai.server.store import Store


class Tokens:
    """Stores, finds and deletes digests of secrets."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def add(self, digest: str, guest: str, kind: str, label: str, expires: int | None) -> int:
        """Store a token's digest and delete expired ones; return the time of creation."""
        created = now()
        token = {"digest": digest, "guest": guest, "kind": kind, "label": label, "created": created, "expires": expires}
        await self.store.execute((delete(TokenRow).where(TokenRow.expires < created),), (insert(TokenRow), [token]))
        return created

    async def guest_of(self, digest: str, kind: str) -> str | None:
        """Return the guest a token belongs to."""
        query = select(TokenRow.guest).where(
            TokenRow.digest == digest, TokenRow.kind == kind, or_(TokenRow.expires.is_(None), TokenRow.expires > now())
        )
        found = await self.store.one(query)
        return None if found is None else str(found["guest"])

    async def of_guest(self, guest: str) -> list[dict[str, Any]]:
        """Return a guest's API tokens."""
        query = (
            select(TokenRow.digest, TokenRow.label, TokenRow.created)
            .where(TokenRow.guest == guest, TokenRow.kind == "api")
            .order_by(TokenRow.created)
        )
        async with self.store.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    async def drop(self, digest: str, guest: str | None = None) -> bool:
        """Delete a token; return whether it existed."""
        query = delete(TokenRow).where(TokenRow.digest == digest)
        return bool(await self.store.execute((query if guest is None else query.where(TokenRow.guest == guest),)))


def digest_of(secret: str) -> str:
    """Return the digest that is stored of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
