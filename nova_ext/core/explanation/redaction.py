"""A decision as a project's member may see it: no host is named in it.

It is made anew, of nothing but what can name no host: counts, names of
classes, what the member asked for, and the reasons of the filters in
``EXPLAINED``. Hosts have numbers in place of names, in the order in which
the decision ranks them; a number says nothing about another decision. All
else stays with operators.
"""

from collections.abc import Collection, Iterable
from typing import Any

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import placement_query
from nova_ext.core.decision.placement_diagnosis import AskedAgain

#: Filters whose reasons members read: nova-ext's own, and those of Nova's
#: that nova-ext explains. Their texts quote the request and numbers alone.
#: No other class goes by one of these names: nova-ext refuses it.
EXPLAINED = frozenset({
    'OfferFilter', 'SpecifiedHostFilter', 'StatsFilter',
    'AggregateImagePropertiesIsolation', 'AggregateInstanceExtraSpecsFilter',
    'AggregateIoOpsFilter', 'AggregateMultiTenancyIsolation',
    'AggregateNumInstancesFilter', 'AggregateTypeAffinityFilter',
    'ComputeCapabilitiesFilter', 'ComputeFilter', 'DifferentHostFilter',
    'ImagePropertiesFilter', 'IoOpsFilter', 'IsolatedHostsFilter',
    'JsonFilter', 'MetricsFilter', 'NUMATopologyFilter',
    'NumInstancesFilter', 'PciPassthroughFilter', 'SameHostFilter',
    'ServerGroupAffinityFilter', 'ServerGroupAntiAffinityFilter',
    'SimpleCIDRAffinityFilter',
})

#: Stands for the words of a refusal, which may quote anything.
WITHHELD = 'operators can read why'

#: Why the request itself takes hosts out, by field of the request spec.
_BY_REQUEST = {
    'force_hosts': 'another host is forced',
    'requested_destination': 'another host is the destination',
    'ignore_hosts': 'host is to be left',
}
#: What a request for servers asks for, and its fields that hold host names.
_ASKED = ('servers', 'availability_zone', 'hints', 'flavor', 'image')
_NAMING = ('force_hosts', 'force_nodes', 'ignore_hosts', 'requested_host')


def unnamed(decision: d.Decision) -> d.Decision:
    """Make a copy without names of hosts.

    :returns: a decision whose counts are the same, and whose explanation is
        fit for whoever may see the server.
    """
    numbers = _Numbers(decision)
    placement, again = decision.placement, decision.asked_again
    refused = decision.message and decision.outcome != d.FAILED
    return d.Decision(
        at=decision.at,
        request_id=decision.request_id,
        servers=decision.servers,
        project_id=decision.project_id,
        user_id=decision.user_id,
        operation=decision.operation,
        by={
            name: decision.by[name] for name in ('mode', 'driver', 'changes')
            if name in decision.by
        },
        request=_request(decision, numbers),
        placement=placement and d.Placement(
            placement_query.public(placement.query), placement.candidates,
            placement.requests, placement.fallback, placement.answered,
        ),
        hosts_total=decision.hosts_total,
        absent=decision.absent and _counted(decision.absent),
        attempts=[
            _attempt(attempt, numbers, _explained(decision))
            for attempt in decision.attempts
        ],
        claims=[
            d.Claim(claim.server, numbers.of_host(claim.host), claim.claimed)
            for claim in decision.claims
        ],
        chosen={
            server: numbers.of_hosts(hosts)
            for server, hosts in decision.chosen.items()
        },
        outcome=decision.outcome,
        message=WITHHELD if refused else '',
        asked_again=again and _asked_again(again),
        simulated=decision.simulated,
        topic=decision.topic,
        wanted=decision.wanted,
        unread_hints=decision.unread_hints,
        kept_out=[_counted(each) for each in decision.kept_out],
        left_out=decision.left_out,
        version=decision.version,
    )


class _Numbers:
    """Numbers of hosts.

    :param decision: whose hosts are numbered as it ranks them.
    """

    def __init__(self, decision: d.Decision) -> None:
        self._numbers: dict[str, str] = {}
        for hosts in decision.chosen.values():
            self.of_hosts(hosts)
        for attempt in decision.attempts:
            self.of_hosts(attempt.ranked)

    def of_host(self, name: str) -> str:
        """Return a host's number; that of its node begins with it."""
        if name == d.UNKNOWN_HOST:
            return name
        if name not in self._numbers:
            host, _, node = name.partition('/')
            begin = f'{self.of_host(host)}/node ' if node else 'host '
            used = sum(
                number.startswith(begin) and '/' not in number[len(begin):]
                for number in self._numbers.values()
            )
            self._numbers[name] = f'{begin}{used + 1}'
        return self._numbers[name]

    def of_hosts(self, names: Iterable[str]) -> list[str]:
        """Return the numbers of some hosts."""
        return [self.of_host(name) for name in names]


def _explained(decision: d.Decision) -> Collection[str]:
    """Return the filters whose reasons are nova-ext's own.

    A log of Nova's has Nova's words, and a topic has other filters.
    """
    ours = decision.topic == d.COMPUTE and 'source' not in decision.by
    return EXPLAINED if ours else ()


def _request(decision: d.Decision, numbers: _Numbers) -> dict[str, Any]:
    """Return what was asked for, where it is a request for servers.

    What others ask is what their driver made of it.
    """
    if decision.topic != d.COMPUTE:
        return {}
    return {
        name: numbers.of_hosts(_listed(value)) if name in _NAMING else value
        for name, value in decision.request.items()
        if name in _ASKED + _NAMING
    }


def _attempt(
    full: d.Attempt, numbers: _Numbers, explained: Collection[str]
) -> d.Attempt:
    return d.Attempt(
        full.server, full.index, full.hosts_in,
        steps=[_step(step, explained) for step in full.steps],
        weighers=[
            d.Weighing(
                weighing.name, {}, {},
                without=numbers.of_hosts(weighing.without),
            ) for weighing in full.weighers
        ],
        ranked=numbers.of_hosts(full.ranked),
        ranked_count=full.ranked_count,
        equal=full.equal,
        # The order tells how much each weighed, with the seed and without.
        draw=full.draw and d.Draw(
            sorted(numbers.of_hosts(full.draw.hosts)), full.draw.count,
            by_driver=full.draw.by_driver,
        ),
        unasked=full.unasked,
    )


def _step(full: d.Step, explained: Collection[str]) -> d.Step:
    def reason(rejection: d.Rejection) -> str:
        if full.kind == 'request':
            return _BY_REQUEST.get(full.name, '')
        known = full.kind == 'filter' and full.name in explained
        return rejection.reason if known else ''

    return d.Step(
        full.name, full.kind, full.hosts_in, full.hosts_out,
        [d.Rejection(reason(one), one.count) for one in full.rejections],
    )


def _counted(rejection: d.Rejection) -> d.Rejection:
    """Keep a reason that names no host, and how many hosts it let go."""
    return d.Rejection(rejection.reason, rejection.count)


def _asked_again(found: AskedAgain) -> AskedAgain:
    return AskedAgain(
        found.at, placement_query.public(found.query), found.offers,
        list(dict.fromkeys(
            map(placement_query.public_words, found.without)
        )),
        found.alone, found.rest, found.candidates, bounded=found.bounded,
    )


def _listed(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value] * bool(value)
    return [str(one) for one in values]
