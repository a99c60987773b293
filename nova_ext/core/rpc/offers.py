"""Offers: one host, held out to one request, by an id that tells nobody.

An offer is a code over the request and the host, made with a secret that the
schedulers share. Whoever has the secret can tell of any host whether it is
the one; nobody else learns anything from it, not even the host's name. So no
scheduler has to remember an offer, and any of them can check it.

The request is known by its global request id, which its maker draws at random
and sends along: a copy of the offer is of no use in another request.
"""

import base64
import hashlib
import hmac

#: The hint that carries an offer.
HINT = 'nova_ext_offer'
#: Bytes of a code; 22 letters.
_LENGTH = 16


def offer(
    secret: str, request_id: str, project_id: str, host: str, nodename: str
) -> str:
    """Offer a host to a request.

    :param secret: what all schedulers share.
    :param request_id: the global request id.
    :param project_id: whose server it will be.
    :returns: the offer's id.
    """
    return _code(secret, 'offer', request_id, project_id, host, nodename)


def fingerprint(secret: str) -> str:
    """What tells whether two schedulers share the secret, and no more."""
    return _code(secret, 'fingerprint')


def same(given: str, made: str) -> bool:
    """Whether two ids are one, in a time that tells nothing of them."""
    # A user's hint may hold half a surrogate pair.
    return hmac.compare_digest(
        given.encode(errors='surrogatepass'), made.encode()
    )


def _code(secret: str, *parts: str) -> str:
    # No name that Nova takes has a NUL in it.
    text = '\0'.join(parts).encode()
    code = hmac.new(secret.encode(), text, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(code[:_LENGTH]).decode().rstrip('=')
