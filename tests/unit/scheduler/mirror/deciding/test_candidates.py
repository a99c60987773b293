"""Find and rank the hosts of one request."""

import numpy as np
from nova.scheduler import weights

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.mirror.deciding.candidates import (
    Candidates,
    DecisionInputs,
)
from tests.unit.scheduler.configured import ConfiguredTestCase
from tests.unit.scheduler.mirror.deciding import plain_cloud


class _Weigher(weights.BaseHostWeigher):
    """Weighs all hosts the same."""

    def __init__(self, weight):
        self.weight = weight

    def _weigh_object(self, host_state, weight_properties):
        return self.weight


class CandidatesTest(ConfiguredTestCase):
    """Two hosts with room, one of which is held, and a full one."""

    def setUp(self):
        """Read them."""
        super().setUp()
        self.snapshot = plain_cloud.make_snapshot({'a': 2, 'b': 2, 'c': 0})

    def make(self, weighers=(), spec=None, **inputs):
        """Return what finds hosts."""
        return Candidates(
            DecisionInputs(**{
                'snapshot': self.snapshot, 'filters': (),
                'weighers': weighers, **inputs,
            }), spec or plain_cloud.make_spec(),
        )

    def assert_falls_back(self, fallback, method, *args):
        """A call leaves the request to Nova, for this reason."""
        error = self.assertRaises(FallbackError, method, *args)
        self.assertIs(fallback, error.fallback)

    def test_check(self):
        """A mirror that is off, or not loaded, says so."""
        self.make().check()
        self.assert_falls_back(
            Fallback.DIFFERED, self.make(off=Fallback.DIFFERED).check
        )
        empty = self.make(snapshot=None)
        self.assertEqual(0.0, empty.age_s)
        self.assert_falls_back(Fallback.NOT_LOADED, empty.check)

    def find(self, candidates):
        """Return the names of the hosts that are found."""
        fits = candidates.find(plain_cloud.QUERY)
        return {
            name for name, row in self.snapshot.providers.rows.items()
            if fits[row]
        }

    def test_find(self):
        """Room is what is neither used nor held."""
        self.assertEqual({'a', 'b'}, self.find(self.make()))
        held = Held({'a': {'VCPU': 2}, 'b': {'VCPU': 1}}, frozenset())
        candidates = self.make(held=held)
        self.assertEqual({'b'}, self.find(candidates))
        self.assertEqual({'VCPU': 1}, candidates.demand.resources)

    def test_unknown(self):
        """What the snapshot or the query leaves open is Nova's."""
        self.assert_falls_back(
            Fallback.QUERY, self.make().find, 'resources1=VCPU:1'
        )
        self.snapshot = plain_cloud.make_snapshot(
            {'a': 2}, Fallback.SHARED_PROVIDERS
        )
        self.assert_falls_back(
            Fallback.SHARED_PROVIDERS, self.make().find, plain_cloud.QUERY
        )

    def test_changed_spec(self):
        """A driver that changes the spec is noticed at each step."""
        candidates = self.make(spec=plain_cloud.make_spec(force_hosts=['a']))
        candidates.check()
        self.assert_falls_back(
            Fallback.FORCED_HOST, candidates.find, plain_cloud.QUERY
        )
        self.assert_falls_back(
            Fallback.FORCED_HOST, candidates.place, self.snapshot.hosts,
            np.arange(3), 0, 1,
        )

    def test_place(self):
        """Hosts that the request ignores are not ranked."""
        placing = self.make(
            spec=plain_cloud.make_spec(ignore_hosts=['B'])
        ).place(self.snapshot.hosts, np.array([2, 1, 0]), 0, 1)
        keys = self.snapshot.hosts.keys
        self.assertEqual(['c', 'a'], [keys[row][0] for row in placing.rows])

    def test_weight(self):
        """Nova decides where a weight is no finite number."""
        for weight, fallback in ((1.0, False), (np.nan, True)):
            candidates = self.make([_Weigher(weight)])
            place = (candidates.place, self.snapshot.hosts, np.arange(3), 0, 1)
            if fallback:
                self.assert_falls_back(Fallback.INFINITE_WEIGHT, *place)
            else:
                self.assertEqual(3, place[0](*place[1:]).rows.size)
