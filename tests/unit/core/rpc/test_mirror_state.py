"""Read what a worker tells of its mirror."""

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.mirror_state import MirrorState

WITHOUT = {'host': 'one', 'worker': 7, 'mode': 'off', 'state': 'off'}
LOADED = {
    'host': 'one', 'worker': 7, 'mode': 'on', 'state': 'on', 'reason': '',
    'age_s': 1.5, 'hosts': 3, 'providers': 5, 'providers_read': 4,
    'refusing': ['u1'], 'decided': 9, 'verified': 0, 'differing': 0,
    'fallbacks': {'move': 2},
}


class MirrorStateTest(testtools.TestCase):
    """Read states, and write them."""

    def test_both_ways(self):
        """It is what it was; fields of later versions are left out."""
        for state in WITHOUT, LOADED:
            self.assertEqual(
                state, MirrorState.from_dict({**state, 'later': 1}).to_dict()
            )

    def test_malformed(self):
        """What is no state is refused."""
        for fields in (
            {'host': None}, {'worker': '7'}, {'worker': True}, {'worker': -1},
            {'age_s': '1'}, {'decided': 1.5}, {'refusing': [1]},
            {'fallbacks': {'move': -1}}, {'state': 'x' * 256},
            {'host': 'a\x1b[2J'}, {'reason': 'x' * 10001},
            {'fallbacks': {'x' * 100001: 1}}, {'refusing': ['u' * 36] * 3000},
        ):
            self.assertRaises(
                WrongArgumentsError, MirrorState.from_dict,
                {**LOADED, **fields},
            )
        self.assertRaises(WrongArgumentsError, MirrorState.from_dict, [])
