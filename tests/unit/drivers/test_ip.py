"""IPScheduler narrows to the client's group."""

import logging

import fixtures
import testtools

from nova_ext import testing
from nova_ext.drivers.ip import IPScheduler

OPTIONS = {
    'rules': ['10.1.0.0/16=doc', '10.2.0.0/16=ops'],
    'default_prefix': 'dev',
    'address_element': 'last',
}
HOSTS = [
    testing.make_host(name)
    for name in ('doc-1', 'doc-2', 'ops-1', 'dev-1', 'cmp-1')
]


class Facts:
    """Where each server is, and which hosts are up."""

    def __init__(self, server_host=None):
        self._server_host = server_host

    def get_server_host(self, context, server_uuid):
        """Return the one host."""
        return self._server_host

    def hosts_up(self, context, topic):
        """All hosts."""
        return [host.host for host in HOSTS]


class IPSchedulerTest(testtools.TestCase):
    """By address at first boot, by host later."""

    def setUp(self):
        """Listen to the log."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger(level=logging.INFO))

    def rank(self, address='10.1.0.5', host=None, hosts=HOSTS, **request):
        """Names of the hosts that are left, sorted, and why."""
        driver = IPScheduler(Facts(host), OPTIONS)
        ranking = driver.rank(
            hosts, testing.make_request(**request),
            testing.make_context(remote_address=address),
        )
        return sorted(h.host for h in ranking.hosts), ranking.reason

    def test_three_groups(self):
        """Two rules and the default."""
        self.assertEqual(
            (['doc-1', 'doc-2'], 'not doc* (rule 10.1.0.0/16=doc)'),
            self.rank('10.1.0.5'),
        )
        self.assertEqual(['ops-1'], self.rank('10.2.9.9')[0])
        self.assertEqual(
            (['dev-1'], 'not dev* (default_prefix)'), self.rank('192.0.2.1')
        )

    def test_every_host_of_the_group_comes_first_at_times(self):
        """The order is random."""
        driver = IPScheduler(Facts(), OPTIONS)
        first = {
            driver.rank(
                HOSTS, testing.make_request(),
                testing.make_context(remote_address='10.1.0.5'),
            ).hosts[0].host
            for _ in range(200)
        }
        self.assertEqual({'doc-1', 'doc-2'}, first)

    def test_no_readable_address(self):
        """The default group, and the log says so."""
        for address in (None, 'unknown'):
            self.assertEqual(['dev-1'], self.rank(address)[0])
            self.assertIn(
                f'No readable client address in {address!r}', self.log.output
            )

    def test_no_host_in_the_group(self):
        """Nothing is left, and the log names the rule."""
        left, why = self.rank('10.2.0.1', hosts=HOSTS[:2])
        self.assertEqual([], left)
        self.assertIn('10.2.0.0/16=ops', why)
        self.assertIn('rule 10.2.0.0/16=ops', self.log.output)

    def test_a_move_stays_in_the_group_of_the_host(self):
        """Whoever moves the server, from wherever."""
        for fields in (
            {'ignore_hosts': ['doc-1']},
            {'requested_destination': testing.FakeDestination(cell='c')},
        ):
            left, why = self.rank('192.0.2.1', host='doc-1', **fields)
            self.assertEqual(['doc-1', 'doc-2'], left)
            self.assertEqual("not doc* (the server's host doc-1)", why)

    def test_a_server_of_no_group_moves_anywhere(self):
        """Its host matches no prefix."""
        left, _ = self.rank(host='cmp-1', ignore_hosts=['cmp-1'])
        self.assertEqual(5, len(left))

    def test_left_alone(self):
        """Rebuilds, forced and requested hosts."""
        for fields in (
            {'hints': {'_nova_check_type': 'rebuild'},
             'force_hosts': ['cmp-1'], 'force_nodes': ['cmp-1']},
            {'force_hosts': ['cmp-1']},
            {'requested_destination': testing.FakeDestination(host='cmp-1')},
        ):
            self.assertEqual(5, len(self.rank(**fields)[0]))

    def test_the_log_line(self):
        """Client and host, once a server."""
        driver = IPScheduler(Facts(), OPTIONS)
        driver.on_scheduled(
            ['doc-1', 'doc-2'], testing.make_request(),
            testing.make_context(remote_address='192.0.2.1, 10.1.0.5'),
        )
        self.assertIn(
            'Request from 10.1.0.5 scheduled to doc-1\n'
            'Request from 10.1.0.5 scheduled to doc-2\n', self.log.output,
        )

    def test_groups(self):
        """By prefix; the empty group holds what belongs to none."""
        driver = IPScheduler(Facts(), OPTIONS)
        self.assertEqual(
            {'doc': ['doc-1', 'doc-2'], 'ops': ['ops-1'], 'dev': ['dev-1'],
             '': ['cmp-1']},
            driver.group_hosts(testing.make_context(), 'compute'),
        )
