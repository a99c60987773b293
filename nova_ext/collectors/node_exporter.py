"""NodeExporterCollector: what Prometheus's node_exporter measures already."""

import math
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from urllib import request

from nova_ext.core.extension import Collector, Value

#: Seconds for an answer, and bytes of it that are read.
TIMEOUT_S = 5
MOST_BYTES = 8 * 2**20

_FREE = 'ext:path_free_gb'
_SPEED = 'ext:nic_speed_mbps'
#: The stats that its page can tell.
_TELLS = frozenset({'ext:load1', 'ext:load5', 'ext:load15', _FREE, _SPEED})

#: A line such as ``node_filesystem_avail_bytes{mountpoint="/"} 1e+09``.
_LINE = re.compile(
    r'^(?P<name>\w+)(?:\{(?P<labels>[^}]*)\})? (?P<value>\S+)', re.MULTILINE
)
_LABEL = re.compile(r'(\w+)="([^"]*)"')


class NodeExporterCollector(Collector):
    """Load, free space and speed out of ``[nova_ext_agent] node_exporter``.

    It comes first, so that nothing is measured twice on one host. Stats:
    those of the other collectors.
    """

    option_group = 'nova_ext_agent'

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Read its page once, if that is of use."""
        url = self.options['node_exporter']
        if not url or _TELLS.isdisjoint(wanted):
            return {}
        with request.urlopen(url, timeout=TIMEOUT_S) as page:  # noqa: S310  the operator's own URL
            return self.read(page.read(MOST_BYTES).decode())

    def read(self, page: str) -> dict[str, Value]:
        """The stats that stand in a page."""
        found: dict[str, Value] = {}
        free_by_mount: dict[str, float] = {}
        for line in _LINE.finditer(page):
            labels = dict(_LABEL.findall(line['labels'] or ''))
            name, value = line['name'], line['value']
            if name in ('node_load1', 'node_load5', 'node_load15'):
                found[f'ext:{name.removeprefix("node_")}'] = float(value)
            elif name == 'node_filesystem_avail_bytes':
                free_by_mount[labels.get('mountpoint', '')] = float(value)
            elif (
                name == 'node_network_speed_bytes'
                and 0 < float(value) < math.inf
                and labels.get('device') == self.options['nic']
            ):
                found[_SPEED] = round(float(value) * 8 / 10**6)
        mount = self._mount(free_by_mount)
        if mount and math.isfinite(free_by_mount[mount]):
            found[_FREE] = int(free_by_mount[mount] // 2**30)
        return found

    def _mount(self, mounts: Collection[str]) -> str:
        """The nearest folder above the path that is a mount of its own."""
        path = Path(self.options['path'])
        above = (str(folder) for folder in (path, *path.parents))
        return next((folder for folder in above if folder in mounts), '')
