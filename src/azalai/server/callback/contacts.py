"""A guest's contacts: add, confirm, describe."""

from __future__ import annotations

import hashlib
from typing import Any

from azalai.engine.words import MessageCatalog
from azalai.server.callback.caller import Caller
from azalai.server.callback.channels import WORDS, CallLine, CallMessage, Failed, Gone
from azalai.server.callback.outbound import Refused
from azalai.server.callback.queue import delivery_row
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.store import new_id, now


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
    caller: Caller, guest: Guest, kind: str, address: str, language: str, keys: dict[str, str] | None = None
) -> str:
    """Store a contact and return its id. Mail addresses must be confirmed before they are used."""
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
    return await caller.queue.add_contact(contact)


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
