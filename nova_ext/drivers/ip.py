"""IPScheduler: a random host of the client's own group of hosts."""

import logging
from collections.abc import Sequence

from nova_ext.core.extension import (
    Address,
    AddressRules,
    ComputeDriver,
    Facts,
    HostState,
    Operation,
    Options,
    Ranking,
    RequestContext,
    RequestSpec,
    get_operation,
    parse_address,
)

LOG = logging.getLogger(__name__)


class IPScheduler(ComputeDriver):
    """Place servers by the client's address and the prefix of host names.

    Rules map networks to prefixes; the longest network wins, all other
    clients have the default prefix. Among the hosts of the group that pass
    the filters a random one is taken, alternates come from the same group.

    The address decides at first boot alone. A server that exists stays in
    the group of its host, whoever moves it; rebuilds, and requests whose
    host an operator forced or requested, are left alone.
    """

    option_group = 'nova_ext_ip_scheduler'
    hints = ()

    def __init__(self, facts: Facts, options: Options | None = None) -> None:
        super().__init__(facts, options)
        self.rules = AddressRules(
            self.options['rules'], self.options['default_prefix']
        )

    def rank(
        self,
        hosts: Sequence[HostState],
        request: RequestSpec,
        context: RequestContext,
    ) -> Ranking:
        """Narrow to the group, in random order."""
        when = get_operation(request)
        if when in (Operation.REBUILD, Operation.PINNED):
            return Ranking(hosts)
        if when is Operation.FIRST_BOOT:
            prefix, rule = self._client_group(context)
        else:
            stays = self._server_group(context, request.instance_uuid)
            if stays is None:
                return Ranking(hosts)
            prefix, rule = stays
        group = [h for h in hosts if self.rules.in_group(h.host, prefix)]
        if not group:
            LOG.warning(
                'No host %s* among the %d that passed the filters (%s)',
                prefix, len(hosts), rule,
            )
        return Ranking.by_chance(group, f'not {prefix}* ({rule})')

    def scheduled(
        self,
        hosts: Sequence[str],
        request: RequestSpec,
        context: RequestContext,
    ) -> None:
        """Log which client was given which host."""
        client = self._client(context) or 'an unknown address'
        for host in hosts:
            LOG.info('Request from %s scheduled to %s', client, host)

    def group_hosts(
        self, context: RequestContext, topic: str, capability: str = ''
    ) -> dict[str, list[str]]:
        """Hosts that are up, by prefix; '' holds those of no group."""
        if capability:
            return super().group_hosts(context, topic, capability)
        groups: dict[str, list[str]] = {}
        for host in self.hosts_up(context, topic):
            prefix = self.rules.prefix_of(host) or ''
            groups.setdefault(prefix, []).append(host)
        return groups

    def _client(self, context: RequestContext) -> Address | None:
        return parse_address(
            context.remote_address, self.options['address_element']
        )

    def _client_group(self, context: RequestContext) -> tuple[str, str]:
        client = self._client(context)
        if client is None:
            LOG.info(
                'No readable client address in %r: the default group',
                context.remote_address,
            )
        rule = self.rules.match(client)
        if rule is None:
            return self.rules.default_prefix, 'default_prefix'
        return rule.prefix, f'rule {rule}'

    def _server_group(
        self, context: RequestContext, server: str
    ) -> tuple[str, str] | None:
        """The group of the server's host; None: it is in no group."""
        host = self.facts.server_host(context, server)
        prefix = self.rules.prefix_of(host) if host else None
        if prefix is None:
            LOG.info('Server %s was on %s, in no group', server, host)
            return None
        return prefix, f'the server\'s host {host}'
