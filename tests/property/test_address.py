"""Any rule set, any address: the longest network that holds it."""

import ipaddress

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core.base import errors
from nova_ext.core.request import address_rules

ADDRESSES = st.ip_addresses()
NETWORKS = st.tuples(ADDRESSES, st.integers(0, 128)).map(
    lambda pair: ipaddress.ip_network(
        (pair[0], min(pair[1], pair[0].max_prefixlen)), strict=False
    )
)


class AddressPropertyTest(testtools.TestCase):
    """Rules and addresses of both families."""

    @given(st.lists(NETWORKS, unique=True), ADDRESSES)
    def test_longest_match(self, networks, client):
        """As a plain search over all networks finds it."""
        rules = [f'{net}=g{n}' for n, net in enumerate(networks)]
        rule = address_rules.AddressRules(rules, 'd').match(client)
        holding = [
            net for net in networks
            if net.version == client.version and client in net
        ]
        if not holding:
            self.assertIsNone(rule)
        else:
            self.assertEqual(
                max(net.prefixlen for net in holding),
                rule.network.prefixlen,
            )
            self.assertIn(client, rule.network)

    @given(ADDRESSES, st.integers(0, 65535), st.text())
    def test_every_way_to_write_an_address(self, client, port, junk):
        """Whatever stands before it in the list."""
        plain = getattr(client, 'ipv4_mapped', None) or client
        bracketed = f'[{client}]' if client.version == 6 else str(client)
        for written in (
            str(client), f'{bracketed}:{port}', f'"{bracketed}:{port}"',
            f'for={bracketed}',
        ):
            self.assertEqual(
                plain,
                address_rules.parse_address(f'{junk}, {written}'),
                written,
            )

    @given(st.text())
    def test_no_text_breaks_it(self, raw):
        """Parsing gives an address or None; a rule loads or is refused."""
        address_rules.parse_address(raw)
        try:
            address_rules.AddressRules([raw], '')
        except errors.ConfigurationError as error:
            self.assertIn('[nova_ext_ip_scheduler] rules', str(error))
