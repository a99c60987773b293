"""A cloud, and somebody who asks what would be."""

import fixtures
import sqlalchemy as sa
from nova import context as nova_context
from nova import objects
from nova.db.api import api as api_db
from nova.db.main import api as main_db
from oslo_context import context
from placement import db_api as placement_db

from nova_ext import client
from tests.functional import base

URL = 'fake://'
#: What services write by themselves, all the time.
HEARTBEATS = ('services',)


class WhatIfTestCase(base.CloudTestCase):
    """Chance has no say: of equal hosts the first is taken."""

    microversion = '2.79'

    def configure(self):
        """Keep the order of hosts that weigh the same; let clouds fill."""
        self.flags(group='quota', cores=-1, ram=-1, instances=-1)
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=False
        )

    def setUp(self):
        """Listen to notifications, and make the library's client."""
        super().setUp()
        # They answer at once, but on a busy machine.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.client.connection.PRESENCE_S', 60.0
        ))
        # A host's node has the same UUID in all tests of a process.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.what_if.simulate.empty_cloud._inventories', {}
        ))
        self.program = client.SchedulerClient(URL, timeout_s=60)
        self.addCleanup(self.program.close)
        self.me = context.RequestContext(
            user_id='admin', project_id=self.admin_api.project_id,
            roles=['admin', 'member', 'reader'],
        )

    def simulate(self, flavor=None, changes=None, ranked_hosts=100, **asked):
        """Ask where servers would go."""
        return self.program.simulate(
            self.me, self.request(flavor, **asked), ranked_hosts=ranked_hosts,
            changes=changes or client.Changes(),
        )

    def capacity(
        self, flavor=None, changes=None, *, is_empty=False, **asked
    ):
        """Ask how many more servers fit."""
        return self.program.capacity(
            self.me, self.request(flavor, **asked),
            changes=changes or client.Changes(), is_empty=is_empty,
        )

    def request(self, flavor=None, **asked):
        """A request with the image that servers are booted from."""
        asked.setdefault('image', self.image())
        return client.BootRequest(flavor or self.flavor(), **asked)

    def flavor(self, **fields):
        """A small one."""
        return client.BootFlavor(**{
            'vcpus': 1, 'memory_mb': 512, 'root_gb': 1, **fields,
        })

    def create_flavor(self, flavor, *, is_public=True):
        """Create a flavor in Nova.

        :returns: its id.
        """
        return self._create_flavor(
            vcpu=flavor.vcpus, memory_mb=flavor.memory_mb,
            disk=flavor.root_gb, ephemeral=flavor.ephemeral_gb,
            swap=flavor.swap, extra_spec=flavor.extra_specs,
            is_public=is_public,
        )

    def image(self):
        """What Nova reads of the image, as JSON has it."""
        shown = self.glance.show(
            None, self._build_server(networks='none')['imageRef']
        )
        return {
            name: shown[name] for name in (
                'id', 'min_ram', 'min_disk', 'disk_format', 'properties',
            )
        }

    def all_rows(self):
        """Every row of every database, those of placement included."""
        engines = [api_db.get_engine(), placement_db.get_placement_engine()]
        admin = nova_context.get_admin_context()
        for cell in objects.CellMappingList.get_all(admin):
            with nova_context.target_cell(admin, cell) as in_cell:
                engines.append(main_db.get_engine(context=in_cell))
        return [_rows(engine) for engine in engines]

    def notified(self):
        """All notifications so far, of both forms."""
        return (
            [note.event_type for note in self.notifier.notifications],
            [note['event_type']
             for note in self.notifier.versioned_notifications],
        )


def _rows(engine):
    """All rows of a database, by table."""
    found = {}
    tables = sa.MetaData()
    with engine.connect() as connection:
        tables.reflect(connection)
        for name, table in tables.tables.items():
            if name not in HEARTBEATS:
                rows = connection.execute(sa.select(table))
                found[name] = sorted(map(repr, rows))
    return found
