"""The driver: which hosts an image goes to."""

from typing import Any

from image_prefetch import wire
from nova_ext.plugin import (
    Driver,
    RequestContext,
    WrongArgumentsError,
    schedule_method,
)


class ImagePrefetchDriver(Driver):
    """Choose among the hosts whose service reports."""

    topic = wire.TOPIC
    hints = ()

    @schedule_method
    def choose(
        self, context: RequestContext, image: str, size_mb: int,
        count: int = 1, group: str = '',
    ) -> dict[str, Any]:
        """Choose hosts; which of them fit say the filters and weighers.

        :param image: its name.
        :param size_mb: what it takes.
        :param count: how many hosts are wanted.
        :param group: the group that they are to be of; empty: any.
        :returns: ``hosts``, all that fit, best first, and ``why``, one
            sentence.
        """
        if type(count) is not int or count < 1:
            raise WrongArgumentsError('count is no integer of 1 or more')
        if type(size_mb) is not int or size_mb < 0:
            raise WrongArgumentsError('size_mb is no integer of 0 or more')
        choice = self.chooser.choose(context, {
            'image': image, 'size_mb': size_mb, 'group': group,
        }, count)
        return {'hosts': choice.hosts, 'why': choice.reason}
