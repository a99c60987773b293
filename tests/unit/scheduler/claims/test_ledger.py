"""Hold claims until they were read."""

import testtools

from nova_ext.engine.providers import Provider
from nova_ext.scheduler.claims import ledger
from nova_ext.scheduler.claims.claim import ReleaseReason, State


class LedgerTest(testtools.TestCase):
    """Keep claims of two servers on one provider."""

    def setUp(self):
        """Claim at 10 and at 20 seconds."""
        super().setUp()
        self.claims = ledger.Ledger()
        for server, at in (('s1', 10.0), ('s2', 20.0)):
            self.claims.hold(server, {'p1': {'resources': {'VCPU': 2}}}, at)

    def test_observe(self):
        """A reading ends what was answered before it began."""
        self.assertEqual({'p1': {'VCPU': 4}}, self.amounts())
        self.read('p2', 99.0)
        # A stranger's write raised the generation.
        self.read('p1', 10.0, generation=99)
        self.assertEqual({'p1': {'VCPU': 4}}, self.amounts())
        self.read('p1', 10.1)
        self.assertEqual({'p1': {'VCPU': 2}}, self.amounts())
        self.assertEqual({'p1': 20.0}, self.claims.list_wanted())
        self.read('p1', 20.1)
        self.assertEqual({}, self.amounts())
        self.assertEqual({}, self.claims.list_wanted())

    def test_compact(self):
        """Older claims are one, which goes with a reading after the last."""
        self.claims.begin('s3', {'p1': {'resources': {'VCPU': 1}}}, 5.0)
        for at in (11.0, 12.0):
            self.claims.add_announced('p1', {'VCPU': 10}, at)
        self.claims.compact(15.0)
        self.assertEqual(4, len(self.claims.list_claims('p1')))
        self.claims.compact(25.0)
        self.assertEqual(3, len(self.claims.list_claims('p1')))
        self.assertEqual({'p1': {'VCPU': 25}}, self.amounts())
        self.assertEqual({'p1': {'VCPU': 5}}, self.claims.sum_up_own())
        self.assertEqual({'p1': 20.0}, self.claims.list_wanted())
        # Whose they are is not known any more.
        self.claims.mark_released('s1', ReleaseReason.NOVA)
        self.assertEqual({'p1': {'VCPU': 25}}, self.amounts())
        self.read('p1', 15.0)
        self.assertEqual({'p1': {'VCPU': 5}}, self.amounts())
        self.read('p1', 20.1)
        self.claims.cancel({'s3': {'allocations': {'p1': {}}}})
        self.assertEqual({}, self.amounts())

    def test_release(self):
        """A released claim is held no longer, and its provider read again."""
        self.claims.mark_released('s1', ReleaseReason.NOVA)
        self.claims.mark_released('unknown', ReleaseReason.NOVA)
        self.assertEqual({'p1': {'VCPU': 2}}, self.amounts())
        self.claims.mark_released('s2', ReleaseReason.NOVA)
        self.assertEqual({}, self.amounts())
        released_at = self.claims.list_wanted()['p1']
        self.read('p1', released_at)
        self.assertEqual({'p1': released_at}, self.claims.list_wanted())
        self.read('p1', released_at + 0.1)
        self.assertEqual({}, self.claims.list_wanted())

    def test_begin(self):
        """A claim that was begun is held once, answered or not."""
        for server in ('s1', 's3'):
            self.claims.begin(server, {'p1': {'resources': {'VCPU': 1}}}, 30.0)
        self.assertEqual({'p1': {'VCPU': 6}}, self.amounts())
        self.assertEqual({'p1': {'VCPU': 6}}, self.claims.sum_up_own())
        self.claims.hold('s3', {'p1': {'resources': {'VCPU': 1}}}, 40.0)
        self.assertEqual({'p1': {'VCPU': 6}}, self.amounts())
        # What the server has already is held still.
        self.claims.cancel({'s1': {'allocations': {'p1': {}, 'p2': {}}}})
        self.assertEqual({'p1': {'VCPU': 5}}, self.amounts())
        self.claims.cancel({'s3': {'allocations': {'p1': {}}}})
        self.assertEqual({'p1': {'VCPU': 5}}, self.amounts())

    def test_unanswered(self):
        """A claim is held until it is answered, whatever is read before."""
        allocations = {'p4': {'resources': {'VCPU': 1}}}
        self.claims.begin('s3', allocations, 30.0)
        self.assertNotIn('p4', self.claims.list_wanted())
        self.read('p4', 30.1)
        self.assertEqual({'VCPU': 1}, self.amounts()['p4'])
        self.claims.hold('s3', allocations, 30.2)
        self.assertEqual(30.2, self.claims.list_wanted()['p4'])
        self.read('p4', 30.3)
        self.assertNotIn('p4', self.amounts())

    def test_move(self):
        """What a server has is held on where its next claim ends."""
        allocations = {'p1': {'resources': {'VCPU': 1}}}
        for end in (
            lambda: self.claims.refuse('s1', allocations, 31.0),
            lambda: self.claims.cancel({'s1': {'allocations': allocations}}),
        ):
            self.claims.begin('s1', allocations, 30.0)
            self.assertEqual({'p1': {'VCPU': 5}}, self.amounts())
            end()
            self.assertEqual({'p1': {'VCPU': 4}}, self.amounts())

    def test_lost(self):
        """A claim without an answer is held until it has ended."""
        allocations = {'p4': {'resources': {'VCPU': 1}}}
        for end, held in (
            (lambda: self.claims.hold('s3', allocations, 32.0), True),
            (lambda: self.claims.mark_released(
                's3', ReleaseReason.NO_ANSWER), False),
            (lambda: self.claims.cancel(
                {'s3': {'allocations': allocations}}), False),
        ):
            self.claims.begin('s3', allocations, 30.0)
            self.claims.mark_unknown('s3', allocations)
            (claim,) = self.claims.list_claims('p4')
            self.assertIs(State.UNKNOWN, claim.state)
            self.read('p4', 31.0)
            self.assertEqual({'VCPU': 1}, self.amounts()['p4'])
            self.assertNotIn('p4', self.claims.list_wanted())
            end()
            self.assertEqual(held, 'p4' in self.amounts())
            # It may have been read while it was there.
            read_at = self.claims.list_wanted()['p4'] + 1
            self.read('p4', read_at)
            self.assertNotIn('p4', self.amounts())

    def test_refuse(self):
        """A provider that refused is left out until it was read."""
        self.claims.refuse('s9', {'p3': {}}, 30.0)
        self.read('p3', 30.0)
        self.assertEqual({'p3'}, self.claims.sum_up().refused)
        self.assertEqual(30.0, self.claims.list_wanted()['p3'])
        self.read('p3', 30.1)
        self.assertEqual(set(), self.claims.sum_up().refused)
        self.assertNotIn('p3', self.claims.list_wanted())

    def test_refuse_again_and_again(self):
        """After three refusals it is left out until it is another."""
        for at in 30.0, 40.0, 50.0:
            self.assertEqual([], self.claims.list_refusing())
            self.assertEqual(set(), self.claims.sum_up().refused)
            self.claims.refuse('s9', {'p3': {}}, at)
            self.read('p3', at + 0.1)
        self.assertEqual(['p3'], self.claims.list_refusing())
        self.assertNotIn('p3', self.claims.list_wanted())
        self.read('p3', 60.0)
        self.assertEqual({'p3'}, self.claims.sum_up().refused)
        self.read('p3', 70.0, used=1)
        self.assertEqual(set(), self.claims.sum_up().refused)
        self.assertEqual([], self.claims.list_refusing())

    def test_refuse_after_changes(self):
        """Refusals of a provider that changes in between do not add up."""
        for at in range(30, 90, 10):
            self.claims.refuse('s9', {'p3': {}}, at)
            self.read('p3', at + 1, used=at)
            self.assertEqual(set(), self.claims.sum_up().refused)

    def test_refuse_at_once(self):
        """Refusals of several requests between two readings are one."""
        for at in 30.0, 30.1, 30.2, 30.3:
            self.claims.refuse('s9', {'p3': {}}, at)
        self.assertEqual({'p3'}, self.claims.sum_up().refused)
        self.assertEqual([], self.claims.list_refusing())
        self.read('p3', 31.0)
        self.assertEqual(set(), self.claims.sum_up().refused)

    def test_keep(self):
        """Of providers that placement has no more, nothing is kept."""
        self.claims.refuse('s9', {'p3': {}}, 30.0)
        self.claims.mark_released('s1', ReleaseReason.NOVA)
        self.claims.keep({'p1', 'p3'})
        self.assertEqual({'p1', 'p3'}, set(self.claims.list_wanted()))
        self.claims.keep(())
        self.assertEqual({}, self.claims.list_wanted())
        self.assertEqual(({}, set()), self.claims.sum_up())

    def test_told(self):
        """What others tell is held as own claims are, and read again."""
        self.claims.add_announced('p1', {'VCPU': 1, 'DISK_GB': 3}, 30.0)
        self.claims.add_announced('p4', {'VCPU': 1}, 30.0)
        before = self.amounts()
        self.assertEqual(
            {'p1': {'VCPU': 5, 'DISK_GB': 3}, 'p4': {'VCPU': 1}}, before
        )
        self.assertEqual({'p1': {'VCPU': 4}}, self.claims.sum_up_own())
        self.assertEqual({'VCPU': 1}, self.claims.get_amounts('p4'))
        self.assertEqual({}, self.claims.get_amounts('p5'))
        self.assertEqual(
            {'p1': 30.0, 'p4': 30.0}, self.claims.list_wanted()
        )
        # A stranger's write raised the generation.
        self.read('p1', 30.0, generation=99)
        self.assertEqual({'VCPU': 1, 'DISK_GB': 3}, self.amounts()['p1'])
        self.claims.mark_released('unknown', ReleaseReason.NOVA)
        self.read('p1', 30.1)
        self.assertEqual({'p4': {'VCPU': 1}}, self.amounts())
        # What a request took stays as it was.
        self.assertEqual({'VCPU': 5, 'DISK_GB': 3}, before['p1'])

    def test_told_without_end(self):
        """Of one provider, so many are held and no more."""
        for _ in range(ledger.MAX_HELD + 5):
            self.claims.add_announced('p4', {'VCPU': 1}, 30.0)
        self.assertEqual({'VCPU': ledger.MAX_HELD}, self.amounts()['p4'])
        # Own ones always are.
        self.claims.hold('s3', {'p4': {'resources': {'VCPU': 1}}}, 40.0)
        self.assertEqual({'VCPU': ledger.MAX_HELD + 1}, self.amounts()['p4'])

    def amounts(self):
        """Return what is held."""
        return self.claims.sum_up().amounts

    def read(self, uuid, began, generation=1, used=0):
        """Have read a provider."""
        self.claims.observe({uuid: (began, Provider(
            uuid, generation, {}, {'VCPU': used}
        ))})
