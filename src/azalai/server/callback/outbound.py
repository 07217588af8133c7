"""HTTP requests to addresses that guests have named, without a way into the operator's own network.

Every name is resolved once; every address it has must be public; and the connection goes to the address that was checked, so
that a name cannot point elsewhere a moment later. Redirects are checked in the same way.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import SplitResult, urljoin, urlsplit

TIMEOUT = 10.0  # seconds for one request, resolving the name included
MOST_REDIRECTS = 3
HEAD = 32 * 1024  # bytes of an answer's head
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # IPv6 addresses that stand for IPv4 ones

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Refused(Exception):
    """The address is none that may be called."""


class Outbound:
    """Sends requests. Names are resolved in threads of their own, so that a slow name server delays nobody else."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self.networks = [ipaddress.ip_network(one) for one in networks]  # internal ones that may be called nevertheless
        self._resolver = ThreadPoolExecutor(4, "resolve")
        self._tls = ssl.create_default_context()

    def close(self) -> None:
        """Stop to resolve names."""
        self._resolver.shutdown(wait=False, cancel_futures=True)

    async def check(self, url: str) -> None:
        """Raise Refused for an address that may not be called, and OSError or TimeoutError for one that does not exist."""
        parts = check_url(url)
        await asyncio.wait_for(self._resolve(str(parts.hostname), parts.port or 443, parts.scheme), TIMEOUT)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes, redirects: int = 0) -> int:
        """Send a POST request and return the status. Raises Refused, OSError, TimeoutError or ValueError."""
        for _ in range(redirects + 1):
            status, location = await asyncio.wait_for(self._post_once(url, headers, body), TIMEOUT)
            if status not in (307, 308) or location is None:
                return status
            url = urljoin(url, location)
        raise Refused("too many redirects")

    async def _post_once(self, url: str, headers: Mapping[str, str], body: bytes) -> tuple[int, str | None]:
        parts = check_url(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        host = str(parts.hostname)
        address = await self._resolve(host, port, parts.scheme)
        tls, name = (self._tls, host) if parts.scheme == "https" else (None, None)
        reader, writer = await asyncio.open_connection(str(address), port, limit=HEAD, ssl=tls, server_hostname=name)
        try:
            writer.write(request_head(parts, headers, len(body)) + body)
            await writer.drain()
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise OSError("the answer is not HTTP") from error
        finally:
            writer.close()
        return read_head(head)

    async def _resolve(self, host: str, port: int, scheme: str) -> Address:
        """Return an address of the host, after all of them have been checked."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._resolver, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        )
        addresses = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]
        inside = [any(one in network for network in self.networks) for one in addresses]
        for address, allowed in zip(addresses, inside, strict=True):
            if not allowed and not is_public(address):
                raise Refused("the address is inside a network, not in the internet")
        if scheme == "http" and not all(inside):
            raise Refused("the address must begin with https://")
        return addresses[0]


def check_url(url: str) -> SplitResult:
    """Return the parts of an address that may be called; raise Refused for others."""
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        named = False
    plain = url.isascii() and url.isprintable() and " " not in url
    if not (named and plain) or parts.scheme not in ("https", "http") or parts.username is not None:
        raise Refused("this is not an address such as https://example.org/…")
    return parts


def is_public(address: Address) -> bool:
    """Return whether an address is one of the internet; an IPv4 address inside an IPv6 one is looked at, too."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in NAT64 or int(address) >> 32 == 0:
            inner.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if not all(one is None or is_public(one) for one in inner):
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def request_head(parts: SplitResult, headers: Mapping[str, str], length: int) -> bytes:
    """Return the head of a POST request."""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"POST {target} HTTP/1.1", f"host: {parts.netloc}", "connection: close", f"content-length: {length}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def read_head(head: bytes) -> tuple[int, str | None]:
    """Return the status of an answer, and where it points to."""
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ", 2)
    if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
        raise OSError("the answer is not HTTP")
    location = next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("location:")), None)
    return int(words[1]), location
