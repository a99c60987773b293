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
from collections.abc import Sequence

from nova_ext.core.extension import (
    PASS,
    Columns,
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

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject every host but the offered one, and that one when late."""
        if not self._binds(request):
            return PASS
        hinted = get_hint_values(request, HINT)
        secrets = self.options['secret']
        if not secrets:
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
        # No generator: each secret takes its time, whether it fits or not.
        fitting = [
            is_equal(offer, create_offer(
                secret, request_id, request.project_id, host.host,
                host.nodename, expires_at or 0,
            )) for secret in secrets
        ]
        if any(fitting):
            return PASS
        return reject('the offer is of another host, or to another request')

    def check_all(
        self, hosts: Columns, request: RequestSpec
    ) -> Sequence[Verdict]:
        """Pass all hosts of a request without an offer."""
        if not self._binds(request):
            return [PASS] * len(hosts)
        return super().check_all(hosts, request)

    def _binds(self, request: RequestSpec) -> bool:
        return bool(get_hint_values(request, HINT)) and (
            get_operation(request) is Operation.FIRST_BOOT
        )


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
