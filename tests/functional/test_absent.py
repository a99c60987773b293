"""Hosts that placement does not offer, and what ails their services."""

import fixtures

from nova_ext.core.explain import explain
from tests.functional import base


class AbsentTest(base.CloudTestCase):
    """cmp-1 is disabled with a reason, cmp-2 is down."""

    def setUp(self):
        """Have an operator do so."""
        super().setUp()
        self.disable('cmp-1', reason='disk swap')
        self.take_down('cmp-2')

    def test_disabled(self):
        """No filter sees the host, and the sentence says why all the same."""
        self.boot({'requested_host': 'cmp-1'}, expected_state='ERROR')
        (made,) = self.decisions()
        self.assertEqual(
            '0/3 hosts: 1 no candidate from placement and is disabled by an '
            'operator: disk swap, 1 down as forced_down is set '
            '(ComputeFilter), 1 requested_host is cmp-1 '
            '(SpecifiedHostFilter)', explain(made).sentence,
        )
        self.assertEqual(
            '0/3 hosts: 1 no candidate from placement, 1 down '
            '(ComputeFilter), 1 requested_host is cmp-1 '
            '(SpecifiedHostFilter)', explain(made, hosts=False).sentence,
        )

    def test_success(self):
        """Hosts that it could not have are counted, and no service read."""
        self.boot()
        (made,) = self.decisions()
        self.assertEqual(
            'cmp-3 chosen from 1 of 3 hosts: 1 no candidate from placement, 1 '
            'down as forced_down is set (ComputeFilter)',
            explain(made).sentence,
        )
        self.assertEqual((1, {}), (made.absent.count, made.absent.details))

    def test_each(self):
        """What differs from host to host stands in the table."""
        self.too_big()
        (made,) = self.decisions()
        explained = explain(made)
        self.assertIn(
            ': 3 no candidate from placement', explained.sentence
        )
        (row,) = explained.rows
        self.assertEqual(
            'no candidate from placement and is disabled by an operator: '
            'disk swap (cmp-1); and is down as forced_down is set (cmp-2)',
            row.reason,
        )
        self.assertEqual({'cmp-1', 'cmp-2'}, set(row.reasons))
        for row in explain(made, hosts=False).rows:
            self.assertEqual(
                ('no candidate from placement', {}), (row.reason, row.reasons)
            )

    def test_cells_fail(self):
        """The decision is recorded without it."""
        def fail(self):
            raise ZeroDivisionError('in a cell')

        with fixtures.MonkeyPatch(
            'nova_ext.scheduler.facts.NovaFacts.ailing_services', fail
        ):
            self.too_big()
            (made,) = self.decisions()
        self.assertEqual(
            (3, {}), (made.absent.count, made.absent.details)
        )

    def too_big(self):
        """Ask for more than any host has."""
        flavor = self._create_flavor(memory_mb=30000)
        self.boot(
            flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
            expected_state='ERROR',
        )


class LimitTest(base.CloudTestCase):
    """All hosts are there."""

    def test_limit(self):
        """A success tells that not all hosts were considered."""
        self.flags(max_placement_results=2, group='scheduler')
        self.boot()
        (made,) = self.decisions()
        explained = explain(made)
        self.assertIn(
            ' chosen from 2 of 3 hosts: 1 no candidate from placement or cut '
            'off by max_placement_results 2', explained.sentence,
        )
        self.assertIn(
            'placement gave 2 candidates, all that max_placement_results lets '
            'through: hosts that are not among them were not considered',
            explained.notes,
        )
