"""Test the hint that names the host of a new server."""

from tempest import config
from tempest.lib import decorators

from nova_ext.tempest_plugin import base, scheduler_log

CONF = config.CONF

FILTER = 'SpecifiedHostFilter'


class SpecifiedHostTest(base.SchedulerTest):
    """Boot as ``openstack server create --hint requested_host=…`` does."""

    @classmethod
    def skip_checks(cls):
        """Skip where the filter is not enabled."""
        super().skip_checks()
        if not CONF.nova_ext.specified_host_filter:
            raise cls.skipException('[nova_ext] specified_host_filter is off')

    @decorators.idempotent_id('5f0d2f0e-5a3a-4a80-9f8e-0f54d1a6b001')
    def test_host(self):
        """Place a server on the host that it names, whichever that is."""
        for host, client in self._choices():
            server = self.boot(client, {'requested_host': host})
            self.assert_on(host, server)

    def _choices(self):
        """Return hosts, each with a client that may use it."""
        hosts = self.hosts()
        groups = CONF.nova_ext.ip_scheduler_groups
        if not groups:
            return [
                (host, self.hinting.servers_client) for host in hosts[:2]
            ]
        return [
            (self._find_host(hosts, prefix),
             self.client_from(address, self.hinting))
            for address, prefix in groups
        ]

    def _find_host(self, hosts, prefix):
        """Return the first host whose name begins with a prefix."""
        matching = [host for host in hosts if host.startswith(prefix)]
        self.assertNotEqual(
            [], matching, '[nova_ext] ip_scheduler_groups: no host begins '
            f'with {prefix}; there are {", ".join(hosts)}',
        )
        return matching[0]

    @decorators.idempotent_id('5f0d2f0e-5a3a-4a80-9f8e-0f54d1a6b002')
    def test_no_such_host(self):
        """Find no valid host of an unknown name, and log it."""
        server = self.boot(
            self.hinting.servers_client, {'requested_host': 'no-such-host'}
        )
        self.assertEqual('ERROR', server['status'])
        self.assertIn('No valid host was found', server['fault']['message'])
        if not scheduler_log.is_configured():
            return
        self.assertTrue(scheduler_log.wait_for_line(
            server['request_id'], f'Filter {FILTER} returned 0 hosts'
        ))

    @decorators.idempotent_id('5f0d2f0e-5a3a-4a80-9f8e-0f54d1a6b003')
    def test_filter_is_loaded(self):
        """Log that the filter is loaded."""
        if not scheduler_log.is_configured():
            raise self.skipException('[nova_ext] does not name a log')
        line = f'{FILTER} is initialized!'
        if not scheduler_log.wait_for_line(line):
            # The other tests see whether the filter works.
            raise self.skipException(
                f'no "{line}": the log was rotated since the start of the '
                'scheduler, or has no lines at INFO'
            )

    @decorators.idempotent_id('5f0d2f0e-5a3a-4a80-9f8e-0f54d1a6b004')
    def test_refusal(self):
        """Refuse a plain user, who learns nothing about hosts."""
        if CONF.nova_ext.hint_for_everyone:
            raise self.skipException('this cloud lets everyone use the hint')
        plain = self.os_primary.servers_client
        existing = self.boot(plain, {'requested_host': self.hosts()[0]})
        absent = self.boot(plain, {'requested_host': 'no-such-host'})
        self.assertEqual(['ERROR'] * 2, [existing['status'], absent['status']])
        self.assertEqual(
            existing['fault']['message'], absent['fault']['message']
        )

    @decorators.idempotent_id('5f0d2f0e-5a3a-4a80-9f8e-0f54d1a6b005')
    def test_explain(self):
        """Explain from the record why there was no host."""
        server = self.boot(
            self.hinting.servers_client, {'requested_host': 'no-such-host'}
        )
        self.assertIn(
            f'requested_host is no-such-host ({FILTER})',
            self.explain(server),
        )
