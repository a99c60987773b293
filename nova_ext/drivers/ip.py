"""Choose a random host of the group that the client's address names."""

import logging
from collections.abc import Sequence

from nova_ext.plugin import (
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

    Rules map networks to prefixes; the longest network wins. Other clients
    get the default prefix. A random host of the group that passes the
    filters is chosen; alternates come from the same group.

    The address decides at first boot alone. A server that exists stays in
    the group of its host, whoever moves it. Rebuilds, and requests with a
    forced or requested host, are left alone.
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
        operation = get_operation(request)
        if operation in (Operation.REBUILD, Operation.PINNED):
            return Ranking(hosts)
        if operation is Operation.FIRST_BOOT:
            prefix, rule = self._get_client_group(context)
        else:
            group = self._get_server_group(context, request.instance_uuid)
            if group is None:
                return Ranking(hosts)
            prefix, rule = group
        members = [h for h in hosts if self.rules.in_group(h.host, prefix)]
        if not members:
            LOG.warning(
                'No host %s* among the %d that passed the filters (%s)',
                prefix, len(hosts), rule,
            )
        return Ranking.shuffle(members, f'not {prefix}* ({rule})')

    def on_scheduled(
        self,
        hosts: Sequence[str],
        request: RequestSpec,
        context: RequestContext,
    ) -> None:
        """Log the client and the host of each server."""
        client = self._get_client(context) or 'an unknown address'
        for host in hosts:
            LOG.info('Request from %s scheduled to %s', client, host)

    def group_hosts(
        self, context: RequestContext, topic: str, capability: str = ''
    ) -> dict[str, list[str]]:
        """Group the hosts that are up by prefix; '' for those of no group."""
        if capability:
            return super().group_hosts(context, topic, capability)
        groups: dict[str, list[str]] = {}
        for host in self.hosts_up(context, topic):
            prefix = self.rules.prefix_of(host) or ''
            groups.setdefault(prefix, []).append(host)
        return groups

    def _get_client(self, context: RequestContext) -> Address | None:
        return parse_address(
            context.remote_address, self.options['address_element']
        )

    def _get_client_group(self, context: RequestContext) -> tuple[str, str]:
        client = self._get_client(context)
        if client is None:
            LOG.info(
                'No readable client address in %r: the default group',
                context.remote_address,
            )
        rule = self.rules.match(client)
        if rule is None:
            return self.rules.default_prefix, 'default_prefix'
        return rule.prefix, f'rule {rule}'

    def _get_server_group(
        self, context: RequestContext, server: str
    ) -> tuple[str, str] | None:
        """Return the group of the server's host; None without a group."""
        host = self.facts.get_server_host(context, server)
        prefix = self.rules.prefix_of(host) if host else None
        if prefix is None:
            LOG.info('Server %s was on %s, in no group', server, host)
            return None
        return prefix, f'the server\'s host {host}'
