"""Give other names to what a journal has."""

import dataclasses
import io
import tempfile
from pathlib import Path

import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.journal import columns, export
from nova_ext.journal.model import IMPORTED, UNKNOWN, JournalDecision
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.scrubbing import Scrubber
from nova_ext.journal.writer import PackedCloud
from tests.unit.journal import samples

ONE = '3f1c9a52-0000-4abc-8def-0123456789ab'
TWO = '3f1c9a52-0000-4abc-8def-0123456789ac'


class ScrubberTest(testtools.TestCase):
    """Words, UUIDs, addresses and keys."""

    def make(self, *values, **names):
        """Return a scrubber that knows names."""
        scrubber = Scrubber()
        for value in values:
            scrubber.collect(value)
        for kind, name in names.items():
            scrubber.add(kind, name)
        scrubber.begin()
        return scrubber

    def test_words(self):
        """The longest name that stands as a word is replaced."""
        scrub = self.make(
            {'hosts': ['cmp-1', 'cmp-1.dc', 'cmp-10']}, project='_x'
        ).scrub_text
        one, one_dc, ten = map(scrub, ('cmp-1', 'cmp-1.dc', 'cmp-10'))
        self.assertEqual(3, len({one, one_dc, ten}))
        self.assertEqual(
            f'{ten},{one}; cmp-100 xcmp-1 {one_dc}/{one}.',
            scrub('cmp-10,cmp-1; cmp-100 xcmp-1 cmp-1.dc/cmp-1.'),
        )
        self.assertEqual('a project-1.', scrub('a _x.'))

    def test_prefix(self):
        """A new name is nobody's old name."""
        scrub = self.make({'host': 'host-1'}, project='p').scrub_text
        self.assertEqual('hostx-1', scrub('host-1'))

    def test_uuids(self):
        """Each has another one, but for those of requests."""
        scrub = self.make().scrub_text
        one, two = scrub(ONE), scrub(TWO)
        self.assertNotEqual(one, two)
        self.assertEqual(f'{one} {two}', scrub(f'{ONE.upper()} {TWO}'))
        self.assertEqual(f'req-{ONE}', scrub(f'req-{ONE}'))

    def test_addresses(self):
        """Those of machines are replaced, and stay addresses."""
        scrub = self.make({'host_ip': 'fd12::7'}).scrub_text
        self.assertEqual('198.18.0.1', scrub('10.1.2.3'))
        self.assertEqual('http://198.18.0.1:80', scrub('http://10.1.2.3:80'))
        self.assertEqual('fd00::1', scrub('fd12::7'))
        for text in ('127.0.0.1', '255.0.0.0', '1.2.3', '1.2.3.4.5'):
            self.assertEqual(text, scrub(text))

    def test_collected(self):
        """Names in options, objects, metadata and URLs."""
        scrubber = self.make({
            'url': 'rabbit://***@mq-1:5672,***@mq-2:5672/',
            'host': '127.0.0.1',
            'metadata': {'filter_tenant_id_a': 'red,blue'},
            'retry': {'nova_object.data': {'hosts': {'nova_object.data': {
                'objects': [{'nova_object.data': {'host': 'old'}}],
            }}}},
            'user_id': 'me', 'projects': ['green'], 'flavor': 'tiny',
        })
        text = scrubber.scrub_text(
            'mq-1 mq-2 red blue old me green tiny rabbit 127.0.0.1'
        )
        self.assertEqual('tiny rabbit 127.0.0.1', text.split(' ', 7)[7])
        for name in ('mq', 'red', 'blue', 'old', 'me', 'green'):
            self.assertNotIn(name, text.split(' ')[:7])

    def test_requested(self):
        """A word that a request alone calls a host stays in options."""
        scrubber = Scrubber()
        scrubber.collect({'host': 'cmp-1'})
        scrubber.collect_request({'requested_host': ['none', 'cmp-1']})
        scrubber.begin()
        new = scrubber.scrub_text('cmp-1')
        self.assertNotEqual('none', scrubber.scrub_text('none'))
        self.assertEqual(
            {'mode': 'none', 'near': new},
            scrubber.scrub_options({'mode': 'none', 'near': 'cmp-1'}),
        )
        self.assertNotEqual('none', scrubber.scrub_text('none'))

    def test_forms(self):
        """Names of classes, fields and code stay."""
        scrubber = self.make({'hosts': ['nova', 'flavor', 'used']})
        value = {
            'nova_object.namespace': 'nova', 'nova_object.data': {
                'flavor': 'nova', 'weight_classes': ['nova.x'],
            }, 'enabled_filters': ['nova.y'], 'used': 1, 'flavor x': None,
            'n': 7,
        }
        new = scrubber.scrub_text('nova')
        self.assertEqual({
            'nova_object.namespace': 'nova', 'nova_object.data': {
                'flavor': new, 'weight_classes': ['nova.x'],
            }, 'enabled_filters': ['nova.y'], 'used': 1,
            f'{scrubber.scrub_text("flavor")} x': None, 'n': 7,
        }, scrubber.scrub(value))


class ExportTest(testtools.TestCase):
    """Files in a folder."""

    def setUp(self):
        """Have a folder with one file."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        writer = samples.make_writer(self.folder)
        made = samples.make_decision(1, {'cmp-1': {
            'x': UNKNOWN, 'aggregates': [], 'service': None,
        }})
        made.hosts[0]['x'] = columns.NOT_KEPT
        made.body['spec'] = {'nova_object.data': {
            'scheduler_hints': {'build_near_host_ip': ['10.0.0.7']},
        }}
        made.body['missing'] = ['what Odd reads: its inputs are unknown']
        writer.write(made)
        writer.write(samples.make_decision(2, {'cmp-1': {'x': 1}}))
        writer.write_loss(3, 'full')
        writer.close()

    def export(self, to='new'):
        """Export, and return the new files and the notes."""
        files, count, notes = export.export(
            [self.folder], self.folder / to, Progress(io.StringIO())
        )
        return files, count, notes

    def test_kept(self):
        """What is unknown, lost, or missing stays so; addresses are lost."""
        (path,), count, notes = self.export()
        self.assertEqual((2, []), (count, notes))
        self.assertIn('host-2-', path.name)
        reader = JournalReader(path)
        first, second = reader
        self.assertEqual(UNKNOWN, first.hosts[0].values['x'])
        self.assertEqual([
            'what Odd reads: its inputs are unknown',
            'addresses of hosts, which are scrubbed',
        ], list(first.missing))
        self.assertTrue(second.is_exact)
        self.assertEqual(['member'], first.context['roles'])
        self.assertEqual('user-1', first.context['user_id'])
        self.assertEqual(3, reader.losses[0].count)
        self.assertEqual('host-2', reader.process.host)
        self.assertEqual(
            'host-2', reader.process.configuration['DEFAULT']['host']
        )
        self.assertEqual('ComputeFilter', reader.process.plugins[0].name)

    def test_imported(self):
        """The tables of an imported one have the names."""
        folder = self.folder / 'imported'
        writer = samples.make_writer(folder, process={'mode': IMPORTED})
        writer.write(samples.make_decision(1, {}))
        writer.close()
        error = self.assertRaises(
            NovaExtError, export.export, [folder], self.folder / 'new',
            Progress(io.StringIO()),
        )
        self.assertIn('.journal: was imported: give other', str(error))
        self.assertFalse((self.folder / 'new').exists())

    def test_all_fields(self):
        """No field of a decision is forgotten; the last ones are imported."""
        self.assertEqual(
            {field.name for field in dataclasses.fields(JournalDecision)},
            {*export._NAMED, *export._PLAIN, 'worker', 'hosts', 'candidates',
             'known', 'ended'},
        )

    def test_cloud(self):
        """What the mirror knew has other names, too, the same ones."""
        folder = self.folder / 'mirrored'
        writer = samples.make_writer(folder)
        hosts = {'cmp-1': {'instances': [TWO]}, 'cmp-2': {'instances': []}}
        writer.write(samples.make_decision(1, {}, cloud=PackedCloud(
            samples.make_known(hosts, ranked=[1, 1]),
            [samples.make_provider(ONE, traits=['CUSTOM_X'])],
            {ONE: {'VCPU': 1}}, [ONE],
        )))
        writer.close()
        (path,), count, _ = export.export(
            [folder], self.folder / 'new', Progress(io.StringIO())
        )
        (decision,) = JournalReader(path)
        self.assertEqual(1, count)
        first, second = decision.known
        self.assertEqual([second], list(decision.hosts))
        self.assertEqual(
            ('host-1', 'host-2'), (first.host, second.host)
        )
        (provider,) = decision.providers
        self.assertEqual(
            ({provider.uuid: {'VCPU': 1}}, [provider.uuid], ['CUSTOM_X']),
            (decision.held, decision.excluded, provider.traits),
        )
        self.assertNotIn(provider.uuid, (ONE, TWO))
        self.assertNotIn(TWO, first.values['instances'])

    def test_refused(self):
        """Files that are there are not written over; damage is said."""
        self.export()
        error = self.assertRaises(NovaExtError, self.export)
        self.assertIn('can\'t be written: File exists', str(error))
        (path,) = self.folder.glob('*.journal')
        path.write_bytes(path.read_bytes()[:-5])
        _, _, notes = self.export('third')
        self.assertIn('cut off', notes[0])
        newer = self.folder / 'newer.journal'
        newer.write_bytes(b'nova-ext journal 9\n')
        files, _, notes = self.export('fourth')
        self.assertEqual(1, len(files))
        self.assertIn(f'{newer}: format 9', notes[0])
