"""What drivers are told of the cloud, from real services."""

from nova import context as nova_context
from oslo_context import context as oslo_context

from nova_ext.scheduler.facts import nova_facts
from tests.functional import base


class FactsTest(base.CloudTestCase):
    """Three groups of hosts, as IPScheduler's rules name them."""

    hosts = ('doc-1', 'ops-1', 'ops-2', 'spare')
    drivers = ('IPScheduler',)

    def configure(self):
        """Servers go to any host."""
        self.flags(default_prefix='', group='nova_ext_ip_scheduler')

    def test_hosts(self):
        """Up is neither disabled nor down; groups are by prefix."""
        driver = self.scheduler.decider.driver
        self.assertEqual(
            sorted(self.hosts), driver.hosts_up(None, 'compute')
        )
        self.assertEqual(
            {'doc': ['doc-1'], 'ops': ['ops-1', 'ops-2'], '': ['spare']},
            driver.group_hosts(None, 'compute'),
        )
        self.disable('ops-1')
        self.take_down('spare')
        self.assertEqual(
            ['doc-1', 'ops-2'], driver.hosts_up(None, 'compute')
        )
        self.assertEqual(
            {'doc': ['doc-1'], 'ops': ['ops-2']},
            driver.group_hosts(None, 'compute'),
        )
        facts = nova_facts.NovaFacts()
        self.assertEqual(set(self.hosts), set(facts.list_all_hosts()))

    def test_server_host(self):
        """The host now; when shelved, the last; before the first, none."""
        current = nova_context.RequestContext('user', 'project')
        ask = nova_facts.NovaFacts().get_server_host
        for kind in ({}, self.from_volume()):
            server = self.boot({'requested_host': 'ops-1'}, **kind)
            self.assertEqual('ops-1', ask(current, server['id']))
            self._shelve_server(server)
            self.assertIsNone(self.host_of(server))
            self.assertEqual('ops-1', ask(current, server['id']))
        # The API runs in this thread too.
        current.update_store()
        self.assertEqual('ops-1', ask(current, server['id']))
        self.assertIs(current, oslo_context.get_current())
        failed = self.boot({'requested_host': 'x'}, expected_state='ERROR')
        self.assertIsNone(ask(current, failed['id']))
        self.assertIsNone(ask(current, current.request_id))
