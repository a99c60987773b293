"""A cloud inside the test's process, on Nova's own fixtures.

Real API, conductor, scheduler, placement and database code; the virt driver
is Nova's fake one.
"""

import json
import sys
from pathlib import Path

import fixtures
from nova.tests.functional import integrated_helpers

from nova_ext.core import decision
from nova_ext.scheduler import recorder

OUR_MANAGER = 'nova_ext.scheduler.manager.SchedulerManager'
OUR_FILTERS = 'nova_ext.scheduler.filters.all_filters'
OUR_WEIGHERS = 'nova_ext.scheduler.weights.all_weighers'
STOCK_FILTERS = 'nova.scheduler.filters.all_filters'
STOCK_WEIGHERS = 'nova.scheduler.weights.all_weighers'


class CloudTestCase(integrated_helpers.ProviderUsageBaseTestCase):
    """Starts Nova with our scheduler manager and a few hosts."""

    compute_driver = 'fake.MediumFakeDriver'
    hosts: tuple[str, ...] = ('cmp-1', 'cmp-2', 'cmp-3')
    #: None: Nova's own manager, as in a stock nova-scheduler.
    manager: str | None = OUR_MANAGER
    available_filters: tuple[str, ...] = (OUR_FILTERS,)
    weight_classes: tuple[str, ...] = (OUR_WEIGHERS,)
    enabled_filters: tuple[str, ...] = (
        'ComputeFilter', 'SpecifiedHostFilter'
    )
    drivers: tuple[str, ...] = ('FilterScheduler',)

    def setUp(self):
        """Configure before Nova's own set-up starts the services."""
        paste = Path(sys.prefix) / 'etc' / 'nova' / 'api-paste.ini'
        self.record = Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )
        flags = (
            ('wsgi', {'api_paste_config': str(paste)}),
            ('filter_scheduler', {
                'available_filters': list(self.available_filters),
                'weight_classes': list(self.weight_classes),
                'enabled_filters': list(self.enabled_filters),
            }),
            ('nova_ext', {'scheduler_driver': list(self.drivers)}),
            ('nova_ext_record', {'file': str(self.record)}),
        )
        recorder.get.cache_clear()
        self.addCleanup(recorder.get.cache_clear)
        for group, values in flags:
            self.flags(group=group, **values)
        self.configure()
        super().setUp()
        for host in self.hosts:
            self.start_host(host)

    def configure(self):
        """Set further flags before the services start."""

    def start_host(self, host):
        """Start a compute service."""
        self._start_compute(host)

    def start_service(self, name, host=None, **kwargs):
        """As Nova's, with our manager for the scheduler."""
        if name == 'scheduler' and self.manager:
            kwargs.setdefault('manager', self.manager)
        return super().start_service(name, host=host, **kwargs)

    def boot(self, hints=None, api=None, expected_state='ACTIVE', **body):
        """Boot a server and wait for its state.

        :param hints: scheduler hints.
        :param body: further fields of the server.
        :returns: the server.
        """
        server = self._build_server(networks='none')
        server.update(body)
        request = {'server': server}
        if hints:
            request['os:scheduler_hints'] = hints
        created = (api or self.api).post_server(request)
        return self._wait_for_state_change(created, expected_state)

    def host_of(self, server):
        """The host that a server is on now."""
        shown = self.admin_api.get_server(server['id'])
        return shown['OS-EXT-SRV-ATTR:host']

    def decisions(self):
        """All decisions recorded so far, in the order they were made."""
        recorder.get().flush(10)
        lines = self.record.read_text().splitlines()
        return [
            decision.Decision.from_dict(data)
            for data in map(json.loads, lines)
            if 'request_id' in data
        ]
