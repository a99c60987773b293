"""Ask placement what the hosts lack that a query leaves out.

A query is the query string of GET /allocation_candidates. First comes the
query itself; where it brings what the decision got, each of its demands is
asked for alone (GET /resource_providers). For pinned processors there are two
queries, and an answer to either is enough to be offered.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol
from urllib import parse

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import left_out_hosts, placement_answer
from nova_ext.core.decision.decision import LeftOut, PlacementDiagnosis
from nova_ext.core.decision.placement_query import (
    GROUP,
    Demand,
    describe_trait,
    list_demands,
    list_groups,
    list_together,
)

#: Version of placement's API that answers every query of Nova's.
MICROVERSION = '1.36'
#: Queries that one diagnosis takes at most; further demands are not told.
MAX_QUERIES = 10
#: Candidates to ask for where the limit was reached: 17 MB for as many hosts.
#: A host with several groups of devices may have hundreds.
MAX_CANDIDATES = 10_000
#: Maximum number of roots to try as the one that was offered before.
MAX_ROOTS = 500
#: Providers that give what they have to the hosts of an aggregate.
_SHARING = Demand('required', '!MISC_SHARES_VIA_AGGREGATE')


class Cloud(Protocol):
    """Read a cloud's placement and hosts."""

    def get(self, path: str) -> Any:
        """Return the body of placement's answer in MICROVERSION.

        :returns: None where it does not answer with 200.
        """

    def list_hosts(self) -> Mapping[str, Collection[str]]:
        """Return the UUIDs of each host's nodes, the roots of providers.

        :raises NovaExtError: where some are not known.
        """

    def list_aggregate_names(self) -> Mapping[str, str]:
        """Return the names of aggregates, with their zones, by UUID."""


def diagnose(
    cloud: Cloud, query: str, offered: Collection[str], scheduler: str = ''
) -> PlacementDiagnosis:
    """Find what hosts lack.

    :param query: where there are two, both, with a blank between them.
    :param offered: digests of the roots that decisions got for the query.
        Where none of them is what placement offers now, nothing more is
        asked.
    :param scheduler: the ``host`` of the scheduler that asks.
    :raises NovaExtError: placement did not answer, or not all hosts are
        known.
    """
    probe = _Probe(cloud, query, scheduler)
    if probe.is_as_offered(offered):
        probe.find_left_out()
    return probe.diagnosis


def format_aggregate(name: str, zone: str | None) -> str:
    """Return an aggregate's name, with its availability zone."""
    return f'{name} (availability zone {zone})' if zone else name


class _Probe:
    """Ask about one query, or two, MAX_QUERIES times at most.

    :ivar diagnosis: what is known so far.
    """

    def __init__(self, cloud: Cloud, query: str, scheduler: str) -> None:
        self._cloud = cloud
        self._queries = query.split(' ')
        self._left = MAX_QUERIES
        now = datetime.now(UTC).replace(tzinfo=None)
        at = now.isoformat(timespec='milliseconds') + 'Z'
        answers = list(map(self._get_candidates, self._queries))
        self._offered = set().union(*(roots for roots, _ in answers))
        self._counts = [count for _, count in answers]
        self.diagnosis = PlacementDiagnosis(
            at, query, scheduler,
            placement_answer.digest_roots(self._offered),
        )

    def is_as_offered(self, offered: Collection[str]) -> bool:
        """Say whether placement offers what it offered to the decisions.

        One host less is as before: the server itself may have taken its room,
        and it is not among those that were left out then.
        """
        if self.diagnosis.offered in offered:
            return True
        roots = {
            root for nodes in self._cloud.list_hosts().values()
            for root in nodes
        } - self._offered
        if len(roots) > MAX_ROOTS:
            return False
        for root in roots:
            digest = placement_answer.digest_roots({*self._offered, root})
            if digest in offered:
                self._offered.add(root)
                self.diagnosis.offered = digest
                return True
        return False

    def find_left_out(self) -> None:
        """Add the hosts that the query leaves out, with all they lack."""
        hosts = self._cloud.list_hosts()
        limit, more = self._get_more()
        providers = self._get_providers(_SHARING)
        if providers is None:
            raise NovaExtError('placement did not list its providers')
        demands, _ = list_demands(*self._queries)
        groups, suffixes = list_groups(*self._queries)
        demands[:0] = groups
        tried = demands[:self._left - 1]  # the last is for an inventory
        untold = [demand.describe() for demand in demands[len(tried):]]
        untold += [f'granular group {suffix}' for suffix in suffixes]
        own = {provider['uuid'] for provider in providers}
        met = []
        for demand in tried:
            answer = self._get_providers(demand)
            if answer is None:
                untold.append(demand.describe())
            elif left_out_hosts.is_shared(demand, answer, own):
                untold.append(f'{demand.describe()} (shared by a provider)')
            else:
                met.append((demand, left_out_hosts.get_roots(demand, answer)))
        lacks = left_out_hosts.list_lacks(
            {provider['root_provider_uuid'] for provider in providers}, met,
            self._cloud.list_aggregate_names(), [
                [*list_groups(query)[0], *list_demands(query)[0]]
                for query in self._queries
            ],
        )
        if not untold:
            self._find_combined({
                root for root, clauses in lacks.items() if not clauses
            } - self._offered - more, lacks, bool(groups))
        diagnosis = self.diagnosis
        diagnosis.left_out = left_out_hosts.group_hosts(
            hosts, self._offered, lacks, more - self._offered, limit,
            left_out_hosts.sum_generations(providers),
        )
        diagnosis.untold = untold
        diagnosis.examples = self._find_example(
            diagnosis.left_out, hosts, demands
        )

    def _find_combined(
        self, roots: Collection[str], lacks: dict[str, list[str]],
        has_groups: bool,
    ) -> None:
        """Add what trees lack that meet each demand alone.

        :param roots: of these trees.
        """
        if not roots or len(self._queries) > 1:
            return
        traits, together = list_together(self._queries[0])
        met = roots
        if together and self._left > 1:
            met = self._get_candidates(
                f'{together}&limit={MAX_CANDIDATES}'
            )[0]
        named = ' and '.join(describe_trait(trait.value) for trait in traits)
        for root in roots:
            if root not in met:
                lacks[root] = [left_out_hosts.ELSEWHERE.format(named)]
            elif has_groups:
                lacks[root] = [left_out_hosts.NOT_AT_ONCE]

    def _get_more(self) -> tuple[int, set[str]]:
        """Return the limit that was reached, and the roots without it."""
        reached, roots = 0, set[str]()
        for query, count in zip(self._queries, self._counts, strict=True):
            pairs = parse.parse_qsl(query)
            limit = int(dict(pairs).get('limit', 0))
            if 0 < limit < MAX_CANDIDATES and count >= limit:
                rest = [pair for pair in pairs if pair[0] != 'limit']
                unlimited = parse.urlencode([*rest, ('limit', MAX_CANDIDATES)])
                reached = limit
                roots |= self._get_candidates(unlimited)[0]
        return reached, roots

    def _find_example(
        self, left_out: Iterable[LeftOut],
        hosts: Mapping[str, Collection[str]], demands: Iterable[Demand],
    ) -> list[str]:
        """Say of one host how much it gives of each resource it lacks.

        It is one that lacks nothing else, of the largest such group.
        """
        lacked = {
            demand.describe_lack(): demand for demand in demands
            if demand.resource[0]
        }
        group = next((
            group for group in left_out
            if group.hosts and lacked.keys() >= set(group.lacks)
        ), None)
        if group is None:
            return []
        host, lacking = group.hosts[0], [lacked[c] for c in group.lacks]
        (root, *others) = sorted(hosts[host])
        answer = None if others else self._get(
            f'/resource_providers/{root}/inventories'
        )
        if answer is None:
            return []
        texts = [
            left_out_hosts.describe_inventory(
                demand, answer['inventories'].get(demand.resource[0])
            ) for demand in lacking
        ]
        return [f'{host}: {", ".join(filter(None, texts))}'] * any(texts)

    def _get_candidates(self, query: str) -> tuple[set[str], int]:
        """Return the roots that placement offers, and its candidates.

        :raises NovaExtError: it did not answer.
        """
        answer = self._get(f'/allocation_candidates?{query}')
        if answer is None:
            raise NovaExtError('placement did not answer')
        roots = {
            summary['root_provider_uuid']
            for summary in answer['provider_summaries'].values()
        }
        return roots, len(answer['allocation_requests'])

    def _get_providers(self, demand: Demand) -> list[dict[str, Any]] | None:
        """Return the providers that meet a demand; None: no answer.

        Of those that meet a group, the roots.
        """
        if demand.kind == GROUP:
            try:
                roots, _ = self._get_candidates(
                    f'{demand.value}&limit={MAX_CANDIDATES}'
                )
            except NovaExtError:
                return None
            return [
                {'uuid': root, 'root_provider_uuid': root} for root in roots
            ]
        answer = self._get(f'/resource_providers?{demand.query}')
        return None if answer is None else answer['resource_providers']

    def _get(self, url: str) -> Any:
        self._left -= 1
        return self._cloud.get(url)
