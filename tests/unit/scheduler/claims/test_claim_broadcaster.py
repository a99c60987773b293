"""Tell other schedulers of claims."""

import json
import threading

import fixtures
import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.scheduler.claims import claim_broadcaster

CLAIM = {'p1': {'resources': {'VCPU': 2}}}


class ClaimBroadcasterTest(testtools.TestCase):
    """Cast to a list, by a bus that can be held up."""

    def setUp(self):
        """Start it."""
        super().setUp()
        self.logger = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.sent, self.errors = [], []
        self.free = threading.Event()
        self.free.set()
        self.arrived = threading.Semaphore(0)
        self.broadcaster = claim_broadcaster.ClaimBroadcaster(self.cast)
        self.broadcaster.start()
        self.addCleanup(self.broadcaster._thread.join, 30)
        self.addCleanup(self.broadcaster.stop)
        self.addCleanup(self.free.set)

    def cast(self, context, method, worker, claims):
        """Take a message."""
        self.arrived.release()
        self.free.wait(30)
        if self.errors:
            raise self.errors.pop()
        self.assertEqual(
            ('take_claims', self.broadcaster.worker), (method, worker)
        )
        self.sent.append(claims)

    def await_message(self):
        """Wait until the bus has a message in hand."""
        self.assertTrue(self.arrived.acquire(timeout=30))

    def test_worker(self):
        """Each worker has a name of its own, which the master has not."""
        other = claim_broadcaster.ClaimBroadcaster(self.cast)
        self.assertEqual('', other.worker)
        other.start()
        self.addCleanup(other.stop)
        self.assertNotIn(other.worker, ('', self.broadcaster.worker))

    def test_batches(self):
        """What waits meanwhile is told together, at most 100 in a message."""
        self.free.clear()
        self.broadcaster.put({**CLAIM, 'p2': {'resources': {'DISK_GB': 1}}})
        self.await_message()
        for _ in range(claim_broadcaster.MAX_ANNOUNCED + 1):
            self.broadcaster.put(CLAIM)
        self.free.set()
        self.await_message()
        self.await_message()
        self.broadcaster.stop()
        self.broadcaster._thread.join(30)
        told = [claim for message in self.sent for claim in message]
        self.assertEqual(claim_broadcaster.MAX_ANNOUNCED + 3, len(told))
        self.assertEqual(('p1', {'VCPU': 2}), told[0])
        self.assertIn(('p2', {'DISK_GB': 1}), told)
        self.assertEqual(
            claim_broadcaster.MAX_ANNOUNCED, max(map(len, self.sent))
        )

    def test_full(self):
        """Claims beyond those that wait are dropped; nobody waits for it."""
        self.free.clear()
        self.broadcaster.put(CLAIM)
        self.await_message()
        for _ in range(claim_broadcaster.MAX_WAITING + 50):
            self.broadcaster.put(CLAIM)
        self.assertEqual(
            claim_broadcaster.MAX_WAITING, self.broadcaster._waiting.qsize()
        )

    def test_failure(self):
        """A bus that fails costs a line a minute, and no further message."""
        self.errors += [OSError('no broker'), OSError('no broker')]
        for _ in range(3):
            self.broadcaster.put(CLAIM)
            self.await_message()
        self.broadcaster.stop()
        self.broadcaster._thread.join(30)
        self.assertEqual([[('p1', {'VCPU': 2})]], self.sent)
        self.assertEqual(
            'Other schedulers were not told of claims: no broker\n',
            self.logger.output,
        )


class ParseTest(testtools.TestCase):
    """Read what another scheduler tells."""

    def test_claims(self):
        """It is as it was told."""
        told = [('p1', {'VCPU': 2}), ('p2', {})]
        self.assertEqual(
            told, claim_broadcaster.parse(json.loads(json.dumps(told)))
        )

    def test_malformed(self):
        """All else is refused."""
        for claims in (
            None, {}, 'p1', [None], ['p1'], [['p1']], [['p1', []]],
            [[1, {}]], [[['p1'], {}]], [['p1', {'VCPU': True}]],
            [['p1', {'VCPU': -1}]], [['p1', {'VCPU': 1.0}]],
            [['p1', {'VCPU': 2 ** 31}]], [['p1', {1: 1}]], [['p1', {}, 1]],
            [['p1', {}]] * (claim_broadcaster.MAX_ANNOUNCED + 1),
            [['p' * 256, {}]], [['p1', {'C' * 256: 1}]],
            [['p1', dict.fromkeys(map(str, range(65)), 1)]],
        ):
            self.assertRaises(
                WrongArgumentsError, claim_broadcaster.parse, claims
            )
