"""Parse the client's address, and rules from networks to host prefixes.

http_proxy_to_wsgi passes on the whole of X-Forwarded-For: a list "a, b", or
an element with a port. Of a header ``Forwarded`` (RFC 7239) it passes on the
first element's ``for`` alone, such as ``"[v6]:port"``: the client's own
claim, unless a proxy drops it.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from nova_ext.core.base import errors

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_address(raw: str | None, element: str = 'last') -> Address | None:
    """Parse one address of a forwarding header, or a bare address.

    :param raw: ``remote_address`` of the request context.
    :param element: ``last`` or ``first`` of a list.
    :returns: None if that element is absent or no address. No other
        element is tried: it could be the client's own claim. An IPv4
        address mapped into IPv6 is returned as IPv4.
    """
    elements = (raw or '').split(',')
    text = elements[-1 if element == 'last' else 0].strip()
    text = text.removeprefix('for=').strip('"')
    if text.startswith('['):
        text = text[1:].partition(']')[0]
    elif text.count(':') == 1:
        text = text.partition(':')[0]
    try:
        address = ipaddress.ip_address(text.partition('%')[0])
    except ValueError:
        return None
    return getattr(address, 'ipv4_mapped', None) or address


@dataclass(frozen=True)
class Rule:
    """Map the clients of a network to the hosts with a prefix."""

    network: Network
    prefix: str

    def __str__(self) -> str:
        return f'{self.network}={self.prefix}'


class AddressRules:
    """Map addresses to prefixes of host names.

    :param rules: ``CIDR=prefix`` each.
    :param default_prefix: prefix for every other address; an empty one fits
        every host.
    :raises ConfigurationError: for a rule that can't be parsed, or two for
        one network.
    """

    OPTION = '[nova_ext_ip_scheduler] rules'

    def __init__(self, rules: Iterable[str], default_prefix: str) -> None:
        self.default_prefix = default_prefix
        self.rules = [self._parse(text) for text in rules]
        seen: dict[Network, Rule] = {}
        for rule in self.rules:
            if rule.network in seen:
                raise errors.ConfigurationError(
                    self.OPTION, rule, f'{rule.network} has a rule already, '
                    f'{seen[rule.network]}', 'keep one of them',
                )
            seen[rule.network] = rule

    def match(self, address: Address | None) -> Rule | None:
        """Return the rule of the longest network that holds the address."""
        if address is None:
            return None
        holding = [
            rule for rule in self.rules
            if rule.network.version == address.version
            and address in rule.network
        ]
        return max(
            holding, key=lambda rule: rule.network.prefixlen, default=None
        )

    def prefix_of(self, host: str) -> str | None:
        """Return the longest prefix in use that a host's name begins with.

        :returns: None for a host that belongs to no group.
        """
        prefixes = {rule.prefix for rule in self.rules}
        fitting = [
            prefix for prefix in prefixes | {self.default_prefix}
            if self.in_group(host, prefix)
        ]
        return max(fitting, key=len, default=None)

    @staticmethod
    def in_group(host: str, prefix: str) -> bool:
        """Say whether a host's name begins with a prefix, in any case."""
        return host.lower().startswith(prefix.lower())

    def _parse(self, text: str) -> Rule:
        cidr, separator, prefix = (p.strip() for p in text.partition('='))
        if not (cidr and separator and prefix):
            raise errors.ConfigurationError(
                self.OPTION, text, 'not of the form CIDR=prefix',
                'write for example 10.1.0.0/16=doc',
            )
        try:
            return Rule(ipaddress.ip_network(cidr), prefix)
        except ValueError as error:
            raise errors.ConfigurationError(
                self.OPTION, text, f'{cidr} is no network: {error}',
                'write for example 10.1.0.0/16=doc',
            ) from None
