"""A guest's contacts: add, confirm, describe, delete."""

from __future__ import annotations

import hashlib
from typing import Any

from itsdangerous import BadSignature

from azalai.engine.words import MessageCatalog
from azalai.server.callback.caller import Caller
from azalai.server.callback.channels import WORDS, CallLine, CallMessage, Failed, Gone
from azalai.server.callback.outbound import Refused
from azalai.server.callback.queue import delivery_row
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.ids import new_id
from azalai.server.server import Server
from azalai.server.server_time import now

CONFIRM_SECONDS = 86_400  # for which the link to confirm an address is valid


async def describe(caller: Caller, guest: Guest) -> dict[str, Any]:
    """Return a guest's settings and contacts for themselves."""
    chosen = await caller.queue.settings(guest.id)
    quiet = None if chosen["quiet_from"] is None else {"begin": chosen["quiet_from"], "end": chosen["quiet_to"]}
    return {
        "settings": {**{name: chosen[name] for name in ("turn", "invited", "over", "language", "zone")}, "quiet": quiet},
        "contacts": [
            {
                "id": one["id"],
                "kind": one["kind"],
                "address": one["address"],
                "confirmed": one["confirmed"] is not None,
                "problem": one["problem"],
            }
            for one in await caller.queue.contacts(guest.id)
        ],
        "push_key": await caller.channels.push_key(),
        "mail": caller.channels.mails,
        "feed": chosen["feed"] is not None,
    }


async def add_contact(
    server: Server, guest: Guest, kind: str, address: str, language: str, keys: dict[str, str] | None = None
) -> str:
    """Store a contact and return its id. Mail addresses must be confirmed before they are used."""
    server.rate_limiter.check(server.rate_limiter.contacts, guest.id, "new contacts")
    caller = server.caller
    known = await caller.queue.contacts(guest.id)
    if len(known) >= caller.settings.limits.contacts_of_guest and all(one["address"] != address for one in known):
        raise ApiError(409, "too_many_contacts", f"you have {len(known)} contacts; delete one first")
    if kind != "mail":
        try:
            await caller.channels.outbound.check(address)
        except Refused as error:
            raise ApiError(422, "bad_address", str(error)) from None
        except (OSError, TimeoutError, UnicodeError):
            raise ApiError(422, "bad_address", "this address cannot be found in the internet") from None
    if all(one["confirmed"] is None for one in known):
        await caller.queue.set_settings(guest.id, language=language)
    once = address if kind == "push" else f"{guest.id} {kind} {address}"
    contact = {
        "id": new_id(),
        "guest": guest.id,
        "kind": kind,
        "address": address,
        "digest": hashlib.sha256(once.encode()).hexdigest(),
        "keys": keys or {},
        "confirmed": None if kind == "mail" else now(),
        "problem": None,
        "created": now(),
    }
    contact_id = await caller.queue.add_contact(contact)
    await server.tell_of(guest.id)
    return contact_id


async def ask_address(caller: Caller, guest: Guest, address: str, language: str, contact_id: str) -> None:
    """Send the mail that asks whether an address is right."""
    words = MessageCatalog(WORDS, language)
    link = f"{caller.settings.public_url}/call#confirm={caller.confirm_codes.dumps(contact_id)}"
    text = "\n\n".join([words("mail.confirm_text", name=guest.name), link, words("mail.confirm_other")])
    try:
        await caller.channels.mail(address, words("mail.confirm"), text)
    except (Gone, Failed, OSError, ValueError):
        await caller.queue.drop_contacts(contact_id=contact_id)
        raise ApiError(503, "no_mail", "the mail could not be sent; is the address right?") from None


async def send_test(caller: Caller, guest_id: str) -> None:
    """Queue a trial message to all contacts of a guest."""
    chosen = await caller.queue.settings(guest_id)
    words = MessageCatalog(WORDS, chosen["language"])
    line = CallLine(text=words("call.test_line"), table=None)
    message = CallMessage(language=chosen["language"], title=words("call.test"), lines=[line])
    contacts = [one for one in await caller.queue.contacts(guest_id) if one["confirmed"] is not None]
    await caller.queue.add_deliveries([delivery_row(one["id"], message) for one in contacts])


async def add_mail(server: Server, guest: Guest, address: str, language: str) -> None:
    """Add a mail address, and ask it whether it is right."""
    if not server.caller.channels.mails:
        raise ApiError(409, "no_mails", "this server sends no mails")
    server.rate_limiter.check(server.rate_limiter.mails, f"to {address.lower()}", "mails to this address")
    server.rate_limiter.check(
        server.rate_limiter.mails, f"of {server.broadcaster.address_of(guest.id)}", "mails for this address"
    )
    contact_id = await add_contact(server, guest, "mail", address, language)
    await ask_address(server.caller, guest, address, language, contact_id)


async def drop_contact(server: Server, guest: Guest, contact_id: str) -> None:
    """Delete a contact of a guest."""
    if not await server.caller.queue.drop_contacts(guest=guest.id, contact_id=contact_id):
        raise ApiError(404, "no_such_contact", "you have no such contact")
    await server.tell_of(guest.id)


async def confirm_mail(server: Server, code: str) -> None:
    """Let mails be sent to the address that got this code."""
    try:
        contact_id = str(server.caller.confirm_codes.loads(code, max_age=CONFIRM_SECONDS))
    except BadSignature:
        contact_id = ""
    if not await server.caller.queue.confirm(contact_id):
        raise ApiError(404, "bad_code", "this link is too old, or its address has been deleted")
    contact = await server.caller.queue.contact(contact_id)
    if contact is not None:
        await server.tell_of(contact["guest"])


async def stop_mails(server: Server, code: str) -> None:
    """Delete the mail address that got this code; once it is deleted, nothing is left to do."""
    try:
        contact = await server.caller.queue.contact(str(server.caller.stop_codes.loads(code)))
    except BadSignature:
        raise ApiError(404, "bad_code", "this link belongs to no mail of ours") from None
    if contact is not None:
        await server.caller.queue.drop_contacts(contact_id=contact["id"])
        await server.tell_of(contact["guest"])
