"""Read Nova's databases seldom to complete decisions."""

from types import SimpleNamespace

import fixtures

from nova_ext.scheduler.completion.completion import Completion
from tests.unit.record import samples
from tests.unit.scheduler import configured


class CompletionTest(configured.ConfiguredTestCase):
    """Use a cloud that gets one more host with each read."""

    def setUp(self):
        """Count the reads."""
        super().setUp()
        self.hosts = ['seen']

        def mapped():
            self.hosts.append(f'absent-{len(self.hosts)}')
            return list(self.hosts)

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.facts.cells.list_mapped_hosts', mapped
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.facts.nova_facts.NovaFacts.list_ailing_services',
            lambda self: {},
        ))

    def absent(self, *methods):
        """Return hosts that are added to one decision after the other."""
        completion = Completion()
        hosts = []
        for method in methods:
            closed = SimpleNamespace(
                hosts=['seen'], decision=samples.failure()
            )
            getattr(completion, method)(closed)
            hosts.append(closed.decision.absent.hosts)
        return hosts

    def test_read_once(self):
        """Read once for failures, and once for successes."""
        self.assertEqual(
            [['absent-1'], ['absent-1'], ['absent-1', 'absent-2'],
             ['absent-1', 'absent-2'], ['absent-1']],
            self.absent('add_absent', 'add_absent', 'count_absent',
                        'count_absent', 'add_absent'),
        )

    def test_read_again(self):
        """Read again when the list is too old."""
        for age in ('HOSTS_AGE_S', 'COUNTED_AGE_S'):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.scheduler.completion.completion.{age}', 0
            ))
        self.absent('add_absent', 'add_absent', 'count_absent')
        self.assertEqual('absent-3', self.hosts[-1])
