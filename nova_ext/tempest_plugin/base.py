"""Boot servers in tests of where they are placed."""

from typing import Any

from tempest import config, test
from tempest.lib import exceptions
from tempest.lib.common import api_microversion_fixture
from tempest.lib.common.utils import data_utils, test_utils
from tempest.lib.services.compute import servers_client

from nova_ext.tempest_plugin import decision_record

CONF = config.CONF

#: Has ``networks: none``, so that no test depends on a cloud's networks.
MICROVERSION = '2.37'


class SchedulerTest(test.BaseTestCase):
    """Skip all tests where tempest.conf does not name nova-ext."""

    credentials = ('primary', 'admin')

    @classmethod
    def skip_checks(cls):
        """Skip where there is no nova-ext."""
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
        #: A user who may use the hint requested_host.
        self.hinting = (
            self.os_primary if CONF.nova_ext.hint_for_everyone
            else self.os_admin
        )

    def boot(self, client, hints=None):
        """Boot a server and wait until it is ACTIVE or in ERROR.

        :returns: the server as an administrator sees it, and the id of the
            request for it as ``request_id``.
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

        def is_built():
            shown.update(self.admin.show_server(identifier)['server'])
            return shown['status'] in ('ACTIVE', 'ERROR')

        _wait(is_built, f'server {identifier} is still building')
        request = created.response['x-openstack-request-id']
        return {**shown, 'request_id': request}

    def client_from(self, address, manager):
        """Return a client whose requests come from an address."""
        features = CONF.compute_feature_enabled
        client = _ForwardedServersClient(
            manager.auth_provider,
            enable_instance_password=features.enable_instance_password,
            **config.service_client_config('compute'),
        )
        client.address = address
        return client

    def assert_on(self, host, server):
        """Check that the server is ACTIVE on a host."""
        self.assertEqual(
            ('ACTIVE', host),
            (server['status'], server['OS-EXT-SRV-ATTR:host']),
            server.get('fault'),
        )

    def explain(self, server):
        """Return what ``nova-ext explain`` prints of a server."""
        if not CONF.nova_ext.record:
            raise self.skipException('[nova_ext] record is not set')
        return decision_record.explain(server['id'])

    def hosts(self):
        """Return names of compute hosts to place servers on.

        They are up and enabled, unless tempest.conf names others.
        """
        if CONF.nova_ext.hosts:
            return CONF.nova_ext.hosts
        listed = self.os_admin.services_client.list_services(
            binary='nova-compute'
        )['services']
        names = sorted(
            service['host'] for service in listed
            if (service['state'], service['status']) == ('up', 'enabled')
        )
        self.assertNotEqual([], names, 'no compute host is up and enabled')
        return names

    def _delete(self, client, identifier):
        client.delete_server(identifier)

        def is_gone():
            try:
                self.admin.show_server(identifier)
            except exceptions.NotFound:
                return True
            return False

        _wait(is_gone, f'server {identifier} is still there')


def _wait(condition, error):
    """Wait until a condition holds, for as long as a build may take."""
    if not test_utils.call_until_true(
        condition, CONF.compute.build_timeout, CONF.compute.build_interval
    ):
        raise exceptions.TimeoutException(error)


class _ForwardedServersClient(servers_client.ServersClient):
    """Send requests as a proxy does that knows the client's address."""

    address = ''

    def get_headers(self, *args, **kwargs):
        """Return the headers of each request, with the address."""
        return {
            **super().get_headers(*args, **kwargs),
            'X-Forwarded-For': self.address,
        }
