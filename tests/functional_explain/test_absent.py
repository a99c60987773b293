"""Hosts that placement does not offer, and what ails their services."""

import fixtures

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler.facts import nova_facts
from tests.functional import base


class AbsentTest(base.CloudTestCase):
    """cmp-1 is disabled with a reason, cmp-2 is down."""

    def configure(self):
        """Have quotas stop nobody."""
        self.flags(group='quota', ram=-1)

    def setUp(self):
        """Have an operator do so."""
        super().setUp()
        self.disable('cmp-1', reason='disk swap')
        self.take_down('cmp-2')

    def test_disabled(self):
        """No filter sees the host, and the sentence says why all the same."""
        self.boot({'requested_host': 'cmp-1'}, expected_state='ERROR')
        (decision,) = self.decisions()
        self.assertEqual(
            '0/3 hosts: 1 no candidate from placement and is disabled by an '
            'operator: disk swap, 1 down as forced_down is set '
            '(ComputeFilter), 1 requested_host is cmp-1 '
            '(SpecifiedHostFilter)', explain(decision).sentence,
        )
        self.assertEqual(
            '0/3 hosts: 1 no candidate from placement, 1 down '
            '(ComputeFilter), 1 requested_host is cmp-1 '
            '(SpecifiedHostFilter)', explain(
                decision, hosts=False, reader=decision.user_id
            ).sentence,
        )

    def test_enabled_since(self):
        """What was read for an earlier failure is not told of a later one."""
        for disabled in (True, False, True):
            self.disable('cmp-1', disabled, reason='disk swap' * disabled)
            self.too_big()
            decision = self.decisions()[-1]
            self.assertEqual(
                ['cmp-1'] * disabled, list(decision.absent.details)
            )

    def test_success(self):
        """Disabled hosts are named."""
        self.boot()
        (decision,) = self.decisions()
        self.assertEqual(
            'cmp-3 chosen from 1 of 3 hosts: 1 no candidate from placement '
            'and is disabled by an operator: disk swap, 1 down as forced_down '
            'is set (ComputeFilter)', explain(decision).sentence,
        )

    def test_each(self):
        """What differs from host to host stands in the table."""
        self.too_big()
        (decision,) = self.decisions()
        explained = explain(decision)
        self.assertIn(
            ': 3 no candidate from placement', explained.sentence
        )
        (row,) = explained.rows
        self.assertEqual(
            'no candidate from placement and is disabled by an operator: '
            'disk swap (cmp-1)', row.reason,
        )
        self.assertEqual({'cmp-1'}, set(row.reasons))
        for row in explain(decision, hosts=False).rows:
            self.assertEqual(
                ('no candidate from placement', {}), (row.reason, row.reasons)
            )

    def test_cells_fail(self):
        """The decision is recorded without it."""
        def fail(self):
            raise ZeroDivisionError('in a cell')

        with fixtures.MonkeyPatch(
            f'{nova_facts.__name__}.NovaFacts.list_disabled_services', fail
        ):
            self.too_big()
            (decision,) = self.decisions()
        self.assertEqual(
            (3, {}), (decision.absent.count, decision.absent.details)
        )

    def too_big(self):
        """Ask for more than any host has."""
        flavor = self._create_flavor(memory_mb=30000)
        self.boot(
            flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
            expected_state='ERROR',
        )


class KeptOutTest(base.CloudTestCase):
    """cmp-1 and cmp-4 are in zone west, cmp-4 is isolated, cmp-2 in east."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4')

    def configure(self):
        """Aggregates that require a trait are for such requests alone."""
        self.flags(enable_isolated_aggregate_filtering=True, group='scheduler')

    def setUp(self):
        """Have an operator do so."""
        super().setUp()
        self.aggregate('rack-7', 'cmp-1', 'cmp-4', availability_zone='west')
        self.aggregate('rack-8', 'cmp-2', availability_zone='east')
        self.aggregate('gpu', 'cmp-4', **{'trait:CUSTOM_GPU': 'required'})

    def aggregate(self, name, *hosts, **metadata):
        """A host aggregate with metadata."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': name}}
        )
        self.admin_api.api_post(f'/os-aggregates/{aggregate["id"]}/action', {
            'set_metadata': {'metadata': metadata},
        })
        for host in hosts:
            self.add_to_aggregate(aggregate['id'], host)

    def fails(self, **asked):
        """A decision on a boot that finds no host."""
        self.boot({'requested_host': 'x'}, expected_state='ERROR', **asked)
        return self.decisions()[-1]

    def test_zone(self):
        """Some hosts are offered, and it is told where the others are."""
        decision = self.fails(availability_zone='west')
        self.assertEqual(
            '0/4 hosts: 2 not in availability zone west, 1 kept for others by '
            'aggregate gpu, 1 requested_host is x (SpecifiedHostFilter)',
            explain(decision).sentence,
        )
        self.assertEqual(
            '0/4 hosts: 2 not in availability zone west, 1 kept for others, 1 '
            'requested_host is x (SpecifiedHostFilter)',
            explain(
                decision, hosts=False, reader=decision.user_id
            ).sentence,
        )
        self.assertEqual(
            [['cmp-2', 'cmp-3'], ['cmp-4']],
            [sorted(kept.hosts) for kept in decision.kept_out],
        )

    def test_ailing(self):
        """What else keeps such a host out is told, too."""
        self.disable('cmp-4', reason='disk swap')
        self.assertIn(
            '1 kept for others by aggregate gpu and is disabled by an '
            'operator: disk swap', explain(self.fails()).sentence,
        )

    def test_moved_since(self):
        """Aggregates are read after each failure."""
        self.assertEqual(2, self.fails(availability_zone='west').kept_out[
            0].count)
        self.aggregate('rack-9', 'cmp-3', availability_zone='west')
        self.assertEqual(1, self.fails(availability_zone='west').kept_out[
            0].count)

    def test_success(self):
        """Zones and aggregates are named, as of a failure."""
        self.boot(availability_zone='west')
        (decision,) = self.decisions()
        self.assertEqual(
            'cmp-1 chosen from 1 of 4 hosts: 2 not in availability zone west, '
            '1 kept for others by aggregate gpu', explain(decision).sentence,
        )

    def test_unreadable(self):
        """The hosts are counted without a reason."""
        def fail(novas):
            raise ZeroDivisionError('in a cell')

        with fixtures.MonkeyPatch(
            f'{nova_facts.__name__}.NovaFacts.list_aggregates', fail
        ):
            decision = self.fails(availability_zone='west')
        self.assertEqual((3, []), (decision.absent.count, decision.kept_out))


class LimitTest(base.CloudTestCase):
    """All hosts are there."""

    def test_limit(self):
        """A success tells that not all hosts were considered."""
        self.flags(max_placement_results=2, group='scheduler')
        self.boot()
        (decision,) = self.decisions()
        explained = explain(decision)
        self.assertIn(
            ' chosen from 2 of 3 hosts: 1 no candidate from placement or cut '
            'off by max_placement_results 2', explained.sentence,
        )
        self.assertIn(
            'placement gave 2 candidates, all that max_placement_results lets '
            'through: hosts that are not among them were not considered; to '
            'tell which, ask placement the same without limit, or raise '
            '[scheduler] max_placement_results',
            explained.notes,
        )


class StockKeptOutTest(KeptOutTest):
    """A stock nova-scheduler: the request shows what prefilters added."""

    manager = None
