"""A filter: room for the image."""

from typing import Any

from image_prefetch import wire
from nova_ext.plugin import PASS, Filter, Verdict, reject


class ImageRoomFilter(Filter):
    """Pass hosts that hold the image, or have room for it."""

    topic = wire.TOPIC
    hints = ()

    def check(self, host: Any, request: Any) -> Verdict:
        """Compare the image's size with ``free_mb``."""
        if request['image'] in host.capabilities.get('images', ()):
            return PASS
        free_mb = host.get_number('free_mb')
        if free_mb >= request['size_mb']:
            return PASS
        return reject(
            f'needs {request["size_mb"]} MiB', f'and has {free_mb:.0f}'
        )
