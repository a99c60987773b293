"""How often Nova's databases are read to complete decisions."""

from types import SimpleNamespace

import fixtures

from nova_ext.scheduler.completion.completion import Completion
from tests.unit.record import samples
from tests.unit.scheduler import configured


class CompletionTest(configured.ConfiguredTestCase):
    """Over a cloud that gets one more host with each look at it."""

    def setUp(self):
        """Count the looks."""
        super().setUp()
        self.hosts = ['seen']

        def mapped():
            self.hosts.append(f'absent-{len(self.hosts)}')
            return list(self.hosts)

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.facts.nodes.mapped', mapped
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.facts.nova_facts.NovaFacts.ailing_services',
            lambda self: {},
        ))

    def absent(self, *ways):
        """Hosts that are added to one decision after the other."""
        completion = Completion()
        told = []
        for way in ways:
            closed = SimpleNamespace(
                hosts=['seen'], decision=samples.failure()
            )
            getattr(completion, way)(closed)
            told.append(closed.decision.absent.hosts)
        return told

    def test_read_once(self):
        """Failures come in storms; successes keep a list of their own."""
        self.assertEqual(
            [['absent-1'], ['absent-1'], ['absent-1', 'absent-2'],
             ['absent-1', 'absent-2'], ['absent-1']],
            self.absent('add_absent', 'add_absent', 'count_absent',
                        'count_absent', 'add_absent'),
        )

    def test_read_again(self):
        """When the age is reached."""
        for age in ('HOSTS_AGE_S', 'COUNTED_AGE_S'):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.scheduler.completion.completion.{age}', 0
            ))
        self.absent('add_absent', 'add_absent', 'count_absent')
        self.assertEqual('absent-3', self.hosts[-1])
