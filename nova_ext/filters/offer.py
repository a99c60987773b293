"""Bind a request to the host that was offered to it before.

An offer is a code over the request, the host and the time until which it
holds, made with a secret that the schedulers share. Any scheduler can check it
for a host, and none has to remember it. Without the secret nobody learns
anything from it, not even the host's name. The request is known by its random
global request id, so an offer is of no use in another request.
"""

import base64
import hashlib
import hmac
import time
from dataclasses import dataclass

from nova_ext.core.extension import (
    PASS,
    Audience,
    Filter,
    HostState,
    Operation,
    RequestSpec,
    Verdict,
    get_hint_values,
    get_operation,
    reject,
)

#: The hint that carries an offer.
HINT = 'nova_ext_offer'
#: Bytes of a code; 22 letters.
_LENGTH = 16
#: Digits of a time; more is none that a scheduler wrote.
_DIGITS = 12


@dataclass(frozen=True)
class Offered:
    """Hold the offer that a request came with, and what it is a code over.

    :param expires_at: from when on it is refused; see :func:`read_expiry`.
    """

    offer: str
    request_id: str
    project_id: str
    expires_at: int


class OfferFilter(Filter):
    """Pass only the host that was offered to the request.

    Hint: ``nova_ext_offer``, which a scheduler makes for one request and one
    host, for schedule_run_instance or for a zone that asks for offers. It
    binds the first boot alone, and needs no policy: the scheduler itself
    chose.
    """

    option_group = 'nova_ext_offers'
    once_per_request = True
    hints = ('nova_ext_offer',)
    reasons_for = Audience.MEMBERS

    def prepare(self, request: RequestSpec) -> Verdict | Offered:
        """Return the offer; pass all hosts of a request without one."""
        hinted = get_hint_values(request, HINT)
        if not hinted or get_operation(request) is not Operation.FIRST_BOOT:
            return PASS
        if not self.options['secret']:
            return reject('an offer needs [nova_ext_offers] secret')
        request_id = self.facts.get_global_request_id(request)
        if not request_id:
            return reject(
                'no X-OpenStack-Request-ID arrived with the boot, to which '
                'the offer is bound: a proxy may remove the header'
            )
        offer = hinted[0] if len(hinted) == 1 else ''
        expires_at = read_expiry(offer)
        if expires_at is not None and expires_at <= time.time():
            return reject('the offer has expired')
        return Offered(offer, request_id, request.project_id, expires_at or 0)

    def check(self, host: HostState, offered: Offered) -> Verdict:
        """Reject every host but the offered one."""
        # No generator: each secret takes its time, whether it fits or not.
        fitting = [
            is_equal(offered.offer, create_offer(
                secret, offered.request_id, offered.project_id, host.host,
                host.nodename, offered.expires_at,
            )) for secret in self.options['secret']
        ]
        if any(fitting):
            return PASS
        return reject('the offer is of another host, or to another request')


def create_offer(
    secret: str, request_id: str, project_id: str, host: str, nodename: str,
    expires_at: int,
) -> str:
    """Return the offer of a host to a request, ``<expires_at>.<code>``.

    :param secret: the one that signs.
    :param request_id: the global request id.
    :param project_id: the server's project.
    :param expires_at: from when on it is refused, in seconds since 1970, UTC.
    """
    code = _encode(
        secret, 'offer', request_id, project_id, host, nodename,
        str(expires_at),
    )
    return f'{expires_at}.{code}'


def read_expiry(offer: str) -> int | None:
    """Return from when on an offer is refused; None where it says nothing."""
    digits, dot, _ = offer.partition('.')
    if dot and digits.isascii() and digits.isdigit() and (
        len(digits) <= _DIGITS
    ):
        return int(digits)
    return None


def get_fingerprint(secret: str) -> str:
    """Return a code by which two schedulers can compare their secrets."""
    return _encode(secret, 'fingerprint')


def is_equal(hinted: str, offer: str) -> bool:
    """Compare a hint with an offer, in constant time."""
    # A user's hint may hold half a surrogate pair.
    return hmac.compare_digest(
        hinted.encode(errors='surrogatepass'), offer.encode()
    )


def _encode(secret: str, *parts: str) -> str:
    # No name that Nova takes has a NUL in it.
    text = '\0'.join(parts).encode()
    code = hmac.new(secret.encode(), text, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(code[:_LENGTH]).decode().rstrip('=')
