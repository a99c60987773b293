"""Read resource providers, those that changed."""

import collections

import testtools

from nova_ext.engine.provider_columns import (
    Inventory,
    Provider,
    ProviderTable,
)
from nova_ext.scheduler.mirror import provider_reader


class ReaderTest(testtools.TestCase):
    """Read from a double of Nova's report client."""

    def setUp(self):
        """Give placement two providers."""
        super().setUp()
        self.placement = _Placement()
        self.placement.add('p1')
        self.placement.add('p2')
        self.table = ProviderTable()
        self.reader = provider_reader.ProviderReader(
            lambda: self.placement, 1
        )

    def test_changed_alone(self):
        """Only what changed is read again, and what is asked for."""
        self.assertEqual(2, len(self.reader.read(self.table, ())))
        self.assertEqual(
            Provider(
                'p1', 1, {'VCPU': Inventory(8, 1, 4.0, 1, 8, 1)},
                {'VCPU': 0}, frozenset(('T',)), frozenset(('a1',)),
            ),
            self.table.get('p1'),
        )
        self.assertEqual(0, len(self.reader.read(self.table, ())))
        self.placement.providers['p1'].update(generation=2, used=3)
        # DELETE /allocations leaves the generation as it is.
        self.placement.providers['p2']['used'] = 5
        self.assertEqual(1, len(self.reader.read(self.table, ())))
        self.assertEqual({'VCPU': 3}, self.table.get('p1').used)
        self.assertEqual({'VCPU': 0}, self.table.get('p2').used)
        self.assertEqual(1, len(self.reader.read(self.table, ('p2', 'p9'))))
        self.assertEqual({'VCPU': 5}, self.table.get('p2').used)
        del self.placement.providers['p1']
        self.reader.read(self.table, ())
        self.assertIsNone(self.table.get('p1'))

    def test_sweep(self):
        """Usages of all are read in turn, though no generation changed."""
        self.reader.read(self.table, ())
        for provider in self.placement.providers.values():
            provider['used'] = 6
        self.assertEqual({}, self.reader.read(self.table, ()))
        self.reader._swept_at -= provider_reader.SWEEP_S / 2
        first = set(self.reader.read(self.table, ()))
        self.assertEqual(1, len(first))
        self.reader._swept_at -= provider_reader.SWEEP_S / 2
        second = set(self.reader.read(self.table, ()))
        self.assertEqual({'p1', 'p2'}, first | second)
        for uuid in ('p1', 'p2'):
            self.assertEqual({'VCPU': 6}, self.table.get(uuid).used)

    def test_changed_meanwhile(self):
        """A provider of two generations is not put in, but read again."""
        self.placement.on_read = lambda: self.placement.providers['p1'].update(
            generation=2, used=7
        )
        self.reader.read(self.table, ())
        self.assertIsNone(self.table.get('p1'))
        self.placement.on_read = lambda: None
        self.reader.read(self.table, ())
        self.assertEqual(2, self.table.get('p1').generation)

    def test_gone_meanwhile(self):
        """A provider that went is left out, and no error."""
        self.placement.on_read = lambda: (
            self.placement.providers.pop('p1', None)
        )
        self.reader.read(self.table, ())
        self.assertIsNone(self.table.get('p1'))
        self.assertIsNotNone(self.table.get('p2'))

    def test_unknown(self):
        """Trees and shared providers are said to be unknown."""
        self.placement.add('p3', parent='p1')
        self.reader.read(self.table, ())
        self.assertEqual('trees of providers', self.reader.unknown)
        del self.placement.providers['p3']
        self.placement.add('p4', traits=[provider_reader.SHARES])
        self.reader.read(self.table, ())
        self.assertEqual('shared providers', self.reader.unknown)
        del self.placement.providers['p4']
        self.reader.read(self.table, ())
        self.assertEqual('', self.reader.unknown)

    def test_error(self):
        """Another answer than expected ends the reading with its status."""
        self.placement.status = 503
        error = self.assertRaises(
            provider_reader.PlacementError, self.reader.read, self.table, ()
        )
        self.assertEqual('/resource_providers: HTTP 503', str(error))


_Answer = collections.namedtuple('_Answer', 'status_code json')


class _Placement:
    """Answer as placement does.

    :ivar on_read: called after a provider's inventories were read.
    """

    def __init__(self):
        self.providers = {}
        self.status = 200
        self.on_read = lambda: None

    def add(self, uuid, parent=None, traits=('T',)):
        self.providers[uuid] = {
            'uuid': uuid, 'generation': 1, 'parent_provider_uuid': parent,
            'used': 0, 'traits': list(traits),
        }

    def get(self, url, version):
        _, _, path = url.partition('/resource_providers')
        if not path:
            body = {'resource_providers': [
                dict(p) for p in self.providers.values()
            ]}
            return _Answer(self.status, lambda: body)
        _, uuid, part = path.split('/')
        provider = self.providers.get(uuid)
        if provider is None:
            return _Answer(404, dict)
        body = {'resource_provider_generation': provider['generation'], **{
            'inventories': {'inventories': {'VCPU': {
                'total': 8, 'reserved': 1, 'allocation_ratio': 4.0,
                'min_unit': 1, 'max_unit': 8, 'step_size': 1,
            }}},
            'usages': {'usages': {'VCPU': provider['used']}},
            'traits': {'traits': provider['traits']},
            'aggregates': {'aggregates': ['a1']},
        }[part]}
        if part == 'inventories' and uuid == 'p1':
            self.on_read()
        return _Answer(self.status, lambda: body)
