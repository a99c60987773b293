"""Findings and the exit status that they lead to."""

import testtools

from nova_ext.core.base.finding import Finding, Severity, get_exit_status


def finding(severity):
    """Return a finding of a severity."""
    return Finding('some-id', Severity[severity.upper()], 'what', 'why', 'fix')


class ExitStatusTest(testtools.TestCase):
    """The worst finding decides."""

    def test_worst(self):
        """None and infos are 0, warnings 3, errors 4, in any order."""
        for severities, expected in (
            ((), 0), (('info',), 0), (('warning', 'info'), 3),
            (('info', 'error', 'warning'), 4),
        ):
            self.assertEqual(
                expected, get_exit_status(map(finding, severities)), severities
            )

    def test_json(self):
        """The severity is a word."""
        self.assertEqual('error', finding('error').to_dict()['severity'])
