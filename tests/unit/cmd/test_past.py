"""Ask a journal with explain, simulate and check."""

import logging
import tempfile
from pathlib import Path

from nova_ext.cmd import past
from nova_ext.core.base.errors import NovaExtError
from tests.unit.cloud_rules.test_past import Answers
from tests.unit.cmd import base
from tests.unit.journal import samples, test_moment

SERVER = '3f1c9a52-0000-4abc-8def-0123456789ab'


class Scheduler(Answers):
    """Explain, too."""

    def explain(self, moment):
        """Return the same decision."""
        decision, notes = self.simulate(moment, test_moment.BootLike('small'))
        decision.servers, decision.chosen = [SERVER], {SERVER: ['a']}
        return decision, notes


class PastTest(base.CommandTestCase):
    """A journal of one boot."""

    def setUp(self):
        """Write it."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        writer = samples.make_writer(self.folder)
        made = samples.make_decision(1, {
            'a': {'aggregates': []}, 'b': {'aggregates': []},
        })
        made.body.update(
            operation='first boot', servers=[SERVER],
            spec=test_moment.make_spec(),
        )
        writer.write(made)
        writer.close()
        self.scheduler = Scheduler()
        self.made = []

        def make(moment, filters=(), *, has_cloud=False):
            self.made.append(list(filters))
            return self.scheduler

        self.patch(past, 'make_scheduler', make)

    def ask(self, *words):
        """Run a command with the journal."""
        return self.run_command(*words, '--journal', str(self.folder))

    def test_explain(self):
        """The decision is explained, and --html writes a page."""
        page = self.folder / 'page.html'
        status, out, err = self.ask('explain', SERVER, '--html', str(page))
        self.assertEqual(0, status, err)
        self.assertIn('hosts are those of req-1', out)
        self.assertIn('F', page.read_text())

    def test_failed(self):
        """An error is printed, though Nova's code was silenced."""
        self.addCleanup(logging.disable, logging.NOTSET)

        def fail(moment):
            logging.disable(logging.CRITICAL)
            raise NovaExtError('no such filter')

        self.scheduler.explain = fail
        status, out, err = self.ask('explain', SERVER)
        self.assertEqual((1, ''), (status, out))
        self.assertIn('nova-ext: no such filter', err)

    def test_page_failed(self):
        """A page that can't be written is an error that is printed."""
        self.addCleanup(logging.disable, logging.NOTSET)
        explain = self.scheduler.explain

        def silence(moment):
            logging.disable(logging.CRITICAL)
            return explain(moment)

        self.scheduler.explain = silence
        status, out, err = self.ask(
            'explain', SERVER, '--html', '/proc/p.html'
        )
        self.assertEqual((1, ''), (status, out))
        self.assertIn('/proc/p.html', err)

    def test_answers_failed(self):
        """So are answers of check that can't be written."""
        self.addCleanup(logging.disable, logging.NOTSET)

        def make(*_, **__):
            logging.disable(logging.CRITICAL)
            return self.scheduler

        self.patch(past, 'make_scheduler', make)
        rules = self.folder / 'rules.yaml'
        rules.write_text('rules:\n- enabled filters include: [F]\n')
        status, _, err = self.ask(
            'check', str(rules), '--junit', '/proc/check.xml'
        )
        self.assertNotEqual(0, status)
        self.assertIn('/proc/check.xml', err)

    def test_simulate(self):
        """Options become a boot."""
        status, out, err = self.ask(
            'simulate', '--flavor', 'small', '--image', 'cirros', '--hint',
            'h=v', '--max', '2', '--try-filter', 'F',
        )
        self.assertEqual(0, status, err)
        self.assertIn('hosts are those of req-1', out)
        self.assertEqual([(
            test_moment.BootLike('small', 'cirros', '', {'h': ['v']}, '', 2),
            '',
        )], self.scheduler.requests)
        self.assertEqual([['F']], self.made)

    def test_capacity(self):
        """How many fitted, and where."""
        status, out, err = self.ask('capacity', '--flavor', 'small')
        self.assertEqual(0, status, err)
        self.assertIn('4 fitted', out)
        self.assertIn('| a    |       4 |', out)
        status, _, err = self.ask(
            'capacity', '--flavor', 'small', '--max', '2'
        )
        self.assertIn('leave out --max', err)
        status, _, err = self.run_command('capacity', '--flavor', 'small')
        self.assertIn('give --journal', err)

    def test_check(self):
        """Rules are asked of the journal; no cloud is."""
        rules = self.folder / 'rules.yaml'
        rules.write_text('rules:\n- enabled filters include: [F]\n')
        status, out, err = self.ask('check', str(rules))
        self.assertEqual(0, status, err)
        self.assertIn('1 of 1 rule', out)
        first = self.folder / 'first.yaml'
        status, _, err = self.ask('check', '--init', str(first))
        self.assertEqual(0, status, err)
        self.assertIn('enabled filters include', first.read_text())

    def test_refused(self):
        """Each is one line."""
        small = ('simulate', '--flavor', 'small')
        for words, text in (
            ((*small, '--host', 'a'), 'a journal does not answer --host'),
            ((*small, '--hint', 'group=g'), 'for a server group'),
            ((*small, '--availability-zone', 'z:a'), 'zone with a host'),
            (('simulate',), 'give --flavor'),
            ((*small, '--max', '-3'), '--max is -3, not 1 to 100'),
            ((*small, '--max', '101'), '--max is 101, not 1 to 100'),
            (('explain', 'name'), 'a journal has no names of servers'),
            (('explain', SERVER, '--all'), '--all is of the record'),
            (('check', 'x', '--init', '--config-file', 'y'),
             'leave out --con'),
        ):
            status, _, err = self.ask(*words)
            self.assertNotEqual(0, status)
            self.assertIn(text, err)
            self.assertNotIn('Traceback', err)
        for words in (('explain', SERVER), small, ('check', 'x')):
            status, _, err = self.run_command(*words, '--as-of', '2026-01-01')
            self.assertNotEqual(0, status)
            self.assertIn('give --journal', err)
        status, _, err = self.ask('explain', SERVER, '--as-of', 'noon')
        self.assertIn('noon: give a time', err)

    def test_export(self):
        """A scrubbed journal stands in another folder."""
        new = self.folder / 'new'
        status, out, err = self.run_command(
            'journal', 'export', str(self.folder), '--scrub', '--to', str(new)
        )
        self.assertEqual(0, status, err)
        self.assertEqual(f'1 decision in 1 file in {new}\n', out)
        (written,) = new.glob('*.journal')
        data = written.read_bytes()
        written.write_bytes(data[:-1])
        status, out, err = self.run_command(
            'journal', 'export', str(new), '--scrub', '--to',
            str(self.folder / 'cut')
        )
        self.assertEqual(3, status, err)
        self.assertIn('cut off at byte', out)
        status, _, err = self.run_command(
            'journal', 'export', 'x', '--to', 'y'
        )
        self.assertEqual(2, status)
        self.assertIn('--scrub', err)
