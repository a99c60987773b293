"""Placement, asked and never told."""

import testtools

from nova_ext.scheduler.simulate.read_only_placement import DryPlacement


class Client:
    """Nova's client, with one answer after the other."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.limits = []

    def get_allocation_candidates(self, context, resources):
        """The next answer."""
        self.limits.append(resources._limit)
        return self.answers.pop(0)


class Resources:
    """What of Nova's ResourceRequest is looked at."""

    def __init__(self):
        self._limit = 1000


def answer(provider, resource):
    """Candidates with one provider that has one of a resource."""
    return [], {provider: {'resources': {
        resource: {'capacity': 1, 'used': 0}
    }}}, '1.36'


def request(provider, resource):
    """An allocation request for it."""
    return {'allocations': {provider: {'resources': {resource: 1}}}}


class DryPlacementTest(testtools.TestCase):
    """Claims in a copy of the answers."""

    def test_claims(self):
        """In what was answered to both of two questions."""
        dry = DryPlacement(Client(answer('a', 'PCPU'), answer('b', 'VCPU')))
        for _ in range(2):
            dry.get_allocation_candidates(None, Resources())
        for wanted in (request('a', 'PCPU'), request('b', 'VCPU')):
            self.assertTrue(dry.claim_resources(None, 's', wanted, 'p', 'u'))
            self.assertFalse(dry.claim_resources(None, 't', wanted, 'p', 'u'))

    def test_no_answer(self):
        """Nothing can be claimed; the answer is passed on."""
        dry = DryPlacement(Client(None))
        self.assertIsNone(
            dry.get_allocation_candidates(None, Resources())
        )
        self.assertFalse(
            dry.claim_resources(None, 's', request('a', 'VCPU'))
        )

    def test_limit(self):
        """As configured, or none."""
        for unlimited, limit in ((False, 1000), (True, None)):
            client = Client(answer('a', 'VCPU'))
            DryPlacement(
                client, unlimited=unlimited
            ).get_allocation_candidates(None, Resources())
            self.assertEqual([limit], client.limits)

    def test_nothing_else(self):
        """What else Nova's client can do can't be done."""
        dry = DryPlacement(Client())
        for name in ('put', 'delete', 'put_allocations', 'set_traits'):
            self.assertFalse(hasattr(dry, name))
