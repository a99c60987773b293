"""Findings and the exit status that they lead to."""

import testtools

from nova_ext.core.finding import Finding, Severity, exit_status


def finding(severity):
    """A finding of a severity."""
    return Finding('some-id', Severity(severity), 'what', 'why', 'fix')


class ExitStatusTest(testtools.TestCase):
    """The worst finding decides."""

    def test_worst(self):
        """None and notes are 0, warnings 3, errors 4, in any order."""
        for severities, expected in (
            ((), 0), (('note',), 0), (('warning', 'note'), 3),
            (('note', 'error', 'warning'), 4),
        ):
            self.assertEqual(
                expected, exit_status(map(finding, severities)), severities
            )
