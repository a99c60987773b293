"""Run nova-ext replay, up to the decisions that are made again."""

import json
import tempfile
from pathlib import Path

from nova_ext.replay import replaying
from nova_ext.replay.selection import Selection
from nova_ext.replay.share import Setup
from tests.unit.cmd import base
from tests.unit.replay import journals, samples


class ReplayTest(base.CommandTestCase):
    """What is asked for, and what is refused in one line."""

    def setUp(self):
        """Have a folder, and a replay that is made up."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.new = self.folder / 'new.conf'
        self.new.write_text('')
        self.asked = None

    def replay(self, *words):
        """Run the command; keep what it asks for."""
        def answer(*asked):
            self.asked = asked
            return samples.result(*samples.changes(), names=asked[2] or ())

        self.patch(replaying, 'replay', answer)
        return self.run_command('replay', *words)

    def test_asked(self):
        """Options become a selection and setups."""
        other = self.folder / 'b.conf'
        other.write_text('')
        status, out, err = self.replay(
            'x.journal', '--config-file', str(self.new), '--against',
            str(other), '--since', '2026-01-31T08:00', '--sample', '0.5',
            '--aggregate-set', 'fast:ssd=a=b', '--aggregate-unset', 'fast:x',
            '--plugins', str(self.folder), '--processes', '2', '--set',
            'filter_scheduler.host_subset_size=2',
        )
        self.assertEqual((3, ''), (status, err))
        paths, selection, setups, own, _, processes = self.asked
        self.assertEqual([Path('x.journal')], paths)
        self.assertEqual(Selection(1769846400.0, None, 0.5), selection)
        self.assertEqual({
            'new.conf host_subset_size=2': Setup(
                [str(self.new)], [], [str(self.folder)],
                (('fast', 'ssd', 'a=b'), ('fast', 'x', None)),
                (('filter_scheduler', 'host_subset_size', '2'),),
            ),
            'b.conf': Setup([str(other)], (), [str(self.folder)]),
        }, setups)
        self.assertEqual(Setup(plugins=[str(self.folder)]), own)
        self.assertEqual(2, processes)
        self.assertIn('placed → none', out)

    def test_no_time(self):
        """A time that ends before it begins is refused, followed or not."""
        for words in ([], ['--follow']):
            status, out, err = self.replay(
                'x', '--config-file', str(self.new), '--since',
                '2026-01-31T08:00', '--until', '2026-01-31T07:00', *words,
            )
            self.assertEqual((1, ''), (status, out))
            self.assertEqual(
                'nova-ext: --since is not before --until: no decision is '
                'between them\n', err,
            )
        self.assertIsNone(self.asked)

    def test_unknown_grouping(self):
        """An unknown grouping is refused with those that are known."""
        status, _, err = self.replay('x', '--verify', '--by', 'host')
        self.assertEqual(2, status)
        self.assertIn('cause', err)
        self.assertIn('aggregate', err)

    def test_formats(self):
        """JSON has the document, and --html writes a page."""
        page = self.folder / 'page.html'
        status, out, _ = self.replay(
            'x', '--config-file', str(self.new), '-f', 'json', '--html',
            str(page),
        )
        self.assertEqual(3, status)
        self.assertEqual(
            'new.conf', json.loads(out)['configurations'][0]['name']
        )
        self.assertIn('new.conf', page.read_text())

    def test_log(self):
        """Requests that reached no filter are counted by Nova's log."""
        log = self.folder / 'nova-scheduler.log'
        log.write_text(
            '2026-01-31 08:00:00.000 7 INFO nova.scheduler.manager '
            '[req-12345678-1234-1234-1234-123456789012 a b] '
            'Got no allocation candidates from the Placement API. x\n'
        )
        journals.write(self.folder, 1)
        words = (str(self.folder), '--verify', '--log')
        _, _, err = self.replay(*words, str(self.folder / 'none'))
        self.assertIn('none can\'t be read: No such file', err)
        self.assertIsNone(self.asked)  # that would have taken its time
        words = (*words, str(log))
        _, out, _ = self.replay(*words)
        self.assertIn('not in the journal, by the log: 1 request:', out)
        _, out, _ = self.replay(*words, '-f', 'json')
        self.assertEqual(
            {'no_candidates': 1, 'others': None}, json.loads(out)['unseen']
        )

    def test_refused(self):
        """What makes no sense is refused before anything is read."""
        for words, text in (
            (('x',), 'say what is changed'),
            (('x', '--verify', '--config-file', str(self.new)),
             '--verify changes nothing'),
            (('x', '--config-file', '/none.conf'), '/none.conf is not there'),
            (('x', '--verify', '--sample', '2'), '2: give a part'),
            (('x', '--verify', '--since', 'noon'), 'noon: give a time'),
            (('x', '--set', 'a=b'), 'a=b: give group.option=value'),
            (('x', '--aggregate-unset', 'fast'), 'fast: give <aggregate>:'),
            (('x', '--verify', '--plugins', '/none'),
             '--plugins /none: there is no such folder'),
            (('x', '--config-file', '/'), '/ is a folder: name a file'),
            (('x', '--config-file', str(self.new), '--against',
              str(self.new)), 'is the same configuration'),
            (('x', '--config-file', str(self.new), '--html', '/none/p.html'),
             'there is no folder /none'),
            (('x', '--config-file', str(self.new), '--html', '/dev/null'),
             '/dev/null can\'t be written: it is no file'),
            (('x', '--config-file', str(self.new), '--html', str(self.new)),
             'new.conf is read, or a journal: give --html another'),
            (('x', '--verify', '--html', str(self.folder / 'a.journal')),
             'a.journal is read, or a journal'),
            (('x', '--verify', '--html', 'x'), 'x is read, or a journal'),
        ):
            status, out, err = self.replay(*words)
            self.assertEqual('', out)
            self.assertNotEqual(0, status)
            self.assertIn(text, err)
            self.assertEqual(1, len(err.strip().splitlines()), err)
        self.assertIsNone(self.asked)

    def test_no_journal(self):
        """What is no journal is said in one line."""
        for content, text in (
            (b'', 'not a journal'), (b'nova-ext journal 9\n', 'format 9'),
            (b'nova-ext journal 1\n', 'no decision'),
        ):
            path = self.folder / 'x.journal'
            path.write_bytes(content)
            status, out, err = self.run_command(
                'replay', str(path), '--verify'
            )
            self.assertEqual((1, ''), (status, out))
            self.assertIn(text, err)
            self.assertNotIn('Traceback', err)
        status, _, err = self.run_command(
            'replay', str(self.folder), '/none', '--verify'
        )
        self.assertIn('No such file', err)
