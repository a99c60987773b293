"""What a host does when it is asked over RPC."""

from collections.abc import Callable
from typing import Any

import oslo_messaging as messaging

from image_prefetch import wire
from image_prefetch.cache import Cache
from image_prefetch.image import ImageError


class Manager:
    """The RPC methods of one host.

    :param cache: the host's images.
    :param changed: called when there is another.
    """

    target = messaging.Target(version=wire.VERSION)

    def __init__(self, cache: Cache, changed: Callable[[], None]) -> None:
        self._cache = cache
        self._changed = changed

    @messaging.expected_exceptions(ImageError)
    def fetch(self, context: Any, name: str, sha256: str) -> str:
        """Have an image here.

        :returns: ``copied``, or ``held`` where it was here already.
        :raises ImageError: when it could not be copied.
        """
        if not self._cache.fetch(name, sha256):
            return 'held'
        self._changed()
        return 'copied'
