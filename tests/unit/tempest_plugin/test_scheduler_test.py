"""What tests on a cloud take from tempest.conf."""

from pathlib import Path
from types import SimpleNamespace

import fixtures
import testtools

from nova_ext.tempest_plugin.tests import (
    test_ip_scheduler,
    test_specified_host,
)
from tests.unit.tempest_plugin import base


class ClientTest(base.TempestConfTestCase):
    """A client whose requests come from an address."""

    def connect(self, **options):
        """Return a client, by options of TLS and of the way to a service."""
        self.configure(
            identity=SimpleNamespace(
                disable_ssl_certificate_validation=options.get(
                    'insecure', False
                ),
                ca_certificates_file=options.get('ca'), region='Moon',
            ),
            debug=SimpleNamespace(trace_requests=''),
            service_clients=SimpleNamespace(
                http_timeout=7, proxy_url=options.get('proxy'),
            ),
            compute=SimpleNamespace(
                endpoint_type='internalURL', build_timeout=5,
                build_interval=1, region='', catalog_type='computing',
            ),
            compute_feature_enabled=SimpleNamespace(
                enable_instance_password=False,
            ),
        )
        provider = SimpleNamespace()
        case = test_specified_host.SpecifiedHostTest('test_host')
        client = case.client_from(
            '192.0.2.5', SimpleNamespace(auth_provider=provider)
        )
        self.assertIs(provider, client.auth_provider)
        return client

    def test_service(self):
        """Find the service as Tempest's own client does."""
        client = self.connect()
        self.assertEqual(
            ('192.0.2.5', 'computing', 'Moon', 'internalURL', False),
            (client.address, client.service, client.region,
             client.endpoint_type, client.enable_instance_password),
        )

    def test_tls(self):
        """Trust the CA that tempest.conf names, or any certificate."""
        kept = self.connect(ca='/etc/ca.pem').http_obj.connection_pool_kw
        self.assertEqual('/etc/ca.pem', kept['ca_certs'])
        self.assertEqual(7, kept['timeout'])
        kept = self.connect(insecure=True).http_obj.connection_pool_kw
        self.assertEqual('CERT_NONE', kept['cert_reqs'])

    def test_proxy(self):
        """Go through the proxy."""
        client = self.connect(proxy='http://proxy.example:3128')
        self.assertEqual('proxy.example', client.http_obj.proxy.host)


class HostsTest(base.TempestConfTestCase):
    """Hosts that tests place servers on."""

    def choose(self, lines='', up=('a1', 'a2', 'b1')):
        """Return the hosts that test_host boots on."""
        self.configure(lines)
        case = test_specified_host.SpecifiedHostTest('test_host')
        case.hinting = SimpleNamespace(servers_client=None)
        case.client_from = lambda address, manager: address
        services = [
            {'host': host, 'state': 'up', 'status': status}
            for host, status in (('a0', 'disabled'), *(
                (host, 'enabled') for host in up
            ))
        ]
        case.os_admin = SimpleNamespace(services_client=SimpleNamespace(
            list_services=lambda binary: {'services': services}
        ))
        return [host for host, _ in case._choices()]

    def test_hosts(self):
        """Take the first two, or those that tempest.conf names."""
        self.assertEqual(['a1', 'a2'], self.choose())
        self.assertEqual(['b1'], self.choose('hosts = b1'))
        self.assertEqual(
            ['a2', 'b1'],
            self.choose('hosts = b1,a2\nip_scheduler_groups = '
                        '10.1.0.5:a,10.2.0.5:b'),
        )

    def test_none(self):
        """Name the prefix without a host, and say that there is no host."""
        error = self.assertRaises(
            AssertionError, self.choose, 'ip_scheduler_groups = 10.1.0.5:c'
        )
        self.assertIn('ip_scheduler_groups: no host begins with c; there are '
                      'a1, a2, b1', str(error))
        error = self.assertRaises(AssertionError, self.choose, up=())
        self.assertIn('no compute host is up and enabled', str(error))


class SkipTest(base.TempestConfTestCase):
    """Tests that are skipped, and say why."""

    def setUp(self):
        """Leave Tempest's own reasons out."""
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'tempest.test.BaseTestCase.skip_checks',
            classmethod(lambda cls: None),
        ))

    def read_reason(self, function):
        """Return why a function skips; empty where it does not."""
        try:
            function()
        except testtools.TestCase.skipException as skipped:
            return str(skipped)
        return ''

    def read_reasons(self):
        """Return why the hint's tests, and IPScheduler's, are skipped."""
        return [self.read_reason(case.skip_checks) for case in (
            test_specified_host.SpecifiedHostTest,
            test_ip_scheduler.IPSchedulerTest,
        )]

    def test_filter(self):
        """Leave the hint's tests out, and IPScheduler's in."""
        groups = 'ip_scheduler_groups = 10.1.0.5:doc\n'
        for lines, reason in (
            ('specified_host_filter = False',
             '[nova_ext] specified_host_filter is off'),
            ('', ''),
        ):
            self.configure(f'{groups}{lines}\n'
                           '[service_available]\nnova_ext = True')
            self.assertEqual([reason, ''], self.read_reasons())

    def test_service(self):
        """Leave all out where there is no nova-ext."""
        self.configure('ip_scheduler_groups = 10.1.0.5:doc')
        self.assertEqual(['[service_available] nova_ext is off'] * 2,
                         self.read_reasons())

    def test_rotated_log(self):
        """A log whose beginning is gone says nothing of the filter."""
        self.expect_no_wait()
        log = Path(self.useFixture(fixtures.TempDir()).path, 'scheduler.log')
        case = test_specified_host.SpecifiedHostTest('test_filter_is_loaded')
        for line, reason in (
            ('SpecifiedHostFilter is initialized!', ''),
            ('Filter SpecifiedHostFilter returned 0 hosts', 'rotated'),
        ):
            log.write_text(f'{line}\n')
            self.configure(f'scheduler_logs = {log}')
            said = self.read_reason(case.test_filter_is_loaded)
            self.assertIn(reason, said)
            self.assertEqual(bool(reason), bool(said))

    def test_no_record(self):
        """Without a record there is nothing to explain from."""
        self.configure()
        case = test_specified_host.SpecifiedHostTest('test_explain')
        self.assertEqual(
            '[nova_ext] record is not set',
            self.read_reason(lambda: case.explain({'id': 'server-1'})),
        )
