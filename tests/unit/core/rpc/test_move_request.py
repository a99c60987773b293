"""Describe moves."""

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.move_request import Move, MoveRequest


class MoveRequestTest(testtools.TestCase):
    """A request holds what its operation takes, and no more."""

    def test_fields(self):
        """Each operation with what it takes."""
        for operation, fields in (
            (Move.MIGRATE, {'host': 'h'}), (Move.LIVE_MIGRATE, {'host': 'h'}),
            (Move.EVACUATE, {'host': 'h'}), (Move.UNSHELVE, {'host': 'h'}),
            (Move.RESIZE, {'flavor': '2'}),
            (Move.REBUILD, {'image': {'id': 'i'}}),
        ):
            request = MoveRequest('s', operation, **fields)
            self.assertEqual(
                request, MoveRequest.from_dict(request.to_dict())
            )

    def test_wrong(self):
        """One line each says what is wrong."""
        for words, fields in (
            ('operation is none of migrate, live-migrate', ('fly',)),
            ('migrate takes no flavor; resize may', ('migrate', '2')),
            ('resize takes no host; migrate, live-', ('resize', '2', 'h')),
            ('evacuate takes no image; rebuild may',
             ('evacuate', '', '', {'id': 'i'})),
            ('resize needs a flavor', ('resize',)),
            ('rebuild needs an image', ('rebuild',)),
        ):
            error = self.assertRaises(
                WrongArgumentsError, MoveRequest, 's', *fields
            )
            self.assertIn(words, str(error))
