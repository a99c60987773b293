"""A weigher: free space."""

from image_prefetch import wire
from nova_ext.core.extension import Weigher


class ImageSpaceWeigher(Weigher):
    """Prefer hosts with much room."""

    topic = wire.TOPIC

    def weigh(self, host, request):
        """What is free, in MiB."""
        return host.number('free_mb')
