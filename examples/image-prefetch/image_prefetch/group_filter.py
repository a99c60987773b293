"""A filter: the group that was asked for."""

from typing import Any

from image_prefetch import wire
from nova_ext.plugin import PASS, Filter, Verdict, reject


class ImageGroupFilter(Filter):
    """Pass hosts whose service reports the group in ``groups``."""

    topic = wire.TOPIC
    hints = ()

    def check(self, host: Any, request: Any) -> Verdict:
        """Look for the group; a request may name none."""
        group = request['group']
        if not group or group in host.capabilities.get('groups', ()):
            return PASS
        return reject(f'not in group {group}')
