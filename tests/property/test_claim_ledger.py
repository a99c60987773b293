"""Hold the sum of the open claims, whatever happens in which order."""

import itertools
from collections import Counter

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from nova_ext.engine.providers import Provider
from nova_ext.scheduler.claims.claim import ReleaseReason
from nova_ext.scheduler.claims.ledger import Ledger

_SERVERS = st.sampled_from(('s1', 's2', 's3'))
_PROVIDERS = st.sampled_from(('p1', 'p2'))
_AMOUNTS = st.dictionaries(
    st.sampled_from(('VCPU', 'DISK_GB')), st.integers(1, 4), min_size=1
)
_ALLOCATIONS = st.dictionaries(
    _PROVIDERS, _AMOUNTS.map(lambda amounts: {'resources': amounts}),
    min_size=1,
)
_BEGUN, _HELD, _ANNOUNCED = 'begun', 'held', 'announced'


class LedgerMachine(RuleBasedStateMachine):
    """Keep the same claims in a plain list, each on one provider."""

    def __init__(self):
        super().__init__()
        self.ledger = Ledger()
        self.clock = 0.0
        #: Server, provider, amounts, state and time.
        self.claims = []

    def tick(self):
        """Return a later time."""
        self.clock += 1
        return self.clock

    def end(self, server, providers, *states):
        """Take claims off the list."""
        self.claims = [
            each for each in self.claims if each[0] != server
            or each[1] not in providers or each[3] not in states
        ]

    def add(self, server, allocations, state, at):
        """Put claims on the list."""
        self.claims += [
            (server, provider, allocation['resources'], state, at)
            for provider, allocation in allocations.items()
        ]

    @rule(server=_SERVERS, allocations=_ALLOCATIONS)
    def begin(self, server, allocations):
        """A claim is about to be sent."""
        at = self.tick()
        self.ledger.begin(server, allocations, at)
        self.add(server, allocations, _BEGUN, at)

    @rule(server=_SERVERS, allocations=_ALLOCATIONS)
    def hold(self, server, allocations):
        """Placement accepts it, begun or not."""
        at = self.tick()
        self.ledger.hold(server, allocations, at)
        begun = {
            each[1] for each in self.claims
            if each[0] == server and each[3] == _BEGUN
        }
        self.claims = [
            (*each[:3], _HELD, at) if each[0] == server
            and each[1] in allocations and each[3] == _BEGUN else each
            for each in self.claims
        ]
        self.add(server, {
            provider: allocation for provider, allocation
            in allocations.items() if provider not in begun
        }, _HELD, at)

    @rule(server=_SERVERS, allocations=_ALLOCATIONS)
    def refuse(self, server, allocations):
        """Placement refuses it."""
        self.ledger.refuse(server, allocations, self.tick())
        self.end(server, allocations, _BEGUN)

    @rule(server=_SERVERS, allocations=_ALLOCATIONS)
    def lose(self, server, allocations):
        """Placement does not answer: nothing changes."""
        self.ledger.mark_unknown(server, allocations)

    @rule(server=_SERVERS, allocations=_ALLOCATIONS)
    def cancel(self, server, allocations):
        """It is not sent."""
        self.ledger.cancel({server: {'allocations': allocations}})
        self.end(server, allocations, _BEGUN)

    @rule(server=_SERVERS)
    def release(self, server):
        """The server's allocations are deleted."""
        self.ledger.mark_released(server, ReleaseReason.NOVA)
        self.end(server, ('p1', 'p2'), _BEGUN, _HELD)

    @rule(provider=_PROVIDERS, amounts=_AMOUNTS)
    def add_announced(self, provider, amounts):
        """Another scheduler tells of one."""
        at = self.tick()
        self.ledger.add_announced(provider, amounts, at)
        self.add('', {provider: {'resources': amounts}}, _ANNOUNCED, at)

    @rule(provider=_PROVIDERS, before=st.integers(0, 5))
    def observe(self, provider, before):
        """A reading that began some time ago ends what was answered then."""
        began = self.clock - before
        self.ledger.observe({
            provider: (began, Provider(provider, 1, {}, {}))
        })
        self.claims = [
            each for each in self.claims if each[1] != provider
            or each[3] == _BEGUN or each[4] >= began
        ]

    @rule(known=st.sets(_PROVIDERS))
    def keep(self, known):
        """Placement has other providers no more."""
        self.ledger.keep(known)
        self.claims = [each for each in self.claims if each[1] in known]

    @rule(age=st.integers(0, 5))
    def compact(self, age):
        """Older claims become one, whose servers are forgotten."""
        before = self.clock - age
        self.ledger.compact(before)
        for provider, state in itertools.product(
            ('p1', 'p2'), (_HELD, _ANNOUNCED)
        ):
            old = [
                each for each in self.claims
                if each[1] == provider and each[3] == state
                and each[4] < before
            ]
            if len(old) > 1:
                latest = max(each[4] for each in old)
                self.claims = [
                    ('', *each[1:4], latest) if each in old else each
                    for each in self.claims
                ]

    @invariant()
    def amounts_are_the_sum(self):
        """What is held is the sum of the open claims, all and own."""
        for summed, states in (
            (self.ledger.sum_up().amounts, (_BEGUN, _HELD, _ANNOUNCED)),
            (self.ledger.sum_up_own(), (_BEGUN, _HELD)),
        ):
            expected = {}
            for _, provider, amounts, state, _ in self.claims:
                if state in states:
                    expected.setdefault(provider, Counter()).update(amounts)
            assert summed == expected
        for provider in ('p1', 'p2'):
            assert self.ledger.get_amounts(
                provider
            ) == self.ledger.sum_up().amounts.get(provider, {})


LedgerTest = LedgerMachine.TestCase
