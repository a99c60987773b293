"""A cloud inside the test's process, on Nova's own fixtures.

Real API, conductor, scheduler, placement and database code; the virt driver
is Nova's fake one.
"""

import datetime
import json
import logging
import sys
import time
from pathlib import Path
from unittest import mock

import fixtures
from nova import objects
from nova.tests import fixtures as nova_fixtures
from nova.tests.functional import integrated_helpers
from nova.tests.functional.api import client
from oslo_log import formatters
from oslo_middleware import http_proxy_to_wsgi
from testtools import testcase

from nova_ext.core.decision import decision
from nova_ext.scheduler.base import options
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.plugin_mode import open_requests, sequence
from tests.functional import (
    kept_connections,
    kept_statements,
    nova_names,
    orderly_ends,
    readers_first,
    shared,
)
from tests.functional.patience import PatientMixin

options.register_all()

OUR_MANAGER = 'nova_ext.scheduler.manager.SchedulerManager'
OUR_FILTERS = 'nova_ext.scheduler.filters.all_filters'
OUR_WEIGHERS = 'nova_ext.scheduler.weights.all_weighers'
STOCK_FILTERS = 'nova.scheduler.filters.all_filters'
STOCK_WEIGHERS = 'nova.scheduler.weights.all_weighers'
#: As any image of Nova's fixture.
IMAGE = nova_fixtures.GlanceFixture.image1['id']


class CloudTestCase(
    testcase.WithAttributes, PatientMixin,
    integrated_helpers.ProviderUsageBaseTestCase,
):
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
    #: 0: nothing is asked of placement behind a test's back.
    ask_again_every_s = 0

    def setUp(self):
        """Configure before Nova's own set-up starts the services."""
        self.useFixture(nova_names.ListedNames())
        # Outermost, for what Nova logs after its own fixture is gone.
        self.useFixture(fixtures.FakeLogger())
        self.useFixture(shared.SharedFixture())
        self.useFixture(kept_connections.KeptConnections())
        self.useFixture(orderly_ends.OrderlyEnds())
        self.useFixture(kept_statements.KeptStatements())
        self.useFixture(readers_first.ReadersFirst())
        # A busy machine reads late what is of a decision's moment.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.completion.completion.FACTS_WITHIN_S', 60.0
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.core.decision.placement_diagnosis.RIGHT_AFTER',
            datetime.timedelta(minutes=5),
        ))
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
            ('nova_ext', {
                'scheduler_driver': list(self.drivers),
                'mirror_path': self.useFixture(fixtures.TempDir()).path,
            }),
            ('nova_ext_record', {
                'file': str(self.record),
                'ask_again_every_s': self.ask_again_every_s,
            }),
        )
        self._forget_other_tests()
        self.addCleanup(self._forget_other_tests)
        for group, values in flags:
            self.flags(group=group, **values)
        # Whether Nova's answers have Nova's schemas is for Nova's tests.
        self.flags(group='api', response_validation='ignore')
        self.configure()
        # Nobody listens yet to what Nova tells of its first flavors.
        with mock.patch.object(objects.Flavor, '_send_notification'):
            super().setUp()
        # Nova's tests spend a third of their time formatting DEBUG lines.
        logging.getLogger().setLevel(logging.INFO)
        # While its databases are there.
        self.addCleanup(wait_for_record, self)
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

    @property
    def scheduler(self):
        """The scheduler's manager."""
        return self.scheduler_service.manager

    def add_to_aggregate(self, aggregate, host):
        """Add a host, and wait until the scheduler knows.

        Each cast tells the whole aggregate; a late one undoes others.

        :param aggregate: its id.
        """
        self.admin_api.add_host_to_aggregate(aggregate, host)
        known = self.scheduler.host_manager.host_aggregates_map
        self.wait_for(
            lambda: aggregate in known.get(host, ()),
            f'{host} in aggregate {aggregate}',
        )

    def client(self, user='admin', roles=('admin',), address=None):
        """A client of the API.

        :param roles: beside reader and member.
        :param address: where the requests come from, as a proxy tells it.
        """
        made = _Client(
            user, self.admin_api.base_url, self.admin_api.project_id,
            ['reader', 'member', *roles],
        )
        made.microversion = self.microversion
        made.address = address
        return made

    def boot(self, hints=None, api=None, expected_state='ACTIVE', **body):
        """Boot a server and wait for its state.

        :param hints: scheduler hints.
        :param body: further fields of the server.
        :returns: the server.
        """
        server = self._build_server(
            networks='none', flavor_id='1', image_uuid=IMAGE
        )
        server.update(body)
        request = {'server': server}
        if hints:
            request['os:scheduler_hints'] = hints
        created = (api or self.api).post_server(request)
        return self._wait_for_state_change(created, expected_state)

    def boot_many(self, count, hints=None, api=None, expected_state='ACTIVE',
                  **body):
        """Boot servers with one request.

        :returns: the servers, in the order in which they were placed.
        """
        first = self.boot(
            hints, api, expected_state, min_count=count, max_count=count,
            **body
        )
        reservation = first['OS-EXT-SRV-ATTR:reservation_id']
        listed = self.admin_api.get_servers(
            search_opts={'reservation_id': reservation}
        )
        listed.sort(key=lambda s: s['OS-EXT-SRV-ATTR:launch_index'])
        return [
            self._wait_for_state_change(server, expected_state)
            for server in listed
        ]

    def act(self, server, action, body=None, api=None):
        """Ask for an action on a server."""
        (api or self.api).post_server_action(server['id'], {action: body})

    def host_of(self, server):
        """The host that a server is on now."""
        shown = self.admin_api.get_server(server['id'])
        return shown['OS-EXT-SRV-ATTR:host']

    def from_volume(self):
        """Fields of a server that boots from a volume."""
        return {'imageRef': '', 'block_device_mapping_v2': [{
            'boot_index': 0, 'source_type': 'volume',
            'destination_type': 'volume',
            'uuid': nova_fixtures.CinderFixture.IMAGE_BACKED_VOL,
        }]}

    def other_image(self, server):
        """An image that the server was not made from."""
        return next(
            image['id'] for image in self.glance.detail(None)
            if image['id'] != server['image']['id']
        )

    def disable(self, host, disabled=True, reason=None):
        """Disable a host's compute service, or enable it."""
        (service,) = self.admin_api.get_services(
            host=host, binary='nova-compute'
        )
        self.admin_api.put_service(service['id'], {
            'status': 'disabled' if disabled else 'enabled',
            **({'disabled_reason': reason} if reason else {}),
        })

    def take_down(self, host):
        """Stop a host's compute service; Nova knows that it is down."""
        self.computes[host].stop()
        self.admin_api.put_service_force_down(
            self.computes[host].service_ref.uuid, True
        )

    def decisions(self):
        """All decisions recorded so far, in the order they were made."""
        wait_for_record(self)
        return read_decisions(self.record)

    def request_log(self):
        """Collect what is logged from now on, as in a service's file.

        :returns: a fixture with ``output``; each line holds the request id.
        """
        return self.useFixture(
            fixtures.FakeLogger(
                format='-', formatter=_formatter, nuke_handlers=False
            )
        )

    def _forget_other_tests(self):
        """A process runs one scheduler; a test process one after another."""
        recorder.get.cache_clear()
        nova_facts.get.cache_clear()
        sequence.made_classes.clear()
        traced.stop_tracing_instances()


class _Client(client.TestOpenStackClient):
    """Nova's test client, behind a proxy that tells the client's address."""

    address = None

    def request(self, url, method='GET', body=None, headers=None):
        """Send a request."""
        headers = dict(headers or {})
        if self.address:
            headers['X-Forwarded-For'] = self.address
        return super().request(url, method, body, headers)


def wait_for_record(test):
    """Wait until all that was decided so far is recorded."""
    deadline = time.monotonic() + 60
    while open_requests.count():
        test.assertLess(time.monotonic(), deadline, 'a request is still open')
        time.sleep(0.02)
    test.assertTrue(recorder.get().flush(60), 'the record is not written')


def read_decisions(record):
    """All decisions of a record, in the order in which they were made."""
    return [
        decision.Decision.from_dict(data)
        for data in map(json.loads, record.read_text().splitlines())
        if 'request_id' in data
    ]


def trust_proxies():
    """Register the option that makes nova-api read proxies' headers."""
    options.CONF.register_opts(http_proxy_to_wsgi.OPTS, 'oslo_middleware')


def _formatter(format=None, datefmt=None):
    """The formatter of Nova's own log files."""
    return formatters.ContextFormatter(config=options.CONF)
