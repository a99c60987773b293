"""A weigher: the image is there already."""

from image_prefetch import wire
from nova_ext.core.extension import Weigher


class ImageHeldWeigher(Weigher):
    """Prefer hosts that hold the image, whatever else speaks for others."""

    topic = wire.TOPIC

    def weigh(self, host, request):
        """1 where it is held."""
        return request['image'] in host.capabilities.get('images', ())

    def multiplier(self):
        """More than all others together."""
        return 10.0
