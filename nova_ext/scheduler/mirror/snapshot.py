"""Hold what the cloud was at one moment."""

from typing import NamedTuple

from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.provider_columns import ProviderColumns


class Snapshot(NamedTuple):
    """Hold what the cloud was at one moment.

    :param unknown: why the providers can't be answered for; empty: they can.
    :param read_at: when the reading began, by the monotonic clock.
    """

    hosts: HostColumns
    providers: ProviderColumns
    unknown: str
    read_at: float
