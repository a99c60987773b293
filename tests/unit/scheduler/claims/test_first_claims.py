"""Claims for new servers."""

import functools
import json
from types import SimpleNamespace
from unittest import mock

import testtools
from keystoneauth1 import exceptions as keystone

from nova_ext.scheduler.claims import first_claims
from nova_ext.scheduler.claims.first_claims import Answer

CONTEXT = SimpleNamespace(global_id='req-1')


class Client:
    """Answers as placement does, one after the other."""

    def __init__(self, *answers):
        self.answers = [*answers]
        self.sent = []

    def post(self, url, claims, **kwargs):
        """Take a request."""
        self.sent.append((url, claims))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def refusal(status, code, detail=''):
    """Return an error of placement's."""
    return SimpleNamespace(status_code=status, json=lambda: {
        'errors': [{'code': code, 'detail': detail}],
    })


RACE = refusal(409, 'placement.concurrent_update', 'provider changed')
DONE = SimpleNamespace(status_code=204)


class FirstClaimsTest(testtools.TestCase):
    """POST /allocations."""

    def setUp(self):
        """Do not rest between attempts."""
        super().setUp()
        patch = mock.patch.object(first_claims, '_PAUSE_S', 0)
        patch.start()
        self.addCleanup(patch.stop)

    def post(self, *answers):
        """Claim; return what came of it, and the number of requests."""
        client = Client(*answers)
        claim = first_claims.make({'allocations': {}}, 'p', 'u')
        answer = first_claims.post(client, CONTEXT, {'server': claim})
        self.assertEqual({('/allocations', 'server')}, {
            (url, *claims) for url, claims in client.sent
        })
        return answer, len(client.sent)

    def test_make(self):
        """A claim is of a consumer that placement does not know yet."""
        self.assertEqual(
            {'allocations': {'rp': 1}, 'mappings': {}, 'project_id': 'p',
             'user_id': 'u', 'consumer_generation': None},
            first_claims.make(
                {'allocations': {'rp': 1}, 'mappings': {}}, 'p', 'u'
            ),
        )

    def test_claimed(self):
        """204 is a claim; another write in between is tried again."""
        self.assertEqual((Answer.CLAIMED, 1), self.post(DONE))
        self.assertEqual((Answer.CLAIMED, 3), self.post(RACE, RACE, DONE))

    def test_refused(self):
        """What does not fit is refused at once; races are, after four."""
        self.assertEqual((Answer.REFUSED, 1), self.post(
            refusal(409, 'placement.undefined_code', 'over capacity')
        ))
        self.assertEqual(
            (Answer.REFUSED, first_claims.ATTEMPTS), self.post(*[RACE] * 9)
        )

    def test_exists(self):
        """A consumer with allocations is told from a race."""
        self.assertEqual((Answer.EXISTS, 1), self.post(refusal(
            409, 'placement.concurrent_update',
            'consumer generation conflict - expected 1 but got null',
        )))

    def test_failed(self):
        """An answer for another reason than a host's tells that."""
        for status in (401, 403, 429):
            self.assertEqual(
                (Answer.FAILED, 1), self.post(refusal(status, 'policy'))
            )

    def test_unknown(self):
        """Without an answer, or with an error, nothing is known."""
        self.assertEqual(
            (Answer.UNKNOWN, 1), self.post(keystone.ConnectFailure())
        )
        self.assertEqual(
            (Answer.UNKNOWN, 1), self.post(refusal(503, ''))
        )
        for page in ('<', '[]', '{"errors": ["no"]}', '{"errors": []}'):
            answer = SimpleNamespace(
                status_code=409, json=functools.partial(json.loads, page)
            )
            self.assertEqual((Answer.UNKNOWN, 1), self.post(answer), page)
