"""Request rehearsals over HTTP."""

from nova_ext.core.rpc.rehearsal import RehearsalRequest
from tests.unit.api.base import ApiTestCase


class RehearsalsTest(ApiTestCase):
    """Send POST /v1/rehearsals."""

    def rehearse(self, who='admin', status=200, **fields):
        """Send a request."""
        return self.post('/v1/rehearsals', {
            'rehearsal': {'hosts': ['cmp-1'], 'is_loss': True, **fields}
        }, who, status)

    def test_continued(self):
        """What an answer has can be sent back to go on."""
        first = self.rehearse()['rehearsal']
        self.assertEqual((2, 2), (len(first['moves']), first['remaining']))
        second = self.rehearse(moved=first['moves'])['rehearsal']
        self.assertEqual(0, second['remaining'])
        request = self.backends.fake.asked
        self.assertIsInstance(request, RehearsalRequest)
        self.assertEqual(
            first['moves'], [vars(move) for move in request.moved]
        )

    def test_wrong(self):
        """What does not fit is refused."""
        for fields in (
            {'hosts': []}, {'hosts': ['']}, {'order': 'random'},
            {'is_loss': 'yes'}, {'moved': [{}]}, {'more': 1},
        ):
            self.rehearse(status=400, **fields)

    def test_personas(self):
        """It tells of hosts, and of all projects: to operators."""
        for who in ('reader', 'member', 'nobody', 'manager'):
            self.rehearse(who, 403)
        self.rehearse('auditor')
