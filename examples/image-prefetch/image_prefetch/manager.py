"""What a host does when it is asked over RPC."""

import oslo_messaging as messaging

from image_prefetch import wire
from image_prefetch.image import ImageError
from nova_ext.core.capabilities import MAX_VALUES


class Manager:
    """The RPC methods of one host.

    :param cache: the host's images.
    :param groups: names of the groups that the host is of.
    :param report: takes the host's capabilities when they may have changed.
    """

    target = messaging.Target(version=wire.VERSION)

    def __init__(self, cache, groups, report):
        self._cache = cache
        self._groups = list(groups)
        self._report = report

    @messaging.expected_exceptions(ImageError)
    def fetch(self, context, name, sha256):
        """Have an image here.

        :returns: ``copied``, or ``held`` where it was here already.
        :raises ImageError: when it could not be copied.
        """
        copied = self._cache.fetch(name, sha256)
        self.tell()
        return 'copied' if copied else 'held'

    def tell(self):
        """Report what the host has; not for RPC, but harmless there."""
        self._report({
            'free_mb': self._cache.free_mb(),
            'images': self._cache.held()[:MAX_VALUES],
            'groups': self._groups,
        })
