"""Tempest tests a lab, as it would any cloud."""

from tests.lab import base

#: Seconds for Tempest, which tests one thing after the other.
DEADLINE_S = 900
IP_SCHEDULER = ('--set', 'nova_ext.scheduler_driver=IPScheduler')


class TempestTest(base.LabTestCase):
    """Our plugin, in a lab whose policy is open to everyone."""

    up = IP_SCHEDULER
    deadline_s = DEADLINE_S

    def test_plugin(self):
        """What needs a closed policy is skipped."""
        output = self.run_in_lab('tempest', 'run', '--regex', 'nova_ext')
        self.assertIn(' - Passed: 5\n', output)
        self.assertIn(' - Skipped: 1\n', output)
        self.assertIn(' - Failed: 0\n', output)


class RabbitTempestTest(base.RabbitTestCase):
    """The same tests, with a broker and the default policy."""

    up = (
        '--broker', 'rabbit', *IP_SCHEDULER,
        '--set', 'nova_ext.policy_file=absent.yaml',
    )
    deadline_s = DEADLINE_S

    def test_plugin(self):
        """Hints, groups, refusal, log and record; none is skipped."""
        output = self.run_in_lab('tempest', 'run', '--regex', 'nova_ext')
        self.assertIn(' - Passed: 6\n', output)
        self.assertIn(' - Skipped: 0\n', output)
