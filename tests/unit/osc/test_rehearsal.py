"""Rehearse losses and drains from the command line."""

import types

import fixtures

from nova_ext.core.base.errors import NovaExtError
from nova_ext.osc import drain, losses, rehearsal
from tests.unit.osc import base


class Compute:
    """Represent the compute API of a cloud with three hosts in two racks."""

    def services(self, binary):
        """Return those of the hosts."""
        return [
            types.SimpleNamespace(host=host, availability_zone=zone)
            for host, zone in (
                ('cmp-1', 'west'), ('cmp-3', 'nova'), ('cmp-2', 'west'),
            )
        ]

    def aggregates(self):
        """Return the racks, and one without hosts."""
        return [
            types.SimpleNamespace(name=name, hosts=hosts, metadata=metadata)
            for name, hosts, metadata in (
                ('left', ['cmp-2', 'cmp-1'], {'rack': 'r1'}),
                ('right', ['cmp-3'], {'rack': 'r2', 'row': 'x'}),
                ('none', None, None),
            )
        ]


    def hypervisors(self, details):
        """Return the compute nodes of the hosts."""
        return [
            types.SimpleNamespace(
                id=f'node-{number}', service_details={'host': f'cmp-{number}'}
            ) for number in (1, 2, 3)
        ]


class Placement:
    """Represent the traits of three compute nodes and of a device."""

    def traits(self, name):
        """Return those of racks."""
        return [
            types.SimpleNamespace(name=trait) for trait in TRAITS
            if trait.startswith(name.removeprefix('startswith:'))
        ]

    def resource_providers(self, required):
        """Return those that have a trait."""
        return [
            types.SimpleNamespace(id=provider)
            for provider in TRAITS[required]
        ]


TRAITS = {
    'CUSTOM_RACK_A': ['node-1', 'node-2'], 'CUSTOM_RACK_B': ['node-3', 'gpu'],
    'CUSTOM_RACK_EMPTY': [], 'CUSTOM_ROW_1': ['gpu'],
}


class RehearsalTest(base.CommandTestCase):
    """Run the commands with the API in process."""

    def setUp(self):
        """Have hosts."""
        super().setUp()
        self.manager.sdk_connection = types.SimpleNamespace(
            compute=Compute(), placement=Placement()
        )

    def lose(self, *words):
        """Return which hosts the rehearsals are about, by Nova's code."""
        hosts = []
        self.backends.fake.reason = 'there is no mirror'

        def rehearse(context, request):
            hosts.append(request.hosts)
            return real(context, request)

        real = self.backends.fake.rehearse
        self.patch(self.backends.fake, 'rehearse', rehearse)
        try:
            self.run_command(
                rehearsal.Survive, '--order', 'uuid', '--lose', *words
            )
        finally:
            self.patch(self.backends.fake, 'rehearse', real)
        # Each takes two calls.
        return hosts[::2]

    def test_hosts(self):
        """Hosts, an aggregate, a zone, a rack, each host, each rack."""
        for words, hosts in (
            (['cmp-1'], [['cmp-1']]),
            (['cmp-1', 'cmp-3'], [['cmp-1', 'cmp-3']]),
            (['aggregate', 'left'], [['cmp-1', 'cmp-2']]),
            (['zone', 'nova'], [['cmp-3']]),
            (['rack', 'r1'], [['cmp-1', 'cmp-2']]),
            (['any-host'], [['cmp-1'], ['cmp-2'], ['cmp-3']]),
            (['any-rack'], [['cmp-1', 'cmp-2'], ['cmp-3']]),
            (['any-rack', '--rack-key', 'row'], [['cmp-3']]),
            (['any-rack', '--rack-trait', 'CUSTOM_RACK_'],
             [['cmp-1', 'cmp-2'], ['cmp-3']]),
            (['rack', 'B', '--rack-trait', 'CUSTOM_RACK_'], [['cmp-3']]),
            (['any-rack', '--rack-pattern', '(p-[12])'],
             [['cmp-1'], ['cmp-2']]),
            (['rack', 'cmp', '--rack-pattern', '^([a-z]+)-'],
             [['cmp-1', 'cmp-2', 'cmp-3']]),
        ):
            self.assertEqual(hosts, self.lose(*words), words)

    def test_wrong(self):
        """One line says what there is."""
        for words, line in (
            (['aggregate', 'none'], 'no aggregate none with hosts; there are '
             'left, right'),
            (['zone'], 'one name behind zone'),
            (['any-host', 'x'], 'any-host takes no name: x'),
            (['any-rack', '--rack-key', 'k'], 'metadata key k'),
            (['cmp-1', '--rack-key', 'k'], '--rack-key belongs to'),
            (['any-host', '--rack-pattern', '(c)'], '--rack-pattern belongs'),
            (['any-rack', '--rack-trait', 'CUSTOM_ROW_'],
             'no host has a trait that begins with CUSTOM_ROW_'),
            (['any-rack', '--rack-pattern', '^(x)'],
             '^(x) finds a rack in the name of no host'),
            (['rack', 'C', '--rack-trait', 'CUSTOM_RACK_'],
             'no rack C with hosts; there are A, B'),
        ):
            error = self.assertRaises(NovaExtError, self.lose, *words)
            self.assertIn(line, str(error))

    def test_no_rack(self):
        """Hosts that no rack has are named."""
        for words, note in (
            (['any-rack', '--rack-key', 'row'],
             'not lost, as in no rack: 2 hosts: cmp-1 cmp-2'),
            (['any-rack'], None), (['any-host'], None),
        ):
            out = self.run_command(rehearsal.Survive, '--lose', *words)
            if note:
                self.assertIn(note, out.splitlines())
            else:
                self.assertNotIn('not lost', out)

    def test_wrong_racks(self):
        """The parser says what an option has to be."""
        for option, value, line in (
            ('--rack-trait', 'RACK', 'such as CUSTOM_RACK_'),
            ('--rack-pattern', '(', 'is no regular expression'),
            ('--rack-pattern', 'r[0-9]', 'has 0 groups, not one'),
            ('--order', 'best', "choose from 'listed', 'uuid', 'largest'"),
        ):
            errors = self.useFixture(fixtures.StringStream('errors')).stream
            with fixtures.MonkeyPatch('sys.stderr', errors):
                self.assertRaises(
                    SystemExit, self.lose, 'any-rack', option, value
                )
            errors.seek(0)
            self.assertIn(line, errors.read())

    def test_survive(self):
        """The best order, what becomes of each server, and why."""
        out = self.run_command(rehearsal.Survive, '--lose', 'cmp-1')
        self.assertEqual(
            'of 4 servers 4 would come back (4 without the local disk, unless '
            'the hosts share storage); best found: order largest (listed 2, '
            'uuid 2, largest 4)', out.splitlines()[0],
        )
        out = self.run_command(
            rehearsal.Survive, '--lose', 'cmp-1', '--order', 'uuid'
        )
        self.assertIn('2 would find no host', out.splitlines()[0])
        self.assertIn('0/3 hosts: none', out)
        document = self.json_of(rehearsal.Survive, '--lose', 'cmp-1')
        self.assertEqual(
            ('largest', 4), (document['order'], len(document['moves']))
        )

    def test_engine(self):
        """The engine decides all losses but one; what is missing is said."""
        out = self.run_command(rehearsal.Survive, '--lose', 'any-host')
        self.assertEqual(
            'at worst 2 servers would not come back, after the loss of cmp-1; '
            '2 more like cmp-7 in zone b would take them (an upper bound)',
            out.splitlines()[0],
        )
        self.assertRegex(
            out, r"decided by the engine: 8 servers in [0-9.]+ s; by Nova's "
            r'code: 4 servers in [0-9.]+ s \(NUMA topology\)',
        )
        losses = self.json_of(
            rehearsal.Survive, '--lose', 'any-host'
        )['losses']
        self.assertEqual(
            ['cmp-1', 'cmp-2', 'cmp-3'], [loss['lost'] for loss in losses]
        )
        self.assertEqual('cmp-7', losses[0]['spare']['like'])
        self.assertEqual((4, 4), (losses[2]['servers'], losses[2]['back']))

    def test_any(self):
        """Each loss is a row, the worst first."""
        self.backends.fake.reason = 'there is no mirror'
        document = self.json_of(
            rehearsal.Survive, '--lose', 'any-host', '--order', 'uuid'
        )
        self.assertEqual(
            {'lost': 'cmp-1', 'servers': 4, 'back': 2, 'no_host': 2,
             'refused': 0, 'order': 'uuid', 'placed': {'uuid': 2},
             'spare': None}, document['losses'][0],
        )
        self.assertIn('at worst 2 servers would not', document['sentence'])
        out = self.run_command(rehearsal.Survive, '--lose', 'any-host')
        self.assertIn('every server would come back', out)

    def test_bars(self):
        """The longest has twenty letters; one server that is lost is seen."""
        for servers, back, most, bar in (
            (3, 2, 3, '==x'), (0, 0, 3, ''), (0, 0, 0, ''), (2, 0, 3, 'xx'),
            (100, 100, 100, '=' * 20), (100, 99, 100, '=' * 19 + 'x'),
            (50, 25, 100, '=====xxxxx'), (1, 0, 100, 'x'),
        ):
            self.assertEqual(bar, losses.draw(
                {'servers': servers, 'back': back}, most
            ))

    def test_drain(self):
        """The commands of what moves are printed."""
        out = self.run_command(
            drain.PreviewDrain, 'cmp-1', '--order', 'uuid'
        )
        self.assertIn('of 4 servers 2 would move, 2 would stay', out)
        command = (
            'openstack --os-compute-api-version 2.56 server migrate '
            '--live-migration --host cmp-2 '
            '11111111-2222-3333-4444-000000000000'
        )
        self.assertIn(command, out.splitlines())
        self.assertEqual(command, self.json_of(
            drain.PreviewDrain, 'cmp-1', '--order', 'uuid'
        )['commands'][0])

    def test_rolling(self):
        """Each step knows the moves before, and has its commands in order."""
        words = (
            'cmp-1', '--then-host', 'cmp-3', '--then-host', 'cmp-2',
            '--order', 'uuid',
        )
        before = []

        def rehearse(context, request):
            before.append(len(request.before))
            return real(context, request)

        real = self.backends.fake.rehearse
        self.patch(self.backends.fake, 'rehearse', rehearse)
        document = self.json_of(drain.PreviewDrain, *words)
        # Each step takes two calls, and has four moves.
        self.assertEqual([0, 0, 4, 4, 8, 8], before)
        self.assertEqual(
            [['cmp-1'], ['cmp-3'], ['cmp-2']],
            [step['hosts'] for step in document['steps']],
        )
        commands = document['steps'][1]['commands']
        self.assertEqual(4, len(commands))
        for line, words_of_it in (
            (commands[0], 'service set --disable cmp-3 nova-compute'),
            (commands[1], 'server migrate --live-migration --host cmp-2'),
            (commands[-1], 'service set --enable cmp-3 nova-compute'),
        ):
            self.assertIn(words_of_it, line)
        lines = self.run_command(drain.PreviewDrain, *words).splitlines()
        self.assertEqual(
            'step 2, cmp-3: of 4 servers 2 would move, 2 would stay', lines[1]
        )
        self.assertIn('# step 3', lines)

    def test_empty(self):
        """A host without servers loses nothing."""
        out = self.run_command(rehearsal.Survive, '--lose', 'empty')
        self.assertIn('of 0 servers 0 would come back', out)
