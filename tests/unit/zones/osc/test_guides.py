"""Run the commands of the guides of zones and builds."""

import types
from importlib import metadata

from keystoneauth1 import session, token_endpoint

from nova_ext.cli.api_client import Client
from nova_ext.zones.tables.models import Zone
from tests import guides
from tests.unit.osc import base
from tests.unit.zones.base import OTHER_UUID
from tests.unit.zones.builds import test_planning
from tests.unit.zones.osc.test_build_plan import _Image

_GROUP = 'openstack.scheduler.v1'
#: What services of the guide's zone report.
_SERVICES = {'compute': {
    'cpu': {'min': 0.7, 'max': 3.5}, 'disk': {'min': 120, 'max': 880},
    'network': {'min': 1000, 'max': 25000},
}}


class GuidesTest(test_planning.BuildsTestCase):
    """A zone with one child zone, and room for two servers in each."""

    def setUp(self):
        """Name the zone and its child as the guides do."""
        super().setUp()
        self.conf.config(
            group='nova_ext_zones',
            zone_capabilities='hypervisor=kvm;xen, os=linux;windows',
        )
        self.manager = types.SimpleNamespace(
            scheduler=Client(session.Session(token_endpoint.Token(
                self.serve_own_zone().url, 'admin'
            )), version='1'), sdk_connection=_Image(),
        )
        self.flavors[:] = [{**base.FLAVOR, 'id': '9'}]
        self.backends.fake.service_capabilities = lambda context: {
            'services': _SERVICES, 'gathering': False,
        }

    run_command = base.CommandTestCase.run_command

    def check(self, name):
        """Run all commands of a guide; what it shows is printed."""
        loaders = {
            each.name: each for each in metadata.entry_points(group=_GROUP)
        }
        compared = []
        for command in guides.read_commands(name):
            if command.words[:2] != ['openstack', 'scheduler']:
                continue
            length = next(
                length for length in (3, 2, 1)
                if '_'.join(command.words[1:2 + length]) in loaders
            )
            entry = '_'.join(command.words[1:2 + length])
            output = self.run_command(
                loaders[entry].load(), *command.words[2 + length:]
            )
            self.assertEqual(
                [], guides.find_missing(command.printed, output), output
            )
            if command.printed:
                compared.append(entry)
            if entry == 'scheduler_zone_create':
                self.answer()
        return compared

    def answer(self):
        """Have all child zones answer, as the poller writes it down."""
        with self.database.writing() as session:
            session.query(Zone).update({
                'is_active': True, 'capabilities':
                    '{"general": {"hypervisor": {"values": ["kvm", "xen"]}, '
                    '"os": {"values": ["linux", "windows"]}}, '
                    '"services": {}}',
            })

    def test_zones(self):
        """Zones are listed as the guide shows it."""
        self.conf.config(group='nova_ext_zones', zone_name='east')
        self.assertEqual(
            ['scheduler_zone_info', 'scheduler_zone_list'],
            self.check('zones'),
        )

    def test_builds(self):
        """A build is planned as the guide shows it."""
        self.add_child('one', 5, 25)
        self.register(
            'east', 'https://east', OTHER_UUID, is_disabled=True
        )
        self.assertEqual(
            ['scheduler_build_plan_create'], self.check('builds')
        )
