"""Write down what a replay found."""

import dataclasses
import json

import testtools

from nova_ext.core.decision.transition import LOST, UNVERIFIED
from nova_ext.journal.replayed import Exactness
from nova_ext.replay import page, report
from tests.unit.replay import samples


class ReportTest(testtools.TestCase):
    """A sentence, a table, a document, a page."""

    def setUp(self):
        """One decision of each kind."""
        super().setUp()
        self.changes = samples.changes()
        self.result = samples.result(
            *self.changes, names=('new.conf', 'b.conf'),
            exactness={('x.journal', 1): Exactness.EXACT},
        )

    def test_causes(self):
        """What would not be placed comes first; two configurations."""
        columns, rows = report.build_table(self.result, report.By.CAUSE)
        self.assertEqual(
            ['Transition', 'Cause', 'new.conf', 'b.conf', 'Partial',
             'Examples'], columns,
        )
        self.assertEqual([
            ['placed → none', 'isolated (IsolatedHostsFilter)', 1, 1, 0,
             'req-1'],
            ['none → placed', 'no longer isolated (IsolatedHostsFilter)', 1,
             1, 2, 'req-3'],
        ], rows)

    def test_other_groups(self):
        """The same decisions by aggregate and project."""
        for by, keys in (
            (report.By.AGGREGATE, ['fast', 'none']),
            (report.By.PROJECT, ['p', 'p']),
            (report.By.FLAVOR, ['small', 'small']),
        ):
            rows = report.build_table(self.result, by)[1]
            self.assertEqual(keys, [row[1] for row in rows])

    def test_verification(self):
        """It comes first, and says what was not verified."""
        self.assertEqual(
            'Under the journal\'s own configuration 0 of 1 exact decisions '
            'differ', report.describe_verification(self.result.verification),
        )
        self.assertEqual(
            'Not verified: no filter X', report.describe_verification(
                samples.result(error='no filter X').verification
            ),
        )

    def test_summary(self):
        """It has counts and no percentages."""
        self.assertEqual(
            'new.conf: of 3 decisions 1 stay as they were; 1 placed → none; '
            '1 none → placed; 0 host → other host (2 exact, 1 partial, 0 not '
            'replayable)', next(report.summarize(self.result)),
        )

    def test_exit_status(self):
        """It says whether something is lost, or nothing is verified."""
        lost, same, gained = self.changes
        unknown = dataclasses.replace(
            lost, exactness=Exactness.NOT_REPLAYABLE
        )
        for changes, fields, status in (
            ((same, gained), {}, 0), ((lost, same), {}, LOST),
            ((unknown, same), {}, 0), ((unknown, unknown), {}, UNVERIFIED),
            ((same,), {'error': 'x'}, UNVERIFIED),
            ((same,), {'differences': [lost]}, UNVERIFIED),
        ):
            self.assertEqual(status, report.get_exit_status(
                samples.result(*changes, **fields)
            ))

    def test_document(self):
        """All of it is JSON."""
        document = json.loads(json.dumps(report.to_dict(self.result)))
        first = document['configurations'][0]
        self.assertEqual('new.conf', first['name'])
        self.assertEqual(
            ['req-1', 'req-3'],
            [change['request_id'] for change in first['changes']],
        )
        self.assertEqual(
            {'transition': 'placed_none', 'aggregate': 'fast',
             'decisions': 1, 'examples': ['req-1']},
            first['groups']['aggregate'][0],
        )
        self.assertEqual(['a note'], document['notes'])

    def test_new_gaps(self):
        """What lacks under another configuration alone is a line of its."""
        changes = samples.changes()
        changes[0] = dataclasses.replace(changes[0], gaps=['a', 'b'])
        changes[1] = dataclasses.replace(changes[1], gaps=['a'])
        result = samples.result(*changes, gaps={('x', 1): ['b']})
        self.assertEqual([
            'new.conf: missing for 2 decisions: a',
            'new.conf: missing for 1 decision: the seed of a draw among '
            'equal hosts',
        ], list(report.list_new_gaps(result)))

    def test_page(self):
        """The page has the same rows, no script, and nothing from outside."""
        text = page.render(self.result)
        self.assertNotIn('<script', text)
        self.assertNotIn('script-src', text)
        self.assertNotIn('http', text.replace('http-equiv', ''))
        for wanted in ('isolated (IsolatedHostsFilter)', 'req-1', 'a note'):
            self.assertIn(wanted, text)

    def test_examples(self):
        """What would not be placed comes first; each example has a line."""
        lost, same, gained = samples.changes()
        text = page.render(samples.result(gained, same, lost, lost))
        examples = text[text.index('<details>'):text.index('</details>')]
        self.assertIn('3 changed decisions', examples)
        self.assertLess(examples.index('req-1'), examples.index('req-3'))
        two = samples.changes()[0]
        two = dataclasses.replace(two, original=dataclasses.replace(
            two.original, request_id='req-2',
        ))
        self.assertIn(
            '<td class="whole">req-1<br>req-2</td>',
            page.render(samples.result(lost, two)),
        )

    def test_scale(self):
        """The day says what a bar is, and how high."""
        for seconds, span in ((96 * 90, '1.5 min'), (96 * 7200, '2.0 h'),
                              (48, '0.5 s')):
            changes = [
                dataclasses.replace(change, original=dataclasses.replace(
                    change.original, time=time,
                )) for change, time in zip(
                    samples.changes(), (0.0, 0.0, float(seconds)), strict=True
                )
            ]
            day = page.draw_day(samples.result(*changes).outcomes[0])
            self.assertEqual(
                f'a bar is {span}; the highest has 2 decisions', day.scale
            )

    def test_day(self):
        """The heights of a part of the day are its decisions."""
        segments = page.draw_day(self.result.outcomes[0]).segments
        self.assertEqual(
            [(0, 'placed_none'), (48, 'same'), (95, 'none_placed')],
            [(each.x, each.kind) for each in segments],
        )
        self.assertEqual({page.HEIGHT}, {each.height for each in segments})
