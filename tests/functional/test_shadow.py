"""A replay that follows says what a change would make of the newest boots."""

import datetime
import json
import time
from pathlib import Path

from nova_ext.scheduler.base import options
from nova_ext.scheduler.journal import journal
from tests.functional import bad_plugins, programs
from tests.functional.test_replay import PATIENCE_S, ReplayTestCase

GROUP = 'filter_scheduler'


class ShadowTestCase(ReplayTestCase):
    """Journals boots, and follows the journal with a change."""

    def setUp(self):
        """Keep the report beside the journal."""
        super().setUp()
        self.report = self.folder / 'shadow.json'

    def follow(self, *words, until=True):
        """Run nova-ext replay --follow.

        :param until: what is there now alone; False: in a process of its own.
        """
        self.assertTrue(journal.get().flush(60))
        now = datetime.datetime.now(datetime.UTC).isoformat()
        start = programs.start if until else programs.start_new
        return start(
            'replay', self.folder, '--follow', '--since', '1970-01-01', '-f',
            'json', *(('--until', now) if until else ()), *words,
        )

    def read(self, process):
        """Return the exit status of a follower, its document and its log."""
        out, err = process.communicate(timeout=PATIENCE_S)
        self.assertNotIn('Traceback', err)
        self.assertIn(process.returncode, (0, 3, 4), err)
        return process.returncode, json.loads(out), err

    def report_shadow(self, *words):
        """Run nova-ext shadow report; return its status and output."""
        done = programs.run(
            'shadow', 'report', self.folder, *words, timeout=PATIENCE_S,
        )
        return done.returncode, done.stdout

    def boot_harmed(self, harm):
        """Boot a server on which a plugin does harm."""
        return self.boot({'harm': harm})


class ChangeTest(ShadowTestCase):
    """A changed multiplier, a filter that rejects all."""

    def test_counts(self):
        """It counts what went elsewhere; later runs go on."""
        self.boot()
        self.boot()
        packs = ('--set', f'{GROUP}.ram_weight_multiplier=-100.0')
        status, document, _ = self.read(self.follow(*packs))
        self.assertEqual(0, status, document)
        self.assertEqual(2, document['requests'])
        self.assertEqual(
            {'exact': 2, 'differences': 0}, document['verified']
        )
        self.assertEqual(1, document['transitions']['other_host'])
        (change,) = document['decisions']['other_host']
        self.assertIn('RAMWeigher', change['cause'])
        hosts = document['hosts']
        self.assertEqual(1, hosts[change['before']]['left'])
        self.assertEqual(1, hosts[change['after']]['reached'])
        self.assertEqual('memory', hosts[change['after']]['of'])
        # The host that the first server is on is the fuller one.
        self.assertGreater(
            hosts[change['after']]['used'], hosts[change['before']]['used']
        )
        status, text = self.report_shadow()
        self.assertEqual(0, status)
        self.assertIn('0 of 2 exact decisions differ', text)
        self.assertIn('Over 2 requests', text)
        self.assertIn('and moved 1', text)
        self.assertLess(
            text.index(change['after']), text.index(change['before'])
        )
        self.boot()
        _, document, _ = self.read(self.follow(*packs))
        self.assertEqual(3, document['requests'])

    def test_follows(self):
        """What comes while it runs is asked too; SIGTERM ends it."""
        self.boot()
        none = ('--set', f'{GROUP}.isolated_hosts={",".join(self.hosts)}')
        filters = [*options.CONF.filter_scheduler.enabled_filters,
                   'IsolatedHostsFilter']
        process = self.follow(
            *none, '--set', f'{GROUP}.enabled_filters={",".join(filters)}',
            '--set', f'{GROUP}.isolated_images=other', until=False,
        )
        try:
            self.wait_until_counted(1)
            self.boot()
            self.assertTrue(journal.get().flush(60))
            self.wait_until_counted(2)
        finally:
            process.terminate()
        status, document, _ = self.read(process)
        self.assertEqual(3, status)
        self.assertEqual({'placed_none': 2}, document['transitions'])
        (cause,) = document['causes']
        self.assertIn('IsolatedHostsFilter', cause['cause'])
        self.assertEqual(3, self.report_shadow()[0])

    def wait_until_counted(self, number):
        """Wait until the report has so many requests."""
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            if self.report.exists():
                counts = json.loads(self.report.read_text())['transitions']
                if sum(counts.values()) >= number:
                    return
            time.sleep(0.2)
        self.fail(f'{number} requests were not counted')


class HarmTest(ShadowTestCase):
    """A plugin that hangs, raises, grows or exits is named and skipped."""

    def change(self, plugins):
        """Return the words that bring the harmful plugins."""
        group = options.CONF.filter_scheduler
        words = ['--plugins', str(plugins), '--time-s', '5', '--memory-mb',
                 '300']
        for name in (*group.available_filters, 'harmful.HarmfulFilter'):
            words += ['--set', f'{GROUP}.available_filters={name}']
        enabled = [*group.enabled_filters, 'HarmfulFilter']
        return [*words, '--set', f'{GROUP}.enabled_filters='
                f'{",".join(enabled)}']

    def install(self):
        """Return a folder with the plugins."""
        folder = self.folder / 'plugins'
        folder.mkdir()
        text = Path(bad_plugins.__file__).read_text()
        (folder / 'harmful.py').write_text(text)
        return folder

    def test_filter(self):
        """Each is one skipped request, and the others are answered."""
        # After three in a row it would be asked no more.
        for harm in ('hang', 'raise', '', 'exit', 'grow', '', 'kill'):
            self.boot_harmed(harm)
        _, document, _ = self.read(self.follow(*self.change(self.install())))
        whys = {each['why']: each for each in document['skipped']}
        self.assertEqual(5, len(whys), whys)
        self.assertEqual(
            {'filter HarmfulFilter'},
            {each['plugin'] for each in whys.values()},
        )
        for text in (
            'took more than 5 s', 'exited with status 5',
            'grew by more than 300 MiB', 'was ended by SIGKILL',
        ):
            self.assertEqual(1, whys[text]['count'])
        self.assertTrue([
            why for why in whys if why.startswith('raised')
            and 'KeyError' in why
        ], whys)
        self.assertEqual(2, document['requests'])
        self.assertEqual(2, document['exactness']['partial'])
        self.assertEqual([], document['left_out'])

    def test_left_out(self):
        """A weigher that always hangs is left out after three requests."""
        for _ in range(4):
            self.boot_harmed('exit')
        words = [
            each.replace(
                'harmful.HarmfulFilter',
                'nova.scheduler.filters.compute_filter.ComputeFilter',
            ) for each in self.change(self.install())
        ]
        words[-1] = words[-1].removesuffix(',HarmfulFilter')
        known = options.CONF.filter_scheduler.weight_classes
        for name in (*known, 'harmful.HarmfulWeigher'):
            words += ['--set', f'{GROUP}.weight_classes={name}']
        _, document, _ = self.read(self.follow(*words))
        (skipped,) = document['skipped']
        self.assertEqual(
            (3, 'weigher HarmfulWeigher'),
            (skipped['count'], skipped['plugin']),
        )
        (left_out,) = document['left_out']
        self.assertEqual('weigher HarmfulWeigher', left_out['plugin'])
        self.assertEqual(1, document['requests'])
        self.assertIn('is asked no more since', self.report_shadow()[1])

    def test_import(self):
        """One that can't be imported is said at once, in one line."""
        self.boot()
        folder = self.install()
        text = (folder / 'harmful.py').read_text()
        words = self.change(folder)
        for line, wanted in (
            ('os._exit(6)', 'loading filters and weighers exited with '
                            'status 6'),
            ('def f(:', 'harmful.HarmfulFilter'),
        ):
            (folder / 'harmful.py').write_text(f'{text}\n{line}\n')
            process = self.follow(*words)
            _, err = process.communicate(timeout=PATIENCE_S)
            self.assertEqual(1, process.returncode)
            self.assertIn(wanted, err.strip().splitlines()[-1])
            self.assertNotIn('Traceback', err)
