"""Collect what Prometheus's node_exporter measures already."""

import math
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from urllib import request

from nova_ext.plugin import Collector, Value

#: Seconds for an answer, and bytes of it that are read.
TIMEOUT_S = 5
MOST_BYTES = 8 * 2**20

_FREE = 'ext:path_free_gb'
_SPEED = 'ext:nic_speed_mbps'
#: The stats that its page has.
_STATS = frozenset({'ext:load1', 'ext:load5', 'ext:load15', _FREE, _SPEED})

#: A line such as ``node_filesystem_avail_bytes{mountpoint="/"} 1e+09``.
_LINE = re.compile(
    r'^(?P<name>\w+)(?:\{(?P<labels>[^}]*)\})? (?P<value>\S+)', re.MULTILINE
)
_LABEL = re.compile(r'(\w+)="([^"]*)"')


class NodeExporterCollector(Collector):
    """Read load, space and speed from ``[nova_ext_agent] node_exporter``.

    It comes first, so that nothing is measured twice on one host. Stats:
    those of the other collectors.
    """

    option_group = 'nova_ext_agent'

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Read its page once, if it has a wanted stat."""
        url = self.options['node_exporter']
        if not url or _STATS.isdisjoint(wanted):
            return {}
        with request.urlopen(url, timeout=TIMEOUT_S) as page:  # noqa: S310  the operator's own URL
            return self.read(page.read(MOST_BYTES).decode())

    def read(self, page: str) -> dict[str, Value]:
        """Return the stats of a page."""
        stats: dict[str, Value] = {}
        free_by_mount: dict[str, float] = {}
        for line in _LINE.finditer(page):
            labels = dict(_LABEL.findall(line['labels'] or ''))
            name, value = line['name'], line['value']
            if name in ('node_load1', 'node_load5', 'node_load15'):
                stats[f'ext:{name.removeprefix("node_")}'] = float(value)
            elif name == 'node_filesystem_avail_bytes':
                free_by_mount[labels.get('mountpoint', '')] = float(value)
            elif (
                name == 'node_network_speed_bytes'
                and 0 < float(value) < math.inf
                and labels.get('device') == self.options['nic']
            ):
                stats[_SPEED] = round(float(value) * 8 / 10**6)
        mount = self._find_mount(free_by_mount)
        if mount and math.isfinite(free_by_mount[mount]):
            stats[_FREE] = int(free_by_mount[mount] // 2**30)
        return stats

    def _find_mount(self, mounts: Collection[str]) -> str:
        """Return the mount point that holds the path; '' if it is unknown.

        Links are followed, as far as this user may look into the folders.
        """
        path = Path(os.path.realpath(self.options['path']))
        folders = (str(folder) for folder in (path, *path.parents))
        return next((folder for folder in folders if folder in mounts), '')
