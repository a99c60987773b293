"""Servers that are booted where something decides about their host."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from tempest import config, test
from tempest.lib import exceptions
from tempest.lib.common import api_microversion_fixture
from tempest.lib.common.utils import data_utils, test_utils
from tempest.lib.services.compute import servers_client

CONF = config.CONF

#: ``networks: none``, which is free of what a cloud's networks are like.
MICROVERSION = '2.37'


class SchedulerTest(test.BaseTestCase):
    """Skips where tempest.conf does not name nova-ext."""

    credentials = ('primary', 'admin')

    @classmethod
    def skip_checks(cls):
        """nova-ext is there."""
        super().skip_checks()
        if not CONF.service_available.nova_ext:
            raise cls.skipException('[service_available] nova_ext is off')

    def setUp(self):
        """Speak one version of the API."""
        super().setUp()
        self.useFixture(
            api_microversion_fixture.APIMicroversionFixture(MICROVERSION)
        )
        self.admin = self.os_admin.servers_client
        #: Of one who may use the hint requested_host.
        self.hinting = (
            self.os_primary if CONF.nova_ext.hint_for_everyone
            else self.os_admin
        )

    def boot(self, client, hints=None):
        """Boot a server and wait until its fate is known.

        :returns: the server as an administrator sees it, with the id of
            the request that asked for it as ``request_id``.
        """
        created = client.create_server(
            name=data_utils.rand_name(prefix='nova-ext'),
            imageRef=CONF.compute.image_ref,
            flavorRef=CONF.compute.flavor_ref, networks='none',
            **({'scheduler_hints': hints} if hints else {}),
        )
        identifier = created['server']['id']
        self.addCleanup(self._delete, client, identifier)

        shown: dict[str, Any] = {}

        def built():
            shown.update(self.admin.show_server(identifier)['server'])
            return shown['status'] in ('ACTIVE', 'ERROR')

        _wait(built, f'server {identifier} comes to no end')
        request = created.response['x-openstack-request-id']
        return {**shown, 'request_id': request}

    def client_from(self, address, manager):
        """A client of a user whose requests come from an address."""
        client = _ForwardedServersClient(
            manager.auth_provider, CONF.compute.catalog_type,
            CONF.compute.region or CONF.identity.region,
        )
        client.address = address
        return client

    def assert_on(self, host, server):
        """The server is up, and there."""
        self.assertEqual(
            ('ACTIVE', host),
            (server['status'], server['OS-EXT-SRV-ATTR:host']),
            server.get('fault'),
        )

    def explain(self, server):
        """What ``nova-ext explain`` says of a server."""
        if not CONF.nova_ext.record:
            raise self.skipException('[nova_ext] record is not set')
        program = Path(sys.prefix, 'bin', 'nova-ext')
        return subprocess.run(  # noqa: S603  of this environment
            [program, 'explain', server['id'], '--record',
             CONF.nova_ext.record],
            capture_output=True, text=True, check=True,
        ).stdout

    def hosts(self):
        """Names of the compute hosts that are up and enabled."""
        listed = self.os_admin.services_client.list_services(
            binary='nova-compute'
        )['services']
        return sorted(
            service['host'] for service in listed
            if (service['state'], service['status']) == ('up', 'enabled')
        )

    def _delete(self, client, identifier):
        client.delete_server(identifier)

        def gone():
            try:
                self.admin.show_server(identifier)
            except exceptions.NotFound:
                return True
            return False

        _wait(gone, f'server {identifier} is still there')


def _wait(question, otherwise):
    """Ask until the answer is yes, for as long as a build may take."""
    if not test_utils.call_until_true(
        question, CONF.compute.build_timeout, CONF.compute.build_interval
    ):
        raise exceptions.TimeoutException(otherwise)


class _ForwardedServersClient(servers_client.ServersClient):
    """A user behind a proxy that tells their address."""

    address = ''

    def get_headers(self, *args, **kwargs):
        """Tell the address with each request."""
        return {
            **super().get_headers(*args, **kwargs),
            'X-Forwarded-For': self.address,
        }
