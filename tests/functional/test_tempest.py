"""Tempest tests a lab, as it would any cloud."""

from tests.lab import base


class TempestTest(base.LabTestCase):
    """Our plugin, in a lab whose policy is the default one."""

    up = (
        '--set', 'nova_ext.scheduler_driver=IPScheduler',
        '--set', 'nova_ext.policy_file=absent.yaml',
    )

    def test_plugin(self):
        """Hints, groups, refusal, log and record; none is skipped."""
        told = self.run_in_lab('tempest', 'run', '--regex', 'nova_ext')
        self.assertIn(' - Passed: 6\n', told)
        self.assertIn(' - Skipped: 0\n', told)


class RabbitTempestTest(base.RabbitTestCase):
    """The same tests, with a broker and the policy open to everyone."""

    up = ('--broker', 'rabbit')

    def test_plugin(self):
        """What needs IPScheduler and a closed policy is skipped."""
        told = self.run_in_lab('tempest', 'run', '--regex', 'nova_ext')
        self.assertIn(' - Passed: 4\n', told)
        self.assertIn(' - Failed: 0\n', told)
