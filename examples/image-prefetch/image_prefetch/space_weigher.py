"""A weigher: free space."""

from typing import Any

from image_prefetch import wire
from nova_ext.plugin import Weigher


class ImageSpaceWeigher(Weigher):
    """Prefer hosts with much room."""

    topic = wire.TOPIC
    hints = ()

    def weigh(self, host: Any, request: Any) -> float:
        """What is free, in MiB."""
        return float(host.get_number('free_mb'))
