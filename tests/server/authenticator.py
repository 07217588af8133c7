"""A passkey device in software, for tests without a browser."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

from tests.server.running import Guest

ORIGIN = "https://azalai.example"
PRESENT, VERIFIED, NEW = 1, 4, 64  # flags: somebody touched it, they were recognised, a key follows


class Authenticator:
    """Makes passkeys, and signs challenges with the last one."""

    def __init__(self, verified: bool = True) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.uses = 0
        self.flags = PRESENT | (VERIFIED if verified else 0)

    def create(self, options: dict[str, Any], origin: str = ORIGIN) -> dict[str, Any]:
        """What a browser would send after `navigator.credentials.create`."""
        point = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        data = self._data(options["rp"]["id"], self.flags | NEW) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"], origin)
        return self._credential({"clientDataJSON": client, "attestationObject": attestation})

    def get(self, options: dict[str, Any], origin: str = ORIGIN) -> dict[str, Any]:
        """What a browser would send after `navigator.credentials.get`."""
        self.uses += 1
        data = self._data(options["rpId"], self.flags)
        client = self._client("webauthn.get", options["challenge"], origin)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential({"clientDataJSON": client, "authenticatorData": data, "signature": signature})

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()

    def _credential(self, response: dict[str, bytes]) -> dict[str, Any]:
        packed = {name: bytes_to_base64url(value) for name, value in response.items()}
        return {"id": bytes_to_base64url(self.id), "rawId": bytes_to_base64url(self.id), "type": "public-key", "response": packed}


def at_site(guest: Guest, origin: str = ORIGIN) -> Guest:
    """Let a guest's requests come from the page of a site."""
    guest.http.headers.update({"origin": origin, "host": origin.partition("://")[2]})
    return guest


def keep_name(guest: Guest, label: str = "") -> Authenticator:
    """Let a guest keep their name by a new passkey."""
    device = Authenticator()
    options = at_site(guest).post("/me/passkeys/options")["options"]
    guest.post("/me/passkeys", {"credential": device.create(options), "label": label}, 201)
    return device


def sign_in(guest: Guest, device: Authenticator, status: int = 200) -> Any:
    """Let a guest sign in with a passkey."""
    options = at_site(guest).post("/me/sign-in/options")["options"]
    return guest.post("/me/sign-in", {"credential": device.get(options)}, status)
