"""Write what a mirror knew, and read it."""

import random
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.journal import columns
from nova_ext.journal.known_providers import KnownProviders
from nova_ext.journal.moment import BootLike, PastCloud
from nova_ext.journal.providers import ProviderWriter
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.writer import PackedCloud
from tests.unit.journal import samples, test_moment

A, B, C = {'x': 1}, {'x': 2}, {'x': 3}


class StampsTest(testtools.TestCase):
    """What is written is the same where stamps tell what changed."""

    def setUp(self):
        """Draw."""
        super().setUp()
        self.dice = random.Random(3)  # noqa: S311  not a secret

    def test_hosts(self):
        """Some change, all get other names, Nova has newer ones."""
        stamped, compared = columns.HostWriter(), columns.HostWriter()
        known, stamps = samples.make_known({'a': A, 'b': B, 'c': C}), None
        for number in range(200):
            if number % 20 == 0:
                known = samples.make_known(
                    {f'{name}{number % 60}': A for name in 'abc'}
                )
                stamps = np.full(3, number)
            hosts, place = list(known.hosts), self.dice.randrange(3)
            hosts[place], stamps = self.dice.choice([A, B, C]), stamps.copy()
            stamps[place] = 1000 + number
            known = replace(known, hosts=hosts, ranked=[0, 3])
            own = ((), ())
            if not self.dice.randrange(4):
                known = replace(known, ranked=None)
                own = ([known.keys[place]], [self.dice.choice([A, B])])
            self.assertEqual(
                compared.encode(*own, {}, known),
                stamped.encode(*own, {}, replace(known, stamps=stamps)),
            )

    def test_providers(self):
        """Some change, some come, some go."""
        stamped, compared = ProviderWriter(), ProviderWriter()
        table = ProviderTable()
        for number in range(200):
            for uuid in self.dice.sample('pqrs', self.dice.randrange(3)):
                table.put(samples.make_provider(uuid, used=number))
            if not self.dice.randrange(9):
                table.keep(self.dice.sample('pqrs', 3))
            now = table.freeze()
            self.assertEqual(
                sorted(compared.encode(now.providers, None)),
                sorted(stamped.encode(now.providers, now.stamps)),
            )


class CloudTest(testtools.TestCase):
    """Hosts, some of which were ranked, and providers."""

    def setUp(self):
        """Have a folder."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.providers = {
            name: samples.make_provider(name) for name in 'pq'
        }

    def make_cloud(self, hosts, ranked=None, **fields):
        """Return what a mirror knew."""
        return PackedCloud(
            samples.make_known(hosts, ranked=ranked),
            list(fields.get('providers', self.providers).values()),
            fields.get('held', {}), fields.get('excluded', []),
        )

    def write(self, *decisions):
        """Write decisions: own hosts and a cloud; return what is read."""
        writer = samples.make_writer(self.folder)
        for number, (hosts, cloud) in enumerate(decisions, 1):
            writer.write(samples.make_decision(number, hosts, cloud=cloud))
        writer.close()
        (path,) = self.folder.glob('*.journal')
        return list(JournalReader(path))

    def read_hosts(self, hosts):
        """Return names and values."""
        return [(facts.host, facts.values['x']) for facts in hosts]

    def test_hosts(self):
        """Ranked ones are some of all, in an order of their own."""
        first, second, third = self.write(
            ({}, self.make_cloud({'a': A, 'b': B, 'c': C}, [2, 1, 0, 1])),
            ({'b': C, 'd': A}, self.make_cloud({'a': A, 'b': B, 'c': C})),
            ({}, self.make_cloud({'c': C, 'a': B, 'b': B}, [1, 2])),
        )
        self.assertEqual(
            [('a', 1), ('b', 2), ('c', 3)], self.read_hosts(first.known)
        )
        self.assertEqual([('c', 3), ('a', 1)], self.read_hosts(first.hosts))
        # Nova's own states are newer.
        self.assertEqual(
            [('a', 1), ('b', 3), ('c', 3)], self.read_hosts(second.known)
        )
        self.assertEqual([('b', 3), ('d', 1)], self.read_hosts(second.hosts))
        self.assertEqual(
            [('c', 3), ('a', 2), ('b', 2)], self.read_hosts(third.known)
        )
        self.assertEqual([('a', 2), ('b', 2)], self.read_hosts(third.hosts))

    def test_providers(self):
        """Those that changed, and those that are gone."""
        other = samples.make_provider('q', used=1, traits=['T2', 'T1'])
        known = KnownProviders()
        decisions = self.write(
            ({}, self.make_cloud({'a': A}, held={'p': {'VCPU': 1}})),
            ({}, self.make_cloud({'a': A}, excluded=['q'])),
            ({}, self.make_cloud({'a': A}, providers={'q': other})),
            ({'a': A}, None),
        )
        self.assertEqual(
            [['p', 'q'], [], ['q', 'p'], []],
            [[each.uuid for each in decision.providers]
             for decision in decisions],
        )
        first, second, third, last = decisions
        self.assertEqual({'p': {'VCPU': 1}}, first.held)
        self.assertEqual(['q'], second.excluded)
        changed, gone = third.providers
        self.assertEqual(
            ({'VCPU': [8, 0, 1.0, 1, 2 ** 31 - 1, 1]}, {'VCPU': 1},
             ['T1', 'T2']),
            (changed.inventories, changed.used, changed.traits),
        )
        self.assertEqual({}, gone.inventories)
        self.assertEqual(([], {}), (last.known, last.held))
        for decision in decisions:
            known.add('a process', decision)
        self.assertEqual(
            {'VCPU': 1}, known.now['q'].used
        )
        known.add('another', last)
        self.assertEqual({}, known.now)

    def test_moment(self):
        """A boot is shown the newest cloud; flavors may be exchanged."""
        big = {**test_moment.BIG, 'vcpus': 4}
        odd = {**test_moment.BIG, 'name': 'odd', 'flavorid': '3',
               'extra_specs': {'k': 'v'}}
        writer = samples.make_writer(self.folder)
        for number, (flavor, host, data) in enumerate((
            (test_moment.SMALL, A, {}),
            (big, B, {'availability_zone': 'z'}),
            (odd, C, {'project_id': 'q'}),
        ), 1):
            made = samples.make_decision(
                number, {}, cloud=self.make_cloud({'a': host}, [0, 1])
            )
            made.body.update(
                operation='first boot',
                spec=test_moment.make_spec(flavor, **data),
            )
            writer.write(made)
        writer.close()
        past = PastCloud([self.folder])
        self.assertTrue(past.has_cloud)
        for like, flavor in (
            (BootLike('small'), 'small'), (BootLike('big'), 'big'),
            (BootLike('2'), 'big'), (BootLike('small', zone='z'), 'small'),
        ):
            decision = past.find_boot(like).decision
            self.assertEqual([('a', 3)], self.read_hosts(decision.known))
            self.assertEqual(['p', 'q'], [
                each.uuid for each in decision.providers
            ])
            self.assertEqual('req-3', decision.request_id)
            self.assertEqual(flavor, decision.spec['nova_object.data'][
                'flavor']['nova_object.data']['name'])
        # Other extra specs have other prefilters.
        self.assertIn('no boot of the journal', str(self.assertRaises(
            NovaExtError, past.find_boot, BootLike('odd', project='p')
        )))
