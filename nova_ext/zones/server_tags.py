"""Name the servers of builds by tags, so that each zone finds its own.

A tag is no secret, and proves nothing: users of a server's project can read,
copy and remove it. It is no more than what to look for. The code in it keeps
the ids of builds from users, and fits 60 letters.
"""

import base64
import hashlib
import hmac

PREFIX = 'nx:'
#: Bytes of the code of a zone, and of an item: 12 and 24 letters.
_ZONE, _ITEM = 9, 18


def create_tag(parent: str, build: str, number: int, attempt: int) -> str:
    """Return the tag of an item's server.

    :param parent: UUID of the zone in which the build was created; it is the
        key of the code.
    :param build: the build's UUID.
    :returns: 40 letters of those that Nova takes in a tag.
    """
    return get_zone_prefix(parent) + _encode(
        parent, _ITEM, build, str(number), str(attempt)
    )


def get_zone_prefix(parent: str) -> str:
    """Return how the tags of all servers of a zone's builds begin."""
    return f'{PREFIX}{_encode(parent, _ZONE)}.'


def _encode(parent: str, length: int, *parts: str) -> str:
    code = hmac.new(
        parent.encode(), '\0'.join(('item', *parts)).encode(), hashlib.sha256
    ).digest()
    return base64.urlsafe_b64encode(code[:length]).decode()
