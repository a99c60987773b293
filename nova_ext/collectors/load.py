"""LoadCollector: how many processes want to run."""

import os
from collections.abc import Collection, Mapping

from nova_ext.core.extension import Collector
from nova_ext.core.stats import Value


class LoadCollector(Collector):
    """The load average of the last 1, 5 and 15 minutes.

    Stats: ``ext:load1``, ``ext:load5``, ``ext:load15``.
    """

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Ask the system."""
        names = ('ext:load1', 'ext:load5', 'ext:load15')
        return dict(zip(names, os.getloadavg(), strict=True))
