"""Describe this zone together with its children."""

import json

import testtools

from nova_ext.core.base.errors import ConfigurationError
from nova_ext.zones import own_zone
from nova_ext.zones.tables.models import Zone


def make_child(*, active=True, disabled=False, gathering=False, **services):
    """Return a child zone."""
    return Zone(
        is_active=active, is_disabled=disabled, is_gathering=gathering,
        capabilities=json.dumps({
            'general': {'hypervisor': {'values': ['xen']}},
            'services': services,
        }),
    )


def describe(*children, general='hypervisor=kvm', gathering=False):
    """Return what a zone says that has one service."""
    return own_zone.describe(
        'u', 'nova', own_zone.parse_general(general), {
            'services': {'compute': {'cpu': {'min': 2, 'max': 3}}},
            'gathering': gathering,
        }, children,
    )


class OwnZoneTest(testtools.TestCase):
    """Join what there is."""

    def test_alone(self):
        """A zone without children has its own capabilities."""
        self.assertEqual({
            'uuid': 'u', 'name': 'nova', 'gathering': False,
            'capabilities': {
                'general': {'hypervisor': {'values': ['kvm']}},
                'services': {'compute': {'cpu': {'min': 2, 'max': 3}}},
            },
        }, describe())

    def test_children(self):
        """Those of its children are its own."""
        self.assertEqual({
            'general': {'hypervisor': {'values': ['kvm', 'xen']}},
            'services': {'compute': {'cpu': {'min': 1, 'max': 3}}},
        }, describe(
            make_child(compute={'cpu': {'min': 1, 'max': 2}})
        )['capabilities'])

    def test_gathering(self):
        """It gathers while one of its children does."""
        self.assertTrue(describe(gathering=True)['gathering'])
        self.assertTrue(describe(make_child(gathering=True))['gathering'])

    def test_routable(self):
        """Only those are used that are active and not disabled."""
        good, *others = (
            make_child(), make_child(active=False), make_child(disabled=True)
        )
        self.assertEqual([good], own_zone.list_routable([good, *others]))

    def test_too_long(self):
        """A part that does not fit is left out, and said to be missing."""
        words = [f'{number:0255}' for number in range(900)]
        large, small = (
            make_child(volume={key: {'values': words}}) for key in 'ab'
        )
        described = describe(large, small)
        self.assertTrue(described['gathering'])
        self.assertEqual(
            ['a'], list(described['capabilities']['services']['volume'])
        )
        self.assertLess(
            len(json.dumps(described)), own_zone.MAX_BYTES + 1000
        )

    def test_malformed(self):
        """The option is named with what is wrong."""
        error = self.assertRaises(
            ConfigurationError, own_zone.parse_general, 'kvm'
        )
        self.assertIn('[nova_ext_zones] zone_capabilities = kvm: ', str(error))
