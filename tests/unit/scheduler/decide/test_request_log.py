"""Requests are logged on demand, secrets masked."""

import fixtures
from nova import context as nova_context
from nova import objects

from nova_ext.scheduler.decide import request_log
from tests.unit.scheduler import configured


class RequestLogTest(configured.ConfiguredTestCase):
    """Off unless asked for."""

    def log(self):
        """Log one request and give what was logged."""
        log = self.useFixture(fixtures.FakeLogger())
        context = nova_context.RequestContext(
            user_id='u', project_id='p', auth_token='t0k3n',  # noqa: S106  the secret to be masked
            service_catalog=[{'type': 'compute'}], remote_address='10.1.0.9',
        )
        spec = objects.RequestSpec(
            context, num_instances=1, project_id='p', image=None,
            flavor=objects.Flavor(name='m1.tiny', memory_mb=512),
            scheduler_hints={'requested_host': ['cmp-2'],
                             'admin_password': ['s3cret'],
                             'query': ['admin_password="s3cret"']},
            instance_group=None, numa_topology=None, pci_requests=None,
            availability_zone=None,
            instance_uuid='00000000-0000-0000-0000-0000000000aa',
        )
        request_log.log(context, spec, None)
        return log.output

    def setUp(self):
        """Register Nova's objects."""
        super().setUp()
        objects.register_all()

    def test_off(self):
        """By default nothing is logged."""
        self.assertEqual('', self.log())

    def test_on(self):
        """Context, request spec and hints are there; no secret is."""
        self.flags('nova_ext', log_requests=True)
        logged = self.log()
        for words in ("context = {", '10.1.0.9', 'request_spec = {',
                      'm1.tiny', 'cmp-2'):
            self.assertIn(words, logged)
        for secret in ('t0k3n', 's3cret'):
            self.assertNotIn(secret, logged)
