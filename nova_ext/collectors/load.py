"""Collect the load average."""

import os
from collections.abc import Collection, Mapping

from nova_ext.plugin import Collector, Value

#: The stats, of the last 1, 5 and 15 minutes.
LOADS = ('ext:load1', 'ext:load5', 'ext:load15')


class LoadCollector(Collector):
    """Measure the load average of the last 1, 5 and 15 minutes.

    Stats: ``ext:load1``, ``ext:load5``, ``ext:load15``.
    """

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Ask the system."""
        return dict(zip(LOADS, os.getloadavg(), strict=True))
