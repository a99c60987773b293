"""Sign the offer of a host to a request, and check its signature.

An offer is a code over the request, the host and the time until which it
holds, made with a secret that the schedulers share. Any scheduler can check it
for a host, and none has to remember it. Without the secret nobody learns
anything from it, not even the host's name. The request is known by its random
global request id, so an offer is of no use in another request.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable

#: The hint that carries an offer.
HINT = 'nova_ext_offer'
#: Bytes of a code; 22 letters.
_LENGTH = 16
#: Digits of a time; more is none that a scheduler wrote.
_DIGITS = 12


def sign(
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


def matches(
    hinted: str, secrets: Iterable[str], request_id: str, project_id: str,
    host: str, nodename: str, expires_at: int,
) -> bool:
    """Say whether a hint is the offer of a host to a request.

    :param hinted: what a user sent.
    :param secrets: those that may have signed it.
    """
    # A user's hint may hold half a surrogate pair.
    given = hinted.encode(errors='surrogatepass')
    # No generator: each secret takes its time, whether it fits or not.
    fitting = [
        hmac.compare_digest(given, sign(
            secret, request_id, project_id, host, nodename, expires_at
        ).encode()) for secret in secrets
    ]
    return any(fitting)


def _encode(secret: str, *parts: str) -> str:
    # No name that Nova takes has a NUL in it.
    text = '\0'.join(parts).encode()
    code = hmac.new(secret.encode(), text, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(code[:_LENGTH]).decode().rstrip('=')
