"""Telling why the scheduler is asked."""

import testtools

from nova_ext import testing
from nova_ext.core.occasion import Occasion, occasion

MARK = {'_nova_check_type': 'rebuild'}
FORCED = {'force_hosts': ['cmp-1'], 'force_nodes': ['cmp-1']}


class OccasionTest(testtools.TestCase):
    """Every operation leaves its own marks in the request."""

    def test_occasions(self):
        """One request for each occasion."""
        destination = testing.FakeDestination
        for expected, fields in (
            (Occasion.FIRST_BOOT, {}),
            # An aggregate prefilter makes an empty destination.
            (Occasion.FIRST_BOOT, {'requested_destination': destination()}),
            (Occasion.MOVE, {'ignore_hosts': ['cmp-1']}),
            (Occasion.MOVE, {
                'ignore_hosts': ['cmp-1'],
                'requested_destination': destination(cell='cell1'),
            }),
            (Occasion.RETURN, {
                'requested_destination': destination(cell='cell1'),
            }),
            (Occasion.RETURN, {
                'requested_destination': destination(
                    allow_cross_cell_move=True
                ),
            }),
            (Occasion.PINNED, {'force_hosts': ['cmp-1']}),
            (Occasion.PINNED, {'force_nodes': ['cmp-1']}),
            (Occasion.PINNED, {
                'requested_destination': destination(host='cmp-1'),
            }),
            (Occasion.REBUILD, {**FORCED, 'hints': MARK}),
            (Occasion.PINNED, {**FORCED, 'hints': MARK, 'force_nodes': []}),
            (Occasion.PINNED, {**FORCED, 'hints': MARK, 'force_hosts': []}),
            (Occasion.FIRST_BOOT, {'hints': MARK}),
            (Occasion.MOVE, {'hints': MARK, 'ignore_hosts': ['cmp-1']}),
        ):
            request = testing.make_request(**fields)
            self.assertIs(expected, occasion(request), fields)
