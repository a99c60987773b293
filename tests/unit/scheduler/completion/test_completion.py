"""Read Nova's databases seldom to complete decisions."""

import time
from types import SimpleNamespace

import fixtures
from oslo_utils import timeutils

from nova_ext.scheduler.completion.completion import Completion
from tests.unit.record import samples
from tests.unit.scheduler import configured

_SEEN = SimpleNamespace(host='seen')


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
            'nova_ext.scheduler.facts.nova_facts.NovaFacts.list_disabled_services',
            lambda facts: self.services,
        ))
        self.services = {}

    def absent(self, *methods):
        """Return hosts that are added to one decision after the other."""
        completion = Completion()
        hosts = []
        for method in methods:
            closed = SimpleNamespace(
                host_states=[_SEEN], decision=samples.failure(),
                ended_at=time.time(),
            )
            getattr(completion, method)(closed)
            hosts.append(closed.decision.absent.hosts)
        return hosts

    def test_read(self):
        """Read after each failure, and once for successes."""
        self.assertEqual(
            [['absent-1'], ['absent-1', 'absent-2'],
             ['absent-1', 'absent-2', 'absent-3'],
             ['absent-1', 'absent-2', 'absent-3']],
            self.absent('add_absent', 'add_absent', 'count_absent',
                        'count_absent'),
        )

    def test_several_nodes(self):
        """Of a host with several nodes the list says nothing."""
        for method in ('add_absent', 'count_absent'):
            decision = samples.failure()
            decision.absent = decision.hosts_total = None
            getattr(Completion(), method)(SimpleNamespace(
                host_states=[_SEEN, _SEEN], decision=decision,
                ended_at=time.time(),
            ))
            self.assertIsNone(decision.absent)
            self.assertIsNone(decision.hosts_total)

    def test_read_again(self):
        """Read again when the list is too old."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.completion.completion.COUNTED_AGE_S', 0
        ))
        self.absent('count_absent', 'count_absent')
        self.assertEqual('absent-2', self.hosts[-1])

    def test_late(self):
        """Tell nothing of services that were read too late."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.completion.completion.FACTS_WITHIN_S', 60
        ))
        for age_s, details in ((0, {'absent-1': 'and is disabled'}), (90, {})):
            self.hosts = ['seen']
            closed = SimpleNamespace(
                host_states=[_SEEN], decision=samples.failure(),
                ended_at=time.time() - age_s,
            )
            self.services = {'absent-1': {
                'disabled': True, 'last_seen_up': timeutils.utcnow(),
            }}
            Completion().add_absent(closed)
            self.assertEqual(details, closed.decision.absent.details)

    def test_clock_set_back(self):
        """Tell nothing of other hosts where the list is of before."""
        closed = SimpleNamespace(
            host_states=[_SEEN], decision=samples.failure(),
            ended_at=time.time() + 60,
        )
        closed.decision.hosts_total = closed.decision.absent = None
        Completion().add_absent(closed)
        self.assertIsNone(closed.decision.hosts_total)
        self.assertIsNone(closed.decision.absent)
