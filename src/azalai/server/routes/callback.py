"""Being called back: what to tell, contacts, mails, feeds."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import available_timezones

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from azalai.server.callback import contacts, feed
from azalai.server.callback.channels import check_push_keys
from azalai.server.errors import ApiError
from azalai.server.routes.common import Asker, Json, Language, SomeGuest, TheServer, problems
from azalai.server.schemas.callback import Callback, FeedMade
from azalai.server.schemas.requests import CallSettings, ConfirmMail, NewMail, NewPush, NewWebhook
from azalai.server.server import Server

mine = APIRouter(prefix="/me/callback", tags=["callback"], responses=problems(400, 401, 403, 413, 422, 429))
others = APIRouter(tags=["callback"], responses=problems(400, 401, 403, 404, 413, 422, 429))
Code = Annotated[str, Path(max_length=300)]
Secret = Annotated[str, Path(max_length=64)]
ContactId = Annotated[str, Path(max_length=32)]


@mine.get("", response_model=Callback, summary="How you are called back")
async def look(server: TheServer, guest: SomeGuest) -> Json:
    """Your settings and contacts."""
    return Json(await contacts.describe(server.caller, guest))


@mine.put("", response_model=Callback, summary="Say what you want to be told")
async def change(server: TheServer, guest: SomeGuest, body: CallSettings) -> Json:
    """Change what you are told, in which language, and your quiet hours."""
    if body.zone not in available_timezones():
        raise ApiError(422, "no_such_zone", f"there is no time zone {body.zone!r}; one is Europe/Berlin")
    quiet = {"quiet_from": body.quiet.begin if body.quiet else None, "quiet_to": body.quiet.end if body.quiet else None}
    await server.caller.queue.set_settings(guest.id, **body.model_dump(exclude={"quiet"}), **quiet)
    return Json(await contacts.describe(server.caller, guest))


@mine.post("/push", response_model=Callback, status_code=201, summary="Call this browser", responses=problems(409))
async def add_push(server: TheServer, guest: SomeGuest, language: Language, body: NewPush) -> Json:
    """Add a browser's push subscription. A browser has one guest: it is no longer called for another."""
    if not check_push_keys(body.keys.model_dump()):
        raise ApiError(422, "bad_keys", "these are not the keys of a push subscription")
    await contacts.add_contact(server, guest, "push", body.endpoint, language, keys=body.keys.model_dump())
    return Json(await contacts.describe(server.caller, guest), status_code=201)


@mine.post("/mail", response_model=Callback, status_code=201, summary="Write to a mail address", responses=problems(409, 503))
async def add_mail(server: TheServer, guest: SomeGuest, language: Language, body: NewMail) -> Json:
    """Add a mail address. It gets one mail that asks whether it is right, and no other until that is confirmed."""
    await contacts.add_mail(server, guest, body.address, language)
    return Json(await contacts.describe(server.caller, guest), status_code=201)


@mine.post("/webhook", response_model=Callback, status_code=201, summary="Call a webhook", responses=problems(409))
async def add_webhook(server: TheServer, guest: SomeGuest, language: Language, body: NewWebhook) -> Json:
    """Add a webhook that takes messages as Discord or Slack do. It must be in the internet, not in the server's own network."""
    await contacts.add_contact(server, guest, body.kind, body.url, language)
    return Json(await contacts.describe(server.caller, guest), status_code=201)


@mine.delete("/contacts/{contact}", response_model=Callback, summary="Delete a contact", responses=problems(404))
async def drop_contact(server: TheServer, guest: SomeGuest, contact: ContactId) -> Json:
    """Nothing more is sent there."""
    await contacts.drop_contact(server, guest, contact)
    return Json(await contacts.describe(server.caller, guest))


@mine.post("/test", response_model=Callback, status_code=202, summary="Send a trial message")
async def send_test(server: TheServer, guest: SomeGuest) -> Json:
    """Send a message to all your contacts now."""
    server.rate_limiter.check(server.rate_limiter.contacts, guest.id, "trial messages")
    await contacts.send_test(server.caller, guest.id)
    return Json(await contacts.describe(server.caller, guest), status_code=202)


@mine.post("/feed", response_model=FeedMade, status_code=201, summary="A new address for your feed")
async def make_feed(server: TheServer, request: Request, guest: SomeGuest) -> Json:
    """A secret address of your tables as a calendar and as an Atom feed. An earlier address is worthless from now on."""
    server.rate_limiter.check(server.rate_limiter.contacts, guest.id, "new feeds")
    secret = await feed.renew(server.caller.queue, guest.id)
    base = _base(server, request)
    return Json(
        {"atom": f"{base}/api/feed/{secret}/atom.xml", "calendar": f"{base}/api/feed/{secret}/calendar.ics"}, status_code=201
    )


@mine.delete("/feed", response_model=Callback, summary="No feed any more")
async def drop_feed(server: TheServer, guest: SomeGuest) -> Json:
    """Make the address of your feed worthless."""
    await server.caller.queue.set_settings(guest.id, feed=None)
    return Json(await contacts.describe(server.caller, guest))


@others.post("/callback/confirm", status_code=204, summary="Confirm a mail address")
async def confirm(server: TheServer, guest: Asker, body: ConfirmMail) -> None:
    """Let mails be sent to the address that got this code. Whoever reads its mails may do that, signed in or not."""
    await contacts.confirm_mail(server, body.code)


@others.post("/callback/unsubscribe/{code}", status_code=204, summary="No more mails")
async def unsubscribe(server: TheServer, guest: Asker, code: Code) -> None:
    """Delete the mail address that got this code. Mail programs ask for it by one click (RFC 8058)."""
    await contacts.stop_mails(server, code)


@others.get(
    "/feed/{secret}/atom.xml",
    response_class=Response,
    responses={200: {"content": {feed.ATOM: {}}, "description": "the feed"}},
    summary="Your tables as a feed",
)
async def atom(server: TheServer, request: Request, secret: Secret) -> Response:
    """The tables at which it is your turn, and your latest finished games, as an Atom feed."""
    content = await feed.read(server.caller.queue, server.lists, secret)
    return Response(feed.atom(*content, _base(server, request)), media_type=feed.ATOM)


@others.get(
    "/feed/{secret}/calendar.ics",
    response_class=Response,
    responses={200: {"content": {feed.CALENDAR: {}}, "description": "the calendar"}},
    summary="Your turns as a calendar",
)
async def calendar(server: TheServer, request: Request, secret: Secret) -> Response:
    """The tables at which it is your turn: when your time ends there, or today where there is no clock."""
    content = await feed.read(server.caller.queue, server.lists, secret)
    return Response(feed.calendar(*content, _base(server, request)), media_type=feed.CALENDAR)


def _base(server: Server, request: Request) -> str:
    """Return the address of the page, for links in feeds."""
    return server.settings.public_url or str(request.base_url).rstrip("/")
