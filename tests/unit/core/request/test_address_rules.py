"""Client addresses and the rules that sort them."""

import ipaddress

import testtools
import webob
from oslo_middleware import http_proxy_to_wsgi

from nova_ext.core.base import errors
from nova_ext.core.request import address_rules

RULES = ['10.1.0.0/16=doc', '10.2.0.0/16=ops']


class ParseTest(testtools.TestCase):
    """One address is read out of whatever a proxy passes on."""

    def test_forms(self):
        """Bare, with a port, bracketed, quoted, scoped, mapped."""
        for raw, expected in (
            ('10.1.2.3', '10.1.2.3'),
            ('10.1.2.3:5050', '10.1.2.3'),
            ('2001:db8::1', '2001:db8::1'),
            ('[2001:db8::1]', '2001:db8::1'),
            ('[2001:db8::1]:443', '2001:db8::1'),
            ('"[2001:db8::1]:443"', '2001:db8::1'),
            ('for="[2001:db8::1]:443"', '2001:db8::1'),
            ('for=10.1.2.3', '10.1.2.3'),
            ('fe80::1%eth0', 'fe80::1'),
            ('::ffff:10.1.2.3', '10.1.2.3'),
            (' 10.1.2.3 ', '10.1.2.3'),
        ):
            self.assertEqual(
                ipaddress.ip_address(expected),
                address_rules.parse_address(raw),
                raw,
            )

    def test_what_novas_middleware_hands_on(self):
        """Of Forwarded the first element, which is no proxy's, alone."""
        def answer(environ, start_response):
            start_response('200 OK', [])
            return [environ['REMOTE_ADDR'].encode()]

        behind = http_proxy_to_wsgi.HTTPProxyToWSGI(
            answer, {'enable_proxy_headers_parsing': True}
        )
        both = {'X-Forwarded-For': '10.1.0.1, 10.2.0.1'}
        for forwarded, expected in (
            ({}, '10.2.0.1'),
            ({'Forwarded': 'for=192.0.2.9, for=10.2.0.1'}, '192.0.2.9'),
            ({'Forwarded': 'for="[2001:db8::1]:80"'}, '2001:db8::1'),
        ):
            sent = webob.Request.blank('/', headers={**both, **forwarded})
            raw = sent.get_response(behind).text
            self.assertEqual(
                expected, str(address_rules.parse_address(raw)), raw
            )

    def test_which_element_of_a_list(self):
        """The last counts unless the first is asked for."""
        raw = '203.0.113.9, 10.1.0.1, 10.2.0.1'
        self.assertEqual('10.2.0.1', str(address_rules.parse_address(raw)))
        self.assertEqual(
            '203.0.113.9', str(address_rules.parse_address(raw, 'first'))
        )

    def test_no_other_element_is_tried(self):
        """A broken last element does not hand the choice to the client."""
        for raw in ('10.1.0.1, ', '10.1.0.1, unknown', '10.1.0.1, _hidden'):
            self.assertIsNone(address_rules.parse_address(raw), raw)

    def test_unreadable(self):
        """What is no address is None."""
        for raw in (None, '', 'unknown', '10.1', '10.1.2.3.4', '[', '::g'):
            self.assertIsNone(address_rules.parse_address(raw), raw)


class RulesTest(testtools.TestCase):
    """Networks lead to prefixes."""

    def match(self, text, rules=RULES):
        """Return the prefix for an address."""
        rule = address_rules.AddressRules(rules, 'dev').match(
            ipaddress.ip_address(text)
        )
        return rule.prefix if rule else None

    def test_networks_are_no_string_prefixes(self):
        """10.10.x.x is not in 10.1.0.0/16."""
        self.assertEqual('doc', self.match('10.1.255.9'))
        self.assertEqual('ops', self.match('10.2.0.1'))
        self.assertIsNone(self.match('10.10.0.1'))
        self.assertIsNone(self.match('10.20.0.1'))

    def test_longest_network_wins(self):
        """Whatever the order of the rules."""
        rules = ['10.0.0.0/8=all', '10.1.2.0/24=lab', '10.1.0.0/16=doc']
        for ordered in (rules, rules[::-1]):
            self.assertEqual('lab', self.match('10.1.2.3', ordered))
            self.assertEqual('doc', self.match('10.1.3.3', ordered))
            self.assertEqual('all', self.match('10.9.9.9', ordered))

    def test_both_families(self):
        """An IPv4 rule never holds an IPv6 address."""
        rules = ['0.0.0.0/0=four', '2001:db8::/32=six']
        self.assertEqual('six', self.match('2001:db8::7', rules))
        self.assertIsNone(self.match('2001:db9::7', rules))
        self.assertEqual('four', self.match('192.0.2.1', rules))

    def test_malformed(self):
        """One line names the option, the rule and a good example."""
        for rule, what in (
            ('10.1.0.0/16', 'not of the form'),
            ('=doc', 'not of the form'),
            ('10.1.0.0/16=', 'not of the form'),
            ('10.1/16=doc', 'is no network'),
            ('10.1.0.1/16=doc', 'host bits set'),
            ('10.1.0.0/33=doc', 'is no network'),
        ):
            error = self.assertRaises(
                errors.ConfigurationError,
                address_rules.AddressRules,
                [rule],
                'dev',
            )
            self.assertIn(what, str(error))
            self.assertIn('[nova_ext_ip_scheduler] rules', str(error))
            self.assertIn(rule, str(error))
            self.assertNotIn('\n', str(error))

    def test_two_rules_for_one_network(self):
        """They would contradict each other."""
        error = self.assertRaises(
            errors.ConfigurationError, address_rules.AddressRules,
            ['10.1.0.0/16=doc', '10.1.0.0/16=ops'], 'dev',
        )
        self.assertIn('has a rule already', str(error))

    def test_prefix_of_a_host(self):
        """The longest prefix in use, the default's among them."""
        rules = address_rules.AddressRules([*RULES, '10.3.0.0/16=do'], 'dev')
        self.assertEqual('doc', rules.prefix_of('DOC-1'))
        self.assertEqual('do', rules.prefix_of('do-1'))
        self.assertEqual('dev', rules.prefix_of('dev-1'))
        self.assertIsNone(rules.prefix_of('cmp-1'))
        self.assertEqual('', address_rules.AddressRules([], '').prefix_of('x'))
