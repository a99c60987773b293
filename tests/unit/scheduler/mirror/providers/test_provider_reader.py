"""Read resource providers, those that changed."""

import collections
import contextlib
import time
from pathlib import Path
from unittest import mock

import fixtures
import testtools
from keystoneauth1 import exceptions as keystone

from nova_ext.engine.providers import Inventory, Provider
from nova_ext.scheduler.mirror.providers import (
    loading_report,
    pace,
    provider_file,
    provider_reader,
    provider_tables,
)


class ReaderTest(testtools.TestCase):
    """Read from a double of Nova's report client."""

    def setUp(self):
        """Give placement two providers."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.placement = Placement()
        self.placement.add('p1')
        self.placement.add('p2')
        self.file = provider_file.ProviderFile(
            Path(self.useFixture(fixtures.TempDir()).path) / 'c.db'
        )
        self.reader = self.make_reader()

    def test_changed_alone(self):
        """Only what changed is read again, and what is wanted."""
        self.assertEqual({'p1', 'p2'}, self.read())
        self.assertEqual(
            Provider(
                'p1', 1, {'VCPU': Inventory(8, 1, 4.0, 1, 8, 1)},
                {'VCPU': 0}, frozenset(('T',)), frozenset(('a1',)),
            ),
            self.rows()['p1'],
        )
        self.assertEqual(set(), self.read())
        self.placement.providers['p1'].update(generation=2, used=3)
        # DELETE /allocations leaves the generation as it is.
        self.placement.providers['p2']['used'] = 5
        self.assertEqual({'p1'}, self.read())
        self.assertEqual((3, 0), (self.used('p1'), self.used('p2')))
        with self.file.open() as file:
            file.want({'p2': time.monotonic(), 'p9': 0.0})
        self.placement.requests.clear()
        self.assertEqual({'p2'}, self.read())
        self.assertEqual(5, self.used('p2'))
        # Its generation tells that nothing else changed.
        self.assertEqual([
            '/resource_providers', '/resource_providers/p2/usages',
            '/resource_providers/p2/aggregates',
        ], self.placement.requests)
        with self.file.open() as file:
            self.assertEqual({}, file.list_wanted())
        del self.placement.providers['p1']
        self.read()
        self.assertEqual(['p2'], list(self.rows()))

    def test_host_changed(self):
        """Usages are read when a host's row changed, and a minute later."""
        self.read()
        now = time.time()
        self.placement.providers['p1'].update(used=7, aggregates=['a2'])
        self.assertEqual(set(), self.read({'p1': now - 30}))
        self.assertEqual({'p1'}, self.read({'p1': now}))
        self.assertEqual(7, self.used('p1'))
        # One that changes all the time is never swept.
        self.assertEqual({'a2'}, self.rows()['p1'].aggregates)
        # Of a reading that began before that minute was over.
        with self.file.open() as file:
            file._execute('UPDATE providers SET began_at = ?', now - 70)
            provider_tables.seal(file._connection)
        self.assertEqual(set(), self.read({'p1': now - 131, 'p2': now - 140}))
        self.assertEqual({'p2'}, self.read({'p2': now - 100}))

    def test_sweep(self):
        """What no generation tells is read of all in time."""
        self.read()
        for provider in self.placement.providers.values():
            provider.update(used=6, aggregates=['a2'])
        self.assertEqual(set(), self.read())
        with self.file.open() as file:
            file._execute(
                'UPDATE providers SET began = ? WHERE uuid = ?',
                time.monotonic() - provider_reader.SWEEP_S - 1, 'p1',
            )
            provider_tables.seal(file._connection)
        self.assertEqual({'p1'}, self.read())
        self.assertEqual((6, 0), (self.used('p1'), self.used('p2')))
        self.assertEqual(
            ({'a2'}, {'a1'}),
            tuple(self.rows()[uuid].aggregates for uuid in ('p1', 'p2')),
        )

    def test_changed_meanwhile(self):
        """A provider of two generations is not put in, but read again."""
        self.placement.on_read = lambda: self.placement.providers['p1'].update(
            generation=2, used=7
        )
        self.read()
        self.assertEqual(['p2'], list(self.rows()))
        self.assertEqual((None, {'p1': None}), self.state())
        self.placement.on_read = lambda: None
        self.read()
        self.assertEqual(2, self.rows()['p1'].generation)
        self.assertEqual({}, self.state()[1])

    def test_no_rest(self):
        """What belongs together is read without a rest in between."""
        rests = []
        with mock.patch.object(
            self.reader._pace, 'rest',
            lambda: rests.append(len(self.placement.requests)),
        ):
            self.read()
        self.assertEqual([0, 1, 5], rests)

    def test_gone_meanwhile(self):
        """A provider that went is left out, and no error."""
        self.placement.on_read = lambda: (
            self.placement.providers.pop('p1', None)
        )
        self.read()
        self.assertEqual(['p2'], list(self.rows()))

    def test_trees(self):
        """Of providers in a tree of several, the root is noted."""
        self.placement.add('p3', parent='p1')
        self.read()
        with self.file.open() as file:
            self.assertEqual(
                {'p1': 'p1', 'p3': 'p1'}, file.take('', 0).trees
            )

    def test_error(self):
        """Another answer than expected ends the reading with its status."""
        self.placement.status = 503
        error = self.assertRaises(provider_reader.PlacementError, self.read)
        self.assertEqual('/resource_providers: HTTP 503', str(error))

    def test_error_of_one(self):
        """The others are read all the same, and the first error is told."""
        self.placement.broken = {'p1'}
        error = self.assertRaises(provider_reader.PlacementError, self.read)
        self.assertEqual(
            '/resource_providers/p1/inventories: HTTP 500', str(error)
        )
        self.assertEqual(['p2'], list(self.rows()))
        right_at, behind = self.state()
        self.assertEqual({'p1': 0.0}, behind)
        self.assertIsNotNone(right_at)  # the other is of use
        self.placement.broken = set()
        self.assertEqual({'p1'}, self.read())
        self.assertEqual({}, self.state()[1])

    def test_errors(self):
        """A turn ends after some."""
        names = [f'p{number}' for number in range(1, 9)]
        for name in names[2:]:
            self.placement.add(name)
        self.placement.broken = set(names)
        self.assertRaises(provider_reader.PlacementError, self.read)
        self.assertEqual(1 + 3, len(self.placement.requests))
        # The others come first then.
        self.placement.broken = {'p1', 'p2', 'p3'}
        self.assertRaises(provider_reader.PlacementError, self.read)
        self.assertEqual(set(names) - self.placement.broken, set(self.rows()))

    def test_silence(self):
        """So it is where no answer comes for one, whatever is wanted of it."""
        self.read()
        self.placement.silent = {'p1'}
        with self.file.open() as file:
            file.want({'p1': time.monotonic()})
        for number in (2, 3):
            self.placement.providers['p2']['generation'] = number
            self.placement.requests.clear()
            self.assertRaises(keystone.ConnectTimeout, self.read)
            self.assertEqual(number, self.rows()['p2'].generation)
        self.assertEqual('/resource_providers/p1/usages', (
            self.placement.requests[-1]
        ))

    def test_out_of_time(self):
        """What was not read is as old as the list before; then it is read."""
        self.read()
        before, _ = self.state()
        self.placement.providers['p1']['generation'] = 2
        # As much time as the list took is granted once more.
        with mock.patch.object(
            self.reader._pace, 'take_turn', contextlib.nullcontext
        ):
            self.assertEqual(set(), self.read(time_s=0))
        listed_at, behind = self.state()
        self.assertEqual({'p1': before}, behind)
        self.assertGreater(listed_at, before)
        # Another process goes on from there.
        self.reader = self.make_reader()
        with mock.patch.object(
            self.reader._pace, 'take_turn', contextlib.nullcontext
        ):
            self.assertEqual(set(), self.read(time_s=0))
        self.assertEqual({'p1': before}, self.state()[1])
        began = time.monotonic()
        self.assertEqual({'p1'}, self.read())
        right_at, behind = self.state()
        self.assertEqual({}, behind)
        self.assertGreaterEqual(right_at, began)

    def test_after_another(self):
        """After a restart, rows of listed generations are right at once.

        They may show too much as used, and never too little: placement
        raises the generation with each claim.
        """
        self.read()
        self.placement.providers['p2'].update(generation=2, used=4)
        self.placement.requests.clear()
        began = time.monotonic()
        self.reader = self.make_reader()
        self.assertEqual({'p2'}, self.read())
        self.assertEqual(5, len(self.placement.requests))
        self.assertGreaterEqual(self.state()[0], began)

    def test_after_an_outage(self):
        """What changed in a long outage has to be read before any is used."""
        self.read()
        self.reader = self.make_reader()
        self.placement.providers['p2']['generation'] = 2
        self.read(max_age_s=-1, time_s=0)
        # Loading takes its time.
        self.assertEqual({}, self.state()[1])
        self.placement.providers['p2']['generation'] = 3
        self.placement.on_list = lambda: self.reader._pace.end()
        self.reader = self.make_reader()
        self.assertEqual(set(), self.read(max_age_s=-1))
        self.assertEqual((None, {'p2': None}), self.state())

    def test_lost_file(self):
        """Of a file that is gone, no row is right until it is read again."""
        self.read()
        self.file.path.unlink()
        self.placement.on_list = lambda: self.reader._pace.end()
        self.assertEqual(set(), self.read())
        self.assertEqual((None, {'p1': None, 'p2': None}), self.state())

    def test_progress(self):
        """Log lines tell how far the first reading is."""
        self.useFixture(fixtures.MockPatchObject(
            loading_report, '_REPORT_S', 0
        ))
        self.read()
        self.assertRegex(
            self.log.output,
            r'(?s)The mirror reads providers: 1 of 2, about \d+ s left.*'
            r'The mirror has read 2 providers in \d+\.\d s',
        )

    def make_reader(self):
        """Return a reader that rests not at all."""
        return provider_reader.ProviderReader(
            self.file, lambda: self.placement, pace.Pace(1, lambda: 1)
        )

    def read(self, changed_at=None, max_age_s=60, **kwargs):
        """Read; return the UUIDs of those that were put in."""
        with self.file.open() as file:
            before = file.get_listing()
        self.reader.read(changed_at or {}, max_age_s, **kwargs)
        with self.file.open() as file:
            taken = file.take(before.epoch, before.serial)
        return {provider.uuid for _, provider in taken.rows}

    def rows(self):
        """Return what is in the file, by UUID."""
        with self.file.open() as file:
            return {p.uuid: p for _, p in file.take('', 0).rows}

    def used(self, uuid):
        """Return the processors that are used of a provider."""
        return self.rows()[uuid].used['VCPU']

    def state(self):
        """Return when the others were right, and which are not."""
        with self.file.open() as file:
            return file.get_listing().right_at, file.list_behind()


_Answer = collections.namedtuple('_Answer', 'status_code json')


class Placement:
    """Answer as placement does.

    :ivar on_read: called after a provider's inventories were read.
    :ivar on_list: called after the providers were listed.
    """

    def __init__(self):
        self.providers = {}
        self.status = 200
        self.broken = self.silent = ()
        self.requests = []
        self.on_read = self.on_list = lambda: None

    def add(self, uuid, parent=None, traits=('T',)):
        """Add a provider."""
        self.providers[uuid] = {
            'uuid': uuid, 'generation': 1, 'parent_provider_uuid': parent,
            'root_provider_uuid': parent or uuid,
            'used': 0, 'traits': list(traits), 'aggregates': ['a1'],
        }

    def get(self, url, version):
        """Answer a request."""
        self.requests.append(url)
        _, _, path = url.partition('/resource_providers')
        if not path:
            body = {'resource_providers': [
                dict(p) for p in self.providers.values()
            ]}
            self.on_list()
            return _Answer(self.status, lambda: body)
        _, uuid, part = path.split('/')
        provider = self.providers.get(uuid)
        if uuid in self.silent:
            raise keystone.ConnectTimeout
        if uuid in self.broken:
            return _Answer(500, dict)
        if provider is None:
            return _Answer(404, dict)
        body = {'resource_provider_generation': provider['generation'], **{
            'inventories': {'inventories': {'VCPU': {
                'total': 8, 'reserved': 1, 'allocation_ratio': 4.0,
                'min_unit': 1, 'max_unit': 8, 'step_size': 1,
            }}},
            'usages': {'usages': {'VCPU': provider['used']}},
            'traits': {'traits': provider['traits']},
            'aggregates': {'aggregates': provider['aggregates']},
        }[part]}
        if part == 'inventories' and uuid == 'p1':
            self.on_read()
        return _Answer(self.status, lambda: body)
