"""Test how a request and the configuration are described and logged."""

import fixtures
from nova import context as nova_context
from nova import objects

from nova_ext import testing
from nova_ext.scheduler.trace import request_facts
from tests.unit.scheduler import configured

TEXT = 'admin_password="s3cret"'


class DescribeRequestTest(configured.ConfiguredTestCase):
    """Test the facts of a request."""

    def test_hints(self):
        """Mask passwords in hints, whatever their names."""
        facts = request_facts.describe_request(testing.make_request({
            'query': [TEXT, 'cmp-1'], 'my_password': 's3cret',
        }))
        self.assertEqual({
            'query': ['admin_password="***"', 'cmp-1'],
            'my_password': '***',
        }, facts['hints'])


class ConfigurationTest(configured.ConfiguredTestCase):
    """Test the digest of the configuration."""

    def test_options(self):
        """Change with several groups, and options of [DEFAULT]."""
        digests = {request_facts.digest_configuration()}
        for group, values in (
            ('filter_scheduler', {'ram_weight_multiplier': 7.0}),
            (None, {'service_down_time': 181}),
            (None, {'default_availability_zone': 'elsewhere'}),
            (None, {'default_schedule_zone': 'elsewhere'}),
        ):
            self.flags(group, **values)
            digest = request_facts.digest_configuration()
            self.assertNotIn(digest, digests, values)
            digests.add(digest)

    def test_others(self):
        """Stay the same where no decision depends on the option."""
        before = request_facts.digest_configuration()
        self.flags(None, report_interval=11)
        self.flags('nova_ext_record', ask_again_every_s=7)
        self.assertEqual(before, request_facts.digest_configuration())


class LogRequestTest(configured.ConfiguredTestCase):
    """Test the log of requests."""

    def setUp(self):
        """Register Nova's objects."""
        super().setUp()
        objects.register_all()

    def log(self):
        """Log one request, and return what was logged."""
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        context = nova_context.RequestContext(
            user_id='u', project_id='p', auth_token='t0k3n',  # noqa: S106  the secret to be masked
            service_catalog=[{'type': 'compute'}], remote_address='10.1.0.9',
        )
        spec = objects.RequestSpec(
            context, num_instances=1, project_id='p', image=None,
            flavor=objects.Flavor(
                name='m1.tiny', memory_mb=512,
                extra_specs={
                    'x:password': 's3cret', 'x:api_key': 's3cret',
                    'hw:mem': 'large',
                },
            ),
            scheduler_hints={'requested_host': ['cmp-2'], 'token': ['s3cret'],
                             'x': ['Authorization: Bearer s3cret'],
                             'admin_password': ['s3cret'], 'query': [TEXT]},
            instance_group=None, numa_topology=None, pci_requests=None,
            availability_zone=None,
            instance_uuid='00000000-0000-0000-0000-0000000000aa',
        )
        request_facts.log_request(context, spec, None)
        return log.output

    def test_off(self):
        """Log nothing by default."""
        self.assertEqual('', self.log())

    def test_on(self):
        """Log context, request spec and hints, but no secret."""
        self.flags('nova_ext', log_requests=True)
        logged = self.log()
        for words in ('context = {', '10.1.0.9', 'request_spec = {',
                      'm1.tiny', 'cmp-2', 'hw:mem'):
            self.assertIn(words, logged)
        for secret in ('t0k3n', 's3cret'):
            self.assertNotIn(secret, logged)
