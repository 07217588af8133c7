"""Keeping a name: passkeys (WebAuthn) by which a guest signs in on any device, and a recovery code to print.

A challenge is stored by its digest and works once. The library for WebAuthn is large, so it is imported when first used.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import Connection

from azalai.server.errors import ApiError
from azalai.server.guests import Guest, Guests
from azalai.server.rows import GuestRow, PasskeyRow, TokenRow
from azalai.server.server_time import now
from azalai.server.store import Store
from azalai.server.tokens import digest_of

CHALLENGE_MINUTES = 5
MOST = 20  # passkeys of one guest
CREATE, SIGN_IN, RECOVERY = "create", "sign in", "recovery"  # kinds of tokens
SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # of a recovery code: 32, none of which is easily mistaken for another
CODE_LENGTH, CODE_GROUP = 20, 5  # 100 random bits
MISREAD = str.maketrans("OIL", "011")


@dataclass(frozen=True)
class Site:
    """Where the page was opened: passkeys hold for one host."""

    origin: str
    host: str


def site_of(origin: str | None) -> Site:
    """Return the site of a request from its `Origin` header, which the middleware has compared with ours."""
    parts = urlsplit(origin or "")
    host = parts.hostname or ""
    try:
        ipaddress.ip_address(host)
        host = ""
    except ValueError:
        pass
    if not host or (parts.scheme != "https" and host != "localhost" and not host.endswith(".localhost")):
        raise ApiError(409, "no_passkeys_here", "passkeys need a page with a name, by HTTPS or at http://localhost")
    return Site(str(origin), host)


class Passkeys:
    """Makes, checks and deletes passkeys and recovery codes."""

    def __init__(self, store: Store, guests: Guests) -> None:
        self.store = store
        self.guests = guests

    # ------------------------------------------------------------ making one

    async def creation_options(self, guest: Guest, site: Site) -> dict[str, Any]:
        """Return what the browser needs to make a passkey, as WebAuthn defines it."""
        known = [one["key"] for one in await self._of(guest.id)]
        challenge = await self._new_challenge(guest.id, CREATE)
        return await asyncio.to_thread(_creation_options, guest, site, challenge, known)

    async def add(self, guest: Guest, site: Site, credential: dict[str, Any], label: str) -> None:
        """Store the passkey that a browser has made. The guest has a public id from now on."""
        challenge = _challenge_of(credential)
        if await self._take_challenge(challenge, CREATE) != guest.id:
            raise ApiError(409, "bad_challenge", "this took too long, or was done already: begin again")
        if len(await self._of(guest.id)) >= MOST:
            raise ApiError(409, "too_many_passkeys", f"you have {MOST} passkeys; remove one first")
        key, public_key, uses = await asyncio.to_thread(_check_new, site, challenge, credential)
        row = {
            "id": key, "guest": guest.id, "host": site.host, "public_key": public_key, "uses": uses, "label": label,
            "created": now(), "used": None,
        }  # fmt: skip
        await self.guests.store_name(guest.id, guest.name)

        def work(connection: Connection) -> None:
            if connection.execute(select(PasskeyRow.guest).where(PasskeyRow.id == key)).first() is not None:
                raise ApiError(409, "known_passkey", "this passkey is known already")
            connection.execute(insert(PasskeyRow), [row])
            unnamed = (GuestRow.id == guest.id, GuestRow.player.is_(None))
            connection.execute(update(GuestRow).where(*unnamed).values(player=secrets.token_hex(5)))

        await self.store.transact(work)

    async def of(self, guest_id: str) -> list[dict[str, Any]]:
        """Return a guest's passkeys, without the keys."""
        return [{name: one[name] for name in ("id", "label", "host", "created", "used")} for one in await self._of(guest_id)]

    async def drop(self, guest_id: str, passkey_id: str) -> None:
        """Delete a passkey."""
        keys = [one["key"] for one in await self._of(guest_id) if one["id"] == passkey_id]
        if not keys:
            raise ApiError(404, "no_such_passkey", "you have no such passkey")
        gone = delete(PasskeyRow).where(PasskeyRow.id.in_(keys))
        await self.store.transact(lambda connection: connection.execute(gone))

    async def _of(self, guest_id: str) -> list[dict[str, Any]]:
        query = select(PasskeyRow).where(PasskeyRow.guest == guest_id).order_by(PasskeyRow.created)
        async with self.store.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return [{**row._mapping, "key": row.id, "id": digest_of(row.id)[:16]} for row in rows]

    # ------------------------------------------------------------ signing in

    async def request_options(self, site: Site) -> dict[str, Any]:
        """Return what the browser needs to ask for a passkey of this site, whoever's it is."""
        return {
            "challenge": await self._new_challenge("", SIGN_IN),
            "rpId": site.host,
            "timeout": CHALLENGE_MINUTES * 60_000,
            "allowCredentials": [],
            "userVerification": "required",
        }

    async def sign_in(self, site: Site, credential: dict[str, Any]) -> Guest:
        """Return the guest of a passkey that has signed a challenge of ours."""
        challenge = _challenge_of(credential)
        if await self._take_challenge(challenge, SIGN_IN) is None:
            raise ApiError(409, "bad_challenge", "this took too long, or was done already: begin again")
        async with self.store.engine.connect() as connection:
            query = select(PasskeyRow).where(PasskeyRow.id == str(credential.get("id"))[:1400], PasskeyRow.host == site.host)
            row = (await connection.execute(query)).first()
        if row is None:
            raise ApiError(404, "unknown_passkey", "this passkey was removed, or belongs to another server")
        uses = await asyncio.to_thread(_check_use, site, challenge, credential, row.public_key, row.uses)
        guest = await self.guests.allowed(row.guest)
        change = update(PasskeyRow).where(PasskeyRow.id == row.id).values(uses=uses, used=now())
        await self.store.transact(lambda connection: connection.execute(change))
        return guest

    async def _new_challenge(self, guest_id: str, kind: str) -> str:
        challenge = secrets.token_urlsafe(32)
        await self.guests.stored_tokens.add(digest_of(challenge), guest_id, kind, "", now() + CHALLENGE_MINUTES * 60_000)
        return challenge

    async def _take_challenge(self, challenge: str, kind: str) -> str | None:
        """Return for whom a challenge was made, and invalidate it; None if it is not valid."""
        digest = digest_of(challenge)
        guest_id = await self.guests.stored_tokens.guest_of(digest, kind)
        return guest_id if guest_id is not None and await self.guests.stored_tokens.drop(digest) else None

    # ------------------------------------------------------------ recovery codes

    async def new_code(self, guest: Guest) -> str:
        """Return a new recovery code, which replaces the former one. It is shown only now."""
        code = "".join(secrets.choice(SIGNS) for _ in range(CODE_LENGTH))
        await self.guests.store_name(guest.id, guest.name)
        former = delete(TokenRow).where(TokenRow.guest == guest.id, TokenRow.kind == RECOVERY)
        await self.store.transact(lambda connection: connection.execute(former))
        await self.guests.stored_tokens.add(digest_of(code), guest.id, RECOVERY, "", None)
        return "-".join(code[begin : begin + CODE_GROUP] for begin in range(0, CODE_LENGTH, CODE_GROUP))

    async def code_since(self, guest_id: str) -> int | None:
        """Return when a guest's recovery code was made; None if there is none."""
        query = select(func.max(TokenRow.created)).where(TokenRow.guest == guest_id, TokenRow.kind == RECOVERY)
        async with self.store.engine.connect() as connection:
            found: int | None = (await connection.execute(query)).scalar_one()
        return found

    async def recover(self, code: str) -> Guest:
        """Return the guest of a recovery code, and use the code up."""
        digest = digest_of("".join(sign for sign in code.upper().translate(MISREAD) if sign.isalnum()))
        guest_id = await self.guests.stored_tokens.guest_of(digest, RECOVERY)
        if guest_id is None:
            raise ApiError(404, "bad_code", "this code is not valid: it was used, replaced, or mistyped")
        guest = await self.guests.allowed(guest_id)
        if not await self.guests.stored_tokens.drop(digest):
            raise ApiError(404, "bad_code", "this code is not valid: it was used, replaced, or mistyped")
        return guest


def _challenge_of(credential: dict[str, Any]) -> str:
    """Return the challenge that a browser says it has signed."""
    try:
        signed = base64.urlsafe_b64decode(credential["response"]["clientDataJSON"] + "===")
        return str(orjson.loads(signed)["challenge"])
    except (ValueError, KeyError, TypeError):
        raise ApiError(422, "bad_passkey", "this is not what a browser sends of a passkey") from None


def _creation_options(guest: Guest, site: Site, challenge: str, known: list[str]) -> dict[str, Any]:
    from webauthn import generate_registration_options
    from webauthn.helpers import base64url_to_bytes, options_to_json_dict
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    return options_to_json_dict(
        generate_registration_options(
            rp_id=site.host,
            rp_name="Azalai",
            user_id=bytes.fromhex(digest_of(f"passkey {guest.id}")),  # the same for all passkeys of a guest
            user_name=guest.name,
            user_display_name=guest.name,
            challenge=base64url_to_bytes(challenge),
            timeout=CHALLENGE_MINUTES * 60_000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known],
        )
    )


def _check_new(site: Site, challenge: str, credential: dict[str, Any]) -> tuple[str, bytes, int]:
    """Verify a new passkey; return its id, its public key and its count of uses."""
    from webauthn import verify_registration_response
    from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError, AttributeError):
        raise ApiError(422, "bad_passkey", "this passkey does not prove what it must") from None
    return bytes_to_base64url(made.credential_id), made.credential_public_key, made.sign_count


def _check_use(site: Site, challenge: str, credential: dict[str, Any], public_key: bytes, uses: int) -> int:
    """Verify what a passkey has signed; return its new count of uses."""
    from webauthn import verify_authentication_response
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return verify_authentication_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=public_key,
            credential_current_sign_count=uses,
            require_user_verification=True,
        ).new_sign_count
    except (WebAuthnException, ValueError, KeyError, TypeError, AttributeError):
        raise ApiError(403, "bad_passkey", "this passkey does not prove what it must") from None
