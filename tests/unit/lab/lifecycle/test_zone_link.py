"""Test how a zone gets to know its child zone."""

from unittest import mock

import fixtures

from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import zone_link
from nova_ext.lab.state import paths
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base

CHILD = 'http://127.0.0.1:{}/scheduler'


class Api:
    """Keep one zone, as nova-ext-api does; nobody polls it.

    It is Keystone, too, with four projects.
    """

    def __init__(self):
        self.zones = []

    def service(self, kind):
        """Return the API of a service."""
        return self

    def get(self, path, params=None):
        """List the zones, or the projects."""
        if path == '/projects':
            return mock.Mock(json=lambda: {'projects': [
                {'name': name, 'id': f'id-{name}'}
                for name in ('admin', 'demo', 'parent', 'service')
            ]})
        return mock.Mock(json=lambda: {'zones': [
            dict(zone) for zone in self.zones if zone['name'] == params['name']
        ]})

    def post(self, path, json):
        """Create a zone."""
        self.zones.append({
            'id': 7, 'is_active': False, 'last_contact': None,
            'last_error': '', **json['zone'],
        })
        return mock.Mock(json=lambda: {'zone': self.zones[0]})

    def put(self, path, json):
        """Change the zone."""
        assert path == '/v1/zones/7'
        self.zones[0].update(json['zone'])


class ZoneLinkTest(base.LabTestCase):
    """Register a child zone."""

    def setUp(self):
        """Create two zones that are stopped."""
        super().setUp()
        for depth, name in enumerate(('a', 'a-2')):
            self.lab, self.child = self.new_lab(
                name, zone=Zone(('a', 'a-2'), depth)
            )
        self.api = Api()
        self.place = Zone(('a', 'a-2'), 0)

    def test_register(self):
        """It is registered once, where it is now, and projects are mapped."""
        for port in (1, 1, 2):
            self.child.ports['nova'] = port
            zone_link._register(self.api, self.place, self.child)
            zone, = self.api.zones
            self.assertEqual(
                (CHILD.format(port), 'child'), (zone['url'], zone['cloud'])
            )
            self.assertEqual({
                'id-admin': 'child', 'id-parent': 'child',
                'id-demo': 'child-demo',
            }, zone['projects'])

    def test_not_active(self):
        """Say what the poller said last, and where its log is."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.lifecycle.zone_link._PATIENCE_S', 0
        ))
        zone_link._register(self.api, self.place, self.child)
        for error, words in (('', 'it was not asked'), ('no room', 'no room')):
            self.api.zones[0]['last_error'] = error
            raised = self.assertRaises(
                LabError, zone_link._wait, self.api, 'child', self.lab,
                Progress(),
            )
            self.assertEqual(
                f'child zone child is not active after 0 s: {words}; '
                f'log: {self.lab.log("zone-poller")}', str(raised),
            )

    def test_old_answer(self):
        """An answer from before is not enough, a new one is."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.lifecycle.zone_link._PATIENCE_S', 0
        ))
        zone_link._register(self.api, self.place, self.child)
        self.api.zones[0].update(is_active=True, last_contact='before')
        self.assertRaises(
            LabError, zone_link._wait, self.api, 'child', self.lab,
            Progress(),
        )

    def test_stopped(self):
        """Nothing is done while one of the two does not run."""
        for name in ('a', 'a-2', 'absent'):
            lab = paths.locate(name)
            zone_link.connect(lab, Progress())
            self.assertFalse((lab.path / 'etc').exists())
