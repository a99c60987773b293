"""Read from placement, and claim in a copy."""

import testtools

from nova_ext.scheduler.what_if.simulate.read_only_placement import (
    ReadOnlyPlacement,
)


class Client:
    """Return one answer after the other, as Nova's client."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.limits = []

    def get_allocation_candidates(self, context, resources):
        """Return the next answer."""
        self.limits.append(resources._limit)
        return self.answers.pop(0)


class Resources:
    """Hold what is read of Nova's ResourceRequest."""

    def __init__(self):
        self._limit = 1000


def answer(provider, resource):
    """Return candidates: one provider that has one of a resource."""
    return [], {provider: {'resources': {
        resource: {'capacity': 1, 'used': 0}
    }}}, '1.36'


def request(provider, resource):
    """Return an allocation request for it."""
    return {'allocations': {provider: {'resources': {resource: 1}}}}


class ReadOnlyPlacementTest(testtools.TestCase):
    """Claim in a copy of the answers."""

    def test_claims(self):
        """Claim what either of two answers offers."""
        placement = ReadOnlyPlacement(
            Client(answer('a', 'PCPU'), answer('b', 'VCPU'))
        )
        for _ in range(2):
            placement.get_allocation_candidates(None, Resources())
        for wanted in (request('a', 'PCPU'), request('b', 'VCPU')):
            claim = (None, 's', wanted, 'p', 'u')
            self.assertTrue(placement.claim_resources(*claim))
            self.assertFalse(placement.claim_resources(*claim))

    def test_no_answer(self):
        """Pass on that there is no answer, and claim nothing."""
        placement = ReadOnlyPlacement(Client(None))
        self.assertIsNone(
            placement.get_allocation_candidates(None, Resources())
        )
        self.assertFalse(
            placement.claim_resources(None, 's', request('a', 'VCPU'))
        )

    def test_limit(self):
        """Keep the configured limit, or set none."""
        for unlimited, limit in ((False, 1000), (True, None)):
            client = Client(answer('a', 'VCPU'))
            ReadOnlyPlacement(
                client, unlimited=unlimited
            ).get_allocation_candidates(None, Resources())
            self.assertEqual([limit], client.limits)

    def test_nothing_else(self):
        """Have none of the other methods of Nova's client."""
        placement = ReadOnlyPlacement(Client())
        for name in ('put', 'delete', 'put_allocations', 'set_traits'):
            self.assertFalse(hasattr(placement, name))
