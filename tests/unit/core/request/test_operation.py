"""Operations, by the marks that they leave in a request."""

import testtools

from nova_ext import testing
from nova_ext.core.request.operation import Operation, get_operation

MARK = {'_nova_check_type': 'rebuild'}
FORCED = {'force_hosts': ['cmp-1'], 'force_nodes': ['cmp-1']}


class SetDestination(testing.FakeDestination):
    """Set every field, to nothing."""

    def __contains__(self, name):
        return True


class OperationTest(testtools.TestCase):
    """Every operation leaves its own marks in the request."""

    def test_operations(self):
        """One request for each operation."""
        destination = testing.FakeDestination
        for expected, fields in (
            (Operation.FIRST_BOOT, {}),
            # An aggregate prefilter makes an empty destination.
            (Operation.FIRST_BOOT, {'requested_destination': destination()}),
            (Operation.MOVE, {'ignore_hosts': ['cmp-1']}),
            (Operation.MOVE, {
                'ignore_hosts': ['cmp-1'],
                'requested_destination': destination(cell='cell1'),
            }),
            (Operation.RETURN, {
                'requested_destination': destination(cell='cell1'),
            }),
            (Operation.RETURN, {
                'requested_destination': destination(
                    allow_cross_cell_move=True
                ),
            }),
            (Operation.PINNED, {'force_hosts': ['cmp-1']}),
            (Operation.PINNED, {'force_nodes': ['cmp-1']}),
            (Operation.PINNED, {
                'requested_destination': destination(host='cmp-1'),
            }),
            (Operation.REBUILD, {**FORCED, 'hints': MARK}),
            (Operation.PINNED, {**FORCED, 'hints': MARK, 'force_nodes': []}),
            (Operation.PINNED, {**FORCED, 'hints': MARK, 'force_hosts': []}),
            (Operation.FIRST_BOOT, {'hints': MARK}),
            (Operation.MOVE, {'hints': MARK, 'ignore_hosts': ['cmp-1']}),
            # Nova sets the field to None, too.
            (Operation.FIRST_BOOT, {
                'requested_destination': SetDestination(),
            }),
        ):
            request = testing.make_request(**fields)
            self.assertIs(expected, get_operation(request), fields)
