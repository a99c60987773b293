"""Stand for placement and Nova: a few provider trees, kept in memory."""

import itertools
import re
from dataclasses import dataclass, field
from urllib import parse

#: What Nova forbids with each request.
DISABLED = 'COMPUTE_STATUS_DISABLED'
SHARES = 'MISC_SHARES_VIA_AGGREGATE'


@dataclass
class MemoryProvider:
    """Represent a resource provider.

    :param root: its own UUID for a root.
    :param free: amounts by resource class.
    """

    uuid: str
    root: str
    free: dict[str, int] = field(default_factory=dict)
    traits: set[str] = field(default_factory=set)
    aggregates: set[str] = field(default_factory=set)

    def meets(self, kind, value):
        """Say whether it alone meets a demand."""
        if kind == 'resources':
            return all(
                self.free.get(name, 0) >= int(amount) for name, amount in
                (each.split(':') for each in value.split(','))
            )
        has = self.traits if kind == 'required' else self.aggregates
        if value.startswith('in:'):
            return bool(has & {*value.removeprefix('in:').split(',')})
        return all(
            each.removeprefix('!') in has if each[0] != '!'
            else each[1:] not in has for each in value.split(',')
        )


class MemoryCloud:
    """Answer as placement does, for hosts whose root is named after them.

    :ivar asked: paths, in order.
    :ivar silent: paths that begin so, decoded, are not answered.
    """

    def __init__(self, *providers):
        self.providers = list(providers)
        self.asked, self.silent = [], ()
        self.inventories = {}

    def list_hosts(self):
        """Return each host with its root."""
        return {
            root: {root} for root in {each.root for each in self.providers}
            if not root.startswith('pool')
        }

    def list_aggregate_names(self):
        """Name one aggregate."""
        return {'agg-1': 'rack-1'}

    def get(self, path):
        """Answer a request."""
        path = parse.unquote(path)
        self.asked.append(path)
        if path.startswith(tuple(self.silent)):
            return None
        url = parse.urlsplit(path)
        pairs = parse.parse_qsl(url.query)
        if url.path == '/allocation_candidates':
            return self._offer(pairs)
        if url.path == '/resource_providers':
            return {'resource_providers': [
                {'uuid': each.uuid, 'root_provider_uuid': each.root,
                 'generation': 7} for each in self.providers
                if all(each.meets(*pair) for pair in pairs)
            ]}
        (uuid,) = re.fullmatch(
            '/resource_providers/(.*)/inventories', url.path
        ).groups()
        return {'inventories': self.inventories.get(uuid, {})}

    def _offer(self, pairs):
        roots = [
            host for host in sorted(self.list_hosts())
            if self._fits(host, pairs)
        ][:int(dict(pairs).get('limit', 1000))]
        return {
            'allocation_requests': [{} for _ in roots],
            'provider_summaries': {
                root: {'root_provider_uuid': root} for root in roots
            },
        }

    def _fits(self, host, pairs):
        tree = [each for each in self.providers if each.root == host]
        (root,) = [each for each in tree if each.uuid == host]
        groups = {}
        for key, value in pairs:
            kind, suffix = re.fullmatch(
                '(resources|required|member_of)(_?[0-9a-zA-Z]*)|.*', key
            ).groups()
            if kind:
                groups.setdefault(suffix, []).append((kind, value))
            elif key == 'root_required' and not root.meets('required', value):
                return False
        plain = groups.pop('', [])
        givers = []
        for kind, value in plain:
            for each in value.split(',') if kind == 'resources' else ():
                pools = [
                    pool for pool in self.providers if SHARES in pool.traits
                    and pool.aggregates & root.aggregates
                ]
                giving = [
                    one for one in [*tree, *pools] if one.meets(kind, each)
                ]
                if not giving:
                    return False
                givers.append(giving[0])
        if not self._have(givers, root, plain):
            return False
        chosen = itertools.product(*(
            [one.uuid for one in tree
             if all(one.meets(*pair) for pair in group)]
            for group in groups.values()
        ))
        isolates = dict(pairs).get('group_policy') == 'isolate'
        return any(
            len(set(each)) == len(each) or not isolates for each in chosen
        )

    @staticmethod
    def _have(givers, root, pairs):
        """Say whether who gives the resources has the traits, together."""
        together = MemoryProvider('', '', traits={
            trait for each in givers for trait in each.traits
        }, aggregates=root.aggregates)
        return all(
            together.meets(kind, value) for kind, value in pairs
            if kind != 'resources'
        )
