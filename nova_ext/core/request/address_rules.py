"""The client's address, and rules from networks to host name prefixes.

http_proxy_to_wsgi hands on the whole of X-Forwarded-For: a list "a, b", or an
element with a port. Where there is a header ``Forwarded`` (RFC 7239), it looks
at that alone, and hands on the first element's ``for``, such as
``"[v6]:port"``: what the client says, unless a proxy drops it.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from nova_ext.core.base import errors

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_address(raw: str | None, element: str = 'last') -> Address | None:
    """Read one address out of a forwarding header or a bare address.

    :param raw: what the request context carries.
    :param element: ``last`` or ``first`` of a list.
    :returns: None where that element is absent or no address. No other
        element is tried: it could be the client's own claim. An IPv4
        address mapped into IPv6 counts as IPv4.
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
    """Clients of a network belong to the hosts with a prefix."""

    network: Network
    prefix: str

    def __str__(self) -> str:
        return f'{self.network}={self.prefix}'


class AddressRules:
    """Rules from networks to prefixes, with a default.

    :param rules: ``CIDR=prefix`` each.
    :param default_prefix: for every other address; may be empty, which
        every host name begins with.
    :raises ConfigurationError: for a rule that can't be read, or two for
        one network.
    """

    OPTION = '[nova_ext_ip_scheduler] rules'

    def __init__(self, rules: Iterable[str], default_prefix: str) -> None:
        self.default_prefix = default_prefix
        self.rules = [self._read(text) for text in rules]
        seen: dict[Network, Rule] = {}
        for rule in self.rules:
            if rule.network in seen:
                raise errors.ConfigurationError(
                    self.OPTION, rule, f'{rule.network} has a rule already, '
                    f'{seen[rule.network]}', 'keep one of them',
                )
            seen[rule.network] = rule

    def match(self, address: Address | None) -> Rule | None:
        """The rule of the longest network that holds the address."""
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
        """The longest prefix in use that a host's name begins with.

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
        """Whether a host's name begins with a prefix, in any letter case."""
        return host.lower().startswith(prefix.lower())

    def _read(self, text: str) -> Rule:
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
