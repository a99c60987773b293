"""Test IPScheduler."""

from tempest import config
from tempest.lib import decorators

from nova_ext.tempest_plugin import base, scheduler_log

CONF = config.CONF


class IPSchedulerTest(base.SchedulerTest):
    """Place servers where the cloud passes addresses on."""

    @classmethod
    def skip_checks(cls):
        """Skip where IPScheduler is not in use."""
        super().skip_checks()
        if not CONF.nova_ext.ip_scheduler_groups:
            raise cls.skipException('[nova_ext] ip_scheduler_groups is empty')

    @decorators.idempotent_id('5f0d2f0e-5a3a-4a80-9f8e-0f54d1a6b011')
    def test_groups(self):
        """Place a server on a host of its client's group, and log it."""
        for address, prefix in CONF.nova_ext.ip_scheduler_groups:
            server = self.boot(self.client_from(address, self.os_primary))
            host = server['OS-EXT-SRV-ATTR:host']
            self.assert_on(host, server)
            self.assertTrue(host.startswith(prefix), (address, host))
            if scheduler_log.is_configured():
                self.assertTrue(scheduler_log.wait_for_line(
                    server['request_id'],
                    f'Request from {address} scheduled to {host}',
                ))
