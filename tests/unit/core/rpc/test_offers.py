"""Questions for offers, and answers, as plain data."""

import json

import testtools

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc import offers as o
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest

ID = 'req-11111111-2222-3333-4444-555555555555'
OTHER = 'req-11111111-2222-3333-4444-555555555556'
ROOM = o.HeldRoom('h', 'n', {'p': {'VCPU': 1}}, 512, 1024, 1, 'owner', 7)
REQUEST = BootRequest(BootFlavor(1, 512))


class OffersTest(testtools.TestCase):
    """What crosses RPC."""

    def test_there_and_back(self):
        """Every field survives."""
        for message in (
            o.OfferQuestion(REQUEST, [ID, OTHER], [ROOM], 7.5),
            o.OfferAnswer([o.Slot(ID, 3, '7.x', ROOM)], {'placement': 2}, 9),
            o.OfferAnswer([]),
        ):
            data = json.loads(json.dumps(plain_data.dump_sparse(message)))
            self.assertEqual(message, type(message).from_dict(data))

    def test_refused(self):
        """One line says what is wrong with a question."""
        good = plain_data.dump_sparse(o.OfferQuestion(REQUEST, [ID]))
        for change, words in (
            ({'request_ids': []}, 'not 1 to 100 different'),
            ({'request_ids': [ID, ID]}, 'not 1 to 100 different'),
            ({'request_ids': ['req-1']}, 'is no "req-" and a UUID'),
            ({'request_ids': [f'{ID}\n']}, 'is no "req-" and a UUID'),
            ({'request_ids': 'req'}, 'str where list belongs'),
            ({'request': {**good['request'], 'count': 2}}, 'one server'),
            ({'request': {**good['request'], 'availability_zone': 'a:h'}},
             'names a host'),
            ({'held': [{}]}, 'missing'),
            ({'paths': []}, 'OfferQuestion has no paths'),
            ({'deadline_s': float('nan')}, 'deadline_s is nan'),
        ):
            error = self.assertRaises(
                WrongArgumentsError, o.OfferQuestion.from_dict,
                {**good, **change},
            )
            self.assertIn(words, str(error))
            self.assertNotIn('\n', str(error))
