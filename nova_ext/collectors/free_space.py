"""Collect the free space for files."""

import shutil
from collections.abc import Collection, Mapping

from nova_ext.plugin import Collector, Value

#: The stat, in GiB.
FREE = 'ext:path_free_gb'


class FreeSpaceCollector(Collector):
    """Measure free space at ``[nova_ext_agent] path``, in whole GiB.

    Stat: ``ext:path_free_gb``.
    """

    option_group = 'nova_ext_agent'

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Ask the file system."""
        if FREE not in wanted:
            return {}
        return {FREE: shutil.disk_usage(self.options['path']).free // 2**30}
