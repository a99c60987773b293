"""Run openstack scheduler zone orphan list."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from osc_lib.command import command

from nova_ext.zones.osc.client import get_client

COLUMNS = (
    'Zone', 'Server ID', 'Name', 'Status', 'Created At', 'Project ID'
)
_FIELDS = (
    'zone', 'server_id', 'name', 'status', 'created_at', 'project_id'
)


class ListOrphans(command.Lister):
    """List servers of this zone's builds that belong to no build any more.

    Servers here and in child zones are listed. None is deleted.
    """

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        listed = get_client(self).list_orphans()
        for each in listed['silent']:
            self.app.stderr.write(
                f'warning: zone {each["zone"]}: not all servers are listed: '
                f'{each["reason"]}\n'
            )
        return COLUMNS, [
            tuple(each[name] for name in _FIELDS)
            for each in listed['orphans']
        ]
