"""Replay the day as it would have gone."""

import json
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision.transition import LOST, UNVERIFIED, Transition
from nova_ext.replay import (
    rolling,
    rolling_check,
    rolling_report,
    rolling_share,
)
from nova_ext.replay.share import Setup
from tests.unit.journal.samples import PROCESS
from tests.unit.replay import rolling_samples as samples

#: Hosts of six requests, under each configuration.
FIRST = {1: 'a', 2: 'a', 3: 'a', 4: '', 5: 'a', 6: 'a'}
OTHER = {1: 'a', 2: 'b', 3: '', 4: 'a', 5: 'b', 6: 'a'}
CLOUDS = {'first': FIRST, 'other': OTHER}


def decide(share, count, report_number, target):
    """Decide in this process."""
    results = {}
    for batch in rolling_share._decide(share):
        for each in batch:
            results[each.source, each.id] = each
        report_number(len(results))
    return results


class RollingTest(testtools.TestCase):
    """One process decides all, each decision after the last."""

    def setUp(self):
        """Have a journal of six requests."""
        super().setUp()
        self.gaps = ['a gap']
        self.path = Path(self.useFixture(fixtures.TempDir()).join(
            'day.journal'
        ))
        samples.write_journal(
            self.path, ['small', 'large', 'small', 'large', 'small', 'small']
        )
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.replay.processes.decide', decide
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.replay.rolling_share.make_replayer',
            lambda setup, process, rolling: (
                samples.FakeReplayer(CLOUDS[
                    setup.files[0] if setup.files else 'own'
                ]), self.gaps,
            ),
        ))

    def replay(self, *names):
        """Replay under configurations."""
        return rolling.replay(
            [self.path], {name: Setup([name]) for name in names}, Setup(),
            Progress(),
        )

    def test_days(self):
        """The second day is compared with the first."""
        result = self.replay('first', 'other')
        first, other = result.days
        self.assertEqual((6, 5, 5), (
            result.servers, first.placed, other.placed
        ))
        self.assertEqual([
            Transition.SAME, Transition.OTHER_HOST, Transition.PLACED_NONE,
            Transition.NONE_PLACED, Transition.OTHER_HOST, Transition.SAME,
        ], [change.transition for change in other.changes])
        self.assertEqual('row-2', other.first_change.original.request_id)
        self.assertIsNone(first.first_change)
        self.assertEqual([
            '', 'no (F)', 'no host has the room now',
            'a host has room that had none', 'the host has no room now', '',
        ], [
            change.cause.text if change.cause else ''
            for change in other.changes
        ])

    def test_cloud(self):
        """What is left: empty hosts, stranded room, the largest flavor."""
        cloud = self.replay('first').days[0].cloud
        self.assertEqual(
            (2, 1, 2, 'small'),
            (cloud.hosts, cloud.empty, cloud.servers, cloud.largest),
        )
        self.assertEqual(
            {'VCPU': 11, 'MEMORY_MB': 8704, 'CUSTOM_X': 5}, cloud.free
        )
        self.assertEqual(
            {'VCPU': 3, 'MEMORY_MB': 512, 'CUSTOM_X': 5}, cloud.stranded
        )

    def test_refused(self):
        """Journals without the mirror, two ones, a damaged one."""
        def write(name='day.journal', **process):
            return samples.write_journal(
                self.path.with_name(name), ['small'], **process
            )

        other = {'configuration': {'scheduler': {'x': 1}}}
        plugins = [{**PROCESS['plugins'][0], 'digest': 'cd'}]
        for text, journals in (
            ('takes it alone', lambda: [write(), write('other.journal')]),
            ('true and mirror = on', lambda: [write(mode='scheduler')]),
            ('a stock nova-scheduler', lambda: [write(mode='plugin')]),
            ('[scheduler] x of x-0 and y-0 differ', lambda: [
                write(mode='scheduler', known=['a']),
                write('other.journal', mode='scheduler', host='y', **other),
            ]),
            ('filters and weighers of', lambda: [
                write(mode='scheduler', known=['a']),
                write('other.journal', mode='scheduler', plugins=plugins),
            ]),
            ('cut off', lambda: [self.cut()]),
        ):
            error = self.assertRaises(
                NovaExtError, rolling_check.check, journals()
            )
            self.assertIn(text, str(error))
        samples.write_journal(self.path, ['small'])
        self.assertIn('nobody decided it', str(
            self.assertRaises(NovaExtError, self.replay)
        ))

    def cut(self):
        """Cut the journal off in the middle."""
        samples.write_journal(self.path, ['small'] * 3)
        self.path.write_bytes(self.path.read_bytes()[:-9])
        return self.path

    def test_many(self):
        """Results come in batches."""
        samples.write_journal(self.path, ['small'] * 150)
        (day,) = self.replay('first').days
        self.assertEqual(150, len(day.results))
        self.assertEqual(2, day.cloud.servers)


class JournalDayTest(RollingTest):
    """A scheduler's own journals."""

    def setUp(self):
        """Have two workers' journals, of six requests in all."""
        super().setUp()
        self.gaps = []
        CLOUDS.update(own=FIRST, other=OTHER)
        flavors = ['small', 'large', 'small', 'large', 'small', 'small']
        for name, host, first in (('a', 'one', 1), ('b', 'two', 2)):
            samples.write_journal(
                self.path.with_name(f'{name}.journal'), {
                    number: flavors[number - 1]
                    for number in range(first, 7, 2)
                }, mode='scheduler', host=host, known=['a'], chosen=FIRST,
            )
        self.paths = [
            self.path.with_name(f'{name}.journal') for name in 'ab'
        ]

    def replay(self, *names):
        """Replay both."""
        return rolling.replay(
            self.paths, {name: Setup([name]) for name in names}, Setup(),
            Progress(),
        )

    def test_days(self):
        """The journal's own configuration is the first day."""
        result = self.replay('other')
        own, other = result.days
        self.assertEqual((rolling.OWN, 'other'), (own.name, other.name))
        self.assertEqual([], result.verification.differences)
        self.assertEqual(
            list(range(1, 7)), [number for _, number in own.results]
        )
        self.assertEqual('row-2', other.first_change.original.request_id)
        self.assertEqual(LOST, rolling_report.get_exit_status(result))
        self.assertIn('0 of 6 exact decisions differ: 6 requests',
                      rolling_report.describe(result))
        document = rolling_report.to_dict(result)
        self.assertEqual(6, document['verification']['exact'])

    def test_differing(self):
        """What comes out otherwise is listed, and the status says so."""
        CLOUDS['own'] = OTHER
        result = self.replay()
        self.assertEqual(
            UNVERIFIED, rolling_report.get_exit_status(result)
        )
        columns, rows = rolling_report.build_table(result)
        self.assertEqual('Exactness', columns[0])
        self.assertEqual(['row-2', 'row-3', 'row-4', 'row-5'],
                         [row[1] for row in rows])

    def test_unknown(self):
        """A decision that can't be replayed changes nothing."""
        CLOUDS['other'] = {**FIRST, 3: 'raises'}
        self.addCleanup(CLOUDS.update, other=OTHER)
        self.gaps = ['a gap']
        result = self.replay('other')
        other = result.days[1]
        self.assertEqual({('a.journal', 3)}, other.unknown)
        self.assertIsNone(other.first_change)
        by_name = {
            row[0]: row[1:] for row in rolling_report.build_table(result)[1]
        }
        self.assertEqual(
            [0, 1], by_name['requests that can\'t be replayed']
        )
        self.assertEqual([1, 1], by_name['servers without a host'])

    def test_cloud(self):
        """The end is that of the last decision."""
        cloud = self.replay().days[0].cloud
        self.assertEqual((2, 'small'), (cloud.hosts, cloud.largest))

    test_refused = test_many = None


class RollingReportTest(RollingTest):
    """What is written down."""

    def test_table(self):
        """One column for each configuration."""
        columns, rows = rolling_report.build_table(
            self.replay('first', 'other')
        )
        self.assertEqual(('Figure', 'first', 'other'), columns)
        by_name = {row[0]: row[1:] for row in rows}
        for name, figures in (
            ('servers placed', [5, 5]), ('placed → none', ['', 1]),
            ('host → other host', ['', 2]),
            ('drawn among equal hosts', [0, 2]), ('not exact', [6, 6]),
            ('decided by Nova\'s filters and weighers', [1, 1]),
            ('empty hosts', ['1 of 2', '1 of 2']),
            ('largest flavor still placed', ['small', 'small']),
            ('stranded MEMORY_MB', ['512 of 8704 MiB free'] * 2),
            ('stranded CUSTOM_X', ['5 of 5 free'] * 2),
        ):
            self.assertEqual(figures, by_name[name], name)

    def test_lines(self):
        """The first divergence, and what follows of it."""
        result = self.replay('first', 'other')
        self.assertEqual([
            'other: the first divergence is row-2 at 1970-01-01T00:00:02Z: '
            'a → b, no (F)',
            'other: of 4 requests after it 3 come out otherwise: 1 placed → '
            'none; 1 none → placed; 1 host → other host',
        ], list(rolling_report.summarize(result))[:2])
        self.assertEqual(LOST, rolling_report.get_exit_status(result))
        self.assertIn('6 requests for 6 servers', rolling_report.describe(
            result
        ))

    def test_failed(self):
        """What a plugin raises is said, with one configuration, too."""
        CLOUDS['broken'] = {**FIRST, 3: 'raises', 5: 'raises'}
        result = self.replay('broken')
        self.assertEqual(
            'broken: 2 requests failed: filter X raised',
            next(rolling_report.summarize(result)),
        )
        by_name = dict(rolling_report.build_table(result)[1])
        self.assertEqual(2, by_name['of these, failed'])
        self.assertEqual(3, by_name['requests without a host'])

    def test_same(self):
        """Nothing diverges."""
        CLOUDS['same'] = FIRST
        result = self.replay('first', 'same')
        self.assertEqual(
            'same: all requests come out as with first',
            next(rolling_report.summarize(result)),
        )
        self.assertEqual(0, rolling_report.get_exit_status(result))

    def test_document(self):
        """All of it is JSON."""
        document = json.loads(json.dumps(
            rolling_report.to_dict(self.replay('first', 'other'))
        ))
        first, other = document['configurations']
        self.assertIsNone(first['first_divergence'])
        self.assertEqual('row-2', other['first_divergence']['request_id'])
        self.assertEqual(
            {'request_id': 'row-3', 'outcome': 'no valid host', 'hosts': []},
            other['decisions'][2],
        )
        self.assertEqual(1, other['by_nova']['no host'])
        self.assertEqual('small', other['cloud']['largest_flavor'])
