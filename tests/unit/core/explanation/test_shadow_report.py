"""Print what a shadow has written, and say whether it follows."""

import dataclasses
import json

import testtools

from nova_ext.core.decision.transition import LOST, UNVERIFIED
from nova_ext.core.explanation import shadow_report
from nova_ext.replay.shadow.tally import Tally
from tests.unit.core.explanation import shadow_samples as samples


class ShadowReportTest(testtools.TestCase):
    """A report of two hosts."""

    def note(self, now, suspects='its process', **fields):
        """Return the last line below the table."""
        report = shadow_report.serialize(samples.tally(**fields))
        report |= shadow_report.judge(report, samples.AT_S + now)
        return list(shadow_report.list_notes(report, suspects))[-1]

    def test_state(self):
        """It follows, has ended, or gives no sign."""
        self.assertEqual(
            'it follows; its last sign, due every 30 s, is 31 s old',
            self.note(31),
        )
        # Its clock is ahead.
        self.assertIn('is 0 s old', self.note(-5))
        self.assertEqual(
            f'no sign of it since {samples.AT}: its process has died',
            self.note(91),
        )
        self.assertIn('a or b has died', self.note(500, 'a or b'))
        self.assertEqual(
            f'it ended at {samples.AT}: it was stopped',
            self.note(500, end='it was\nstopped'),
        )

    def test_shown(self):
        """What concerns the shadow alone is not shown."""
        report = shadow_report.serialize(samples.tally())
        self.assertNotIn('hidden', json.dumps(report))
        self.assertEqual({'change', 'positions', 'version'}, {
            field.name for field in dataclasses.fields(Tally)
        } - set(report))
        self.assertEqual(2, report['requests'])
        self.assertEqual(
            ['cmp-2', 'cmp-1'],
            [row[0] for row in shadow_report.build_table(report)],
        )

    def test_exit_status(self):
        """As of a replay."""
        for fields, status in (
            ({}, 0), ({'transitions': {'placed_none': 1}}, LOST),
            ({'unverified': 'x'}, UNVERIFIED),
            ({'verified': {'differences': 1}}, UNVERIFIED),
        ):
            report = shadow_report.serialize(samples.tally(**fields))
            self.assertEqual(status, shadow_report.get_exit_status(report))

    def test_others(self):
        """What no shadow has written is told apart, whatever it holds."""
        self.assertEqual(
            samples.tally(), shadow_report.read_tally(samples.text())
        )
        for text in (
            '', '[]', '7', '{', '[' * 100000, samples.text(version=2),
            samples.text(updated='now'), samples.text(updated=7),
            samples.text(since=1e99), samples.text(since='x'),
            samples.text(transitions=[]), samples.text(skipped=[{}]),
            samples.text(transitions={'a': 'b'}), samples.text(name=None),
            samples.text(hosts=7), samples.text(causes={'a': 1}),
            samples.text(end=5),
        ):
            self.assertIsNone(shadow_report.read_tally(text), text[:99])
