"""Bind a request to the host that was offered to it before.

An offer is a code over the request and the host, made with a secret that the
schedulers share. Any scheduler can check it for a host, and none has to
remember it. Without the secret nobody learns anything from it, not even the
host's name. The request is known by its random global request id, so an
offer is of no use in another request.
"""

import base64
import hashlib
import hmac

from nova_ext.core.extension import (
    PASS,
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


class OfferFilter(Filter):
    """Pass only the host that was offered to the request.

    Hint: ``nova_ext_offer``, which schedule_run_instance makes for one
    request and one host. It binds the first boot alone, and needs no policy:
    the scheduler itself chose.
    """

    option_group = 'nova_ext_offers'
    once_per_request = True
    hints = ('nova_ext_offer',)

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Reject every host but the offered one."""
        hinted = get_hint_values(request, HINT)
        if not hinted or get_operation(request) is not Operation.FIRST_BOOT:
            return PASS
        secret = self.options['secret']
        if not secret:
            return reject('an offer needs [nova_ext_offers] secret')
        offer = create_offer(
            secret, self.facts.get_global_request_id(request) or '',
            request.project_id, host.host, host.nodename,
        )
        if len(hinted) == 1 and is_equal(hinted[0], offer):
            return PASS
        return reject('the offer is of another host, or to another request')


def create_offer(
    secret: str, request_id: str, project_id: str, host: str, nodename: str
) -> str:
    """Return the offer of a host to a request.

    :param secret: the secret that all schedulers share.
    :param request_id: the global request id.
    :param project_id: the server's project.
    """
    return _encode(secret, 'offer', request_id, project_id, host, nodename)


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
