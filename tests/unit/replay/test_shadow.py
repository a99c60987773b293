"""Follow a journal with made-up answers: what is counted, kept and printed."""

import dataclasses
import json
import tempfile
import time
from pathlib import Path

import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import FAILED
from nova_ext.core.decision.transition import LOST, UNVERIFIED
from nova_ext.core.explanation import shadow_report
from nova_ext.replay import selection
from nova_ext.replay.selection import Selection
from nova_ext.replay.shadow import follower, tally
from nova_ext.replay.shadow.follower import FollowTask, JournalFollower
from nova_ext.replay.shadow.process import (
    PluginEndedError,
    ProcessLimits,
    StoppedError,
)
from nova_ext.replay.share import Setup
from tests.unit.journal import samples as journals
from tests.unit.replay import samples

#: Half of a's memory is used, and three quarters of b's processors.
HOSTS = {
    'a': {
        'total_usable_ram_mb': 1000, 'free_ram_mb': 500,
        'ram_allocation_ratio': 1.0, 'vcpus_total': 4, 'vcpus_used': 1,
        'cpu_allocation_ratio': 1.0, 'aggregates': [],
    },
    'b': {
        'total_usable_ram_mb': 1000, 'free_ram_mb': 900,
        'ram_allocation_ratio': 1.0, 'vcpus_total': 4, 'vcpus_used': 6,
        'cpu_allocation_ratio': 2.0, 'aggregates': [],
    },
}


def serialize(counted):
    """Return the report of a tally, now."""
    counted.updated = counted.updated or '2026-01-31T08:00:00+00:00'
    report = shadow_report.serialize(dataclasses.asdict(counted))
    return report | shadow_report.judge(report, time.time())


class Answers:
    """Answers for a process, by the ID of the decision."""

    def __init__(self, answers, task, limits, stops):
        self.answers = answers
        self.task, self.stops = task, stops
        self.closed = False

    def ask(self, path, number, watched=None):
        """Return, or raise, what is made up."""
        own = not self.task.setup.options
        answer = samples.replayed(samples.A, samples.B, number=number)
        answer.chosen = [[samples.A, samples.B]]
        if not own:
            answer = self.answers.get(number, answer)
        elif 'own' in self.answers:
            answer = self.answers['own']
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            answer = answer(number)
        answer.id, answer.source = number, path.name
        return answer, self.answers.get('running', '')

    def close(self):
        """Note it."""
        self.closed = True


class FollowerTest(testtools.TestCase):
    """Requests of one file, and of one that grows."""

    def setUp(self):
        """Have a folder and a journal's writer."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.report = self.folder / shadow_report.FILE
        self.writer = journals.make_writer(self.folder)
        self.addCleanup(self.writer.close)
        self.setup = Setup(options=(('g', 'o', '1'),))
        self.made, self.notes = [], []
        self.number = 0

    def decide(self, count=1):
        """Write decisions that took host a, with alternate b."""
        for _ in range(count):
            self.number += 1
            self.writer.write(journals.make_decision(self.number, HOSTS))

    def follow(self, answers, since=0.0, stops=lambda: False, wait=0.0):
        """Follow until all is asked; return what was counted."""
        self.counted = tally.begin(
            self.report, 'o=1', self.setup, since
        )
        self.patch(follower, 'LOOK_S', 0.01)

        def make_process(*args):
            self.made.append(Answers(answers, *args))
            return self.made[-1]

        JournalFollower(FollowTask(
            [self.folder], Selection(since, time.time() - 10 + wait),
            self.setup, Setup(), ProcessLimits(100, 5.0), self.report,
        ), self.counted, stops, self.notes.append, make_process).run(
            lambda: None
        )
        return self.counted

    def test_counts(self):
        """Transitions, hosts by their use, causes and the sentence."""
        self.decide(3)
        moved = samples.replayed(samples.B, number=2)
        counted = self.follow({
            2: moved,
            3: samples.replayed(number=3, evidence=[samples.evidence(
                rejected={samples.A: samples.ISOLATED},
                ended=samples.ISOLATED,
            )]),
        })
        self.assertEqual(
            {'same': 1, 'other_host': 1, 'placed_none': 1},
            counted.transitions,
        )
        self.assertEqual(
            {'exact': 3, 'differences': 0}, counted.verified
        )
        self.assertEqual('', counted.unverified)
        rows = shadow_report.build_table(serialize(counted))
        self.assertEqual(
            [
                ('b', '75% of processors', 0, 0, 1, 'req-2'),
                ('a', '50% of memory', 1, 1, 0, 'req-3\nreq-2'),
            ], rows,
        )
        self.assertEqual(
            'Over 3 requests since 1970-01-01 00:00:00 UTC o=1 would have '
            'turned 1 into NoValidHost and moved 1',
            serialize(counted)['sentence'],
        )
        self.assertIn(
            '0 of 3 exact decisions differ',
            serialize(counted)['verification'],
        )
        notes = list(shadow_report.list_notes(serialize(counted)))
        self.assertTrue(notes[1].startswith('1 placed → none: '), notes)
        self.assertIn('IsolatedHostsFilter', notes[1])
        self.assertEqual(LOST, shadow_report.get_exit_status(
            serialize(counted)
        ))
        document = serialize(counted)
        self.assertEqual(3, document['requests'])
        self.assertNotIn('positions', document)
        self.assertEqual(
            0o600, self.report.stat().st_mode & 0o777
        )
        self.assertTrue(all(each.closed for each in self.made))

    def test_goes_on(self):
        """What was asked is not asked again; the rest is counted."""
        self.decide(2)
        self.follow({})
        self.decide(2)
        counted = self.follow({})
        self.assertEqual({'same': 4}, counted.transitions)
        other = Setup(options=(('g', 'o', '2'),))
        error = self.assertRaises(
            NovaExtError, tally.begin, self.report, 'o=2', other, None
        )
        self.assertIn('counts another change, o=1', str(error))

    def test_from_now_on(self):
        """Without --since, what was decided before is not asked."""
        before = time.time()
        made = tally.begin(self.report, 'o=1', self.setup, None)
        self.assertGreaterEqual(made.since, before)

    def test_skipped(self):
        """A plugin that ends its process is named; after three, left out."""
        self.decide(6)
        ended = PluginEndedError('filter Bad', 'took more than 5 s')
        counted = self.follow({
            1: ended, 3: ended, 4: ended, 5: ended,
        })
        (group,) = counted.skipped
        self.assertEqual(
            (4, 'filter Bad', ['req-5', 'req-4', 'req-3']),
            (group['count'], group['plugin'], group['examples']),
        )
        self.assertEqual(
            ['filter Bad'], [each['plugin'] for each in counted.left_out]
        )
        self.assertEqual({'same': 2}, counted.transitions)
        changed, own = self.made[-2:]
        self.assertEqual(('Bad',), changed.task.left_out)
        self.assertEqual((), own.task.left_out)
        notes = list(shadow_report.list_notes(serialize(counted)))
        self.assertIn('4 skipped: filter Bad took more than 5 s', notes[0])
        self.assertIn('filter Bad is asked no more since', notes[1])
        self.assertIn('; 4 more were skipped', serialize(counted)['sentence'])

    def test_nobody_to_leave_out(self):
        """Where no plugin ran, following ends, and what is counted stays."""
        self.decide(4)
        ended = PluginEndedError('', 'exited with status 1')
        error = self.assertRaises(
            NovaExtError, self.follow, {2: ended, 3: ended, 4: ended}
        )
        self.assertIn('3 times in a row', str(error))
        counted = tally.read(self.report)
        self.assertEqual({'same': 1}, counted.transitions)
        self.assertIn('3 times in a row', counted.end)

    def test_raised(self):
        """A plugin that raises is named, and asked again."""
        self.decide()
        counted = self.follow({
            'running': 'weigher Bad', 1: samples.replayed(
                outcome=FAILED, error='KeyError: 1'
            ),
        })
        (group,) = counted.skipped
        self.assertEqual(
            ('weigher Bad', 'raised KeyError: 1'),
            (group['plugin'], group['why']),
        )
        self.assertEqual(0, counted.requests)

    def test_not_verified(self):
        """Where the own configuration can't decide, the report says so."""
        self.decide(2)
        counted = self.follow({'own': PluginEndedError('filter X', 'died')})
        self.assertEqual({'same': 2}, counted.transitions)
        self.assertIn(
            'not verified from req-1: filter X died',
            serialize(counted)['verification'],
        )
        self.assertEqual(UNVERIFIED, shadow_report.get_exit_status(
            serialize(counted)
        ))

    def test_found_and_partial(self):
        """What found no host then would be placed; a fact is missing."""
        self.number = 1
        made = journals.make_decision(1, HOSTS)
        made.body.update(outcome='no_valid_host', destinations=[])
        self.writer.write(made)
        counted = self.follow({1: samples.replayed(samples.B, gaps=['x'])})
        self.assertIn(
            'it would have placed 1 that found no host',
            serialize(counted)['sentence'],
        )
        self.assertIn(
            '0 exact, 1 partial, 0 not replayable',
            list(shadow_report.list_notes(serialize(counted))),
        )

    def test_stopped(self):
        """A signal ends it between two requests, and within one."""
        self.decide(2)
        stops = iter([False, True, True, True])
        self.follow({}, stops=lambda: next(stops))
        self.assertEqual({'same': 1}, self.counted.transitions)
        self.assertEqual('it was stopped', self.counted.end)
        self.follow({2: StoppedError()})
        self.assertEqual({'same': 1}, self.counted.transitions)
        self.assertEqual('it was stopped', tally.read(self.report).end)
        self.follow({})
        self.assertEqual({'same': 2}, self.counted.transitions)
        self.assertEqual('it reached --until', tally.read(self.report).end)

    def test_signs(self):
        """The report says that it is followed again, and stays fresh."""
        self.decide()
        self.follow({})
        self.assertEqual('it reached --until', self.counted.end)
        self.decide()
        seen = []

        def look(number):
            read = tally.read(self.report)
            seen.append((read.end, read.requests))
            self.report.unlink()
            self.made[-1].stops()
            seen.append(self.report.exists())
            return samples.replayed(samples.A, samples.B, number=number)

        self.patch(follower, 'PULSE_S', 0.0)
        self.follow({2: look})
        self.assertEqual([('', 1), True], seen)

    def test_signs_of_reading(self):
        """It stays fresh while it reads what was asked before."""
        self.decide(2)
        self.follow({})
        seen = []

        def iterate(*words):
            for each in selection.iterate(*words):
                self.report.unlink(missing_ok=True)
                yield each
                seen.append(self.report.exists())

        self.patch(follower, 'iterate', iterate)
        self.patch(follower, 'PULSE_S', 0.0)
        self.follow({})
        self.assertEqual({True}, set(seen))

    def test_failed(self):
        """The report has why following ended."""
        self.decide()
        self.assertRaises(
            NovaExtError, self.follow, {1: NovaExtError('no such filter')}
        )
        self.assertEqual('no such filter', tally.read(self.report).end)
        # Nothing was counted, so that another change may have the file.
        other = Setup(options=(('g', 'o', '2'),))
        made = tally.begin(self.report, 'o=2', other, None)
        self.assertEqual('o=2', made.name)
        self.assertRaises(ZeroDivisionError, self.follow, {
            1: lambda number: 1 / 0,
        })
        self.assertEqual('it failed', tally.read(self.report).end)

    def test_damage(self):
        """A damaged file is said once, and others are read."""
        self.decide()
        (self.folder / 'x.journal').write_bytes(b'other')
        (self.folder / 'y.journal').write_bytes(b'')
        path = self.folder / 'z.journal'
        other = next(self.folder.glob('ctl*')).read_bytes()
        path.write_bytes(other + b'rubbish' * 9)
        self.follow({})
        self.assertEqual(2, len(self.notes), self.notes)
        self.assertIn('x.journal: not a journal', self.notes[0])
        self.assertIn('z.journal: damaged', self.notes[1])

    def test_unreadable(self):
        """A report that is none, or can't be written, is said in a line."""
        for text in ('', '[]', '{"version": 9}', '{"version": 1}'):
            self.report.write_text(text)
            error = self.assertRaises(NovaExtError, tally.read, self.report)
            self.assertIn('is no report', str(error))
        error = self.assertRaises(
            NovaExtError, tally.read, self.folder / 'none'
        )
        self.assertIn('is not there', str(error))
        made = tally.Tally('n', {}, 0.0)
        error = self.assertRaises(
            NovaExtError, made.write, self.folder / 'none' / 'x'
        )
        self.assertIn('can\'t be written', str(error))

    def test_many_hosts(self):
        """The table ends, and says how many are left."""
        made = tally.Tally('n', {}, 0.0, hosts={
            f'h{number:03}': {
                'lost': 0, 'left': 1, 'reached': 0, 'examples': [],
                'used': number / 100, 'of': 'memory',
            } for number in range(60)
        })
        rows = shadow_report.build_table(serialize(made))
        self.assertEqual('h059', rows[0][0])
        self.assertEqual(50, len(rows))
        self.assertIn('10 hosts less full not listed', list(
            shadow_report.list_notes(serialize(made))
        ))
        self.assertEqual(0, shadow_report.get_exit_status(
            serialize(made)
        ))
        json.dumps(serialize(made))
