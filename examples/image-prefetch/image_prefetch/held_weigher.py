"""A weigher: the image is there already."""

from typing import Any

from image_prefetch import wire
from nova_ext.plugin import Weigher


class ImageHeldWeigher(Weigher):
    """Prefer hosts that hold the image, whatever else speaks for others."""

    topic = wire.TOPIC
    hints = ()

    def weigh(self, host: Any, request: Any) -> float:
        """1 where it is held."""
        return float(request['image'] in host.capabilities.get('images', ()))

    def get_multiplier(self) -> float:
        """More than all others together."""
        return 10.0
