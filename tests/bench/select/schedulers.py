"""The schedulers that are compared, and the bare claims below them."""

import json
import logging
import time
from pathlib import Path

import nova.conf
from nova import config as nova_config
from nova import context as nova_context
from nova import exception, objects
from nova.scheduler import host_manager as nova_hosts
from nova.scheduler import manager as nova_manager
from nova.scheduler.client import report
from oslo_messaging.rpc import dispatcher

from nova_ext.scheduler import manager as our_manager
from nova_ext.scheduler.completion import recorder
from tests.bench.select import asking, loading, placement_client

CONF = nova.conf.CONF
#: The microversion of Nova's claims.
VERSION = '1.36'


def configure(folder, get_url, placement_url):
    """Configure Nova and nova-ext in this process.

    :param folder: takes the configuration and the record.
    """
    groups = {
        'DEFAULT': {
            'transport_url': 'fake://', 'service_down_time': 10 ** 6,
            'debug': False, 'state_path': folder,
        },
        'api_database': {'connection': get_url('nova_api')},
        'database': {'connection': get_url('nova_cell0')},
        'placement': {
            'auth_type': 'admin_token', 'endpoint': placement_url,
            'token': 'admin',
        },
        'nova_ext': {
            'mirror': 'on', 'mirror_verify_percent': 0,
            # Stock keeps placement and this process busy for longer than a
            # cloud's schedulers do.
            'mirror_max_age_s': 3600,
        },
        'nova_ext_record': {
            'file': f'{folder}/decisions', 'ask_again_every_s': 0,
        },
    }
    (Path(folder) / 'nova.conf').write_text('\n'.join(
        line for group, options in groups.items() for line in (
            f'[{group}]', *(f'{key} = {options[key]}' for key in options)
        )
    ))
    read_configuration(folder)


def read_configuration(folder):
    """Read what configure() wrote."""
    nova_config.parse_args(
        ['bench'], default_config_files=[str(Path(folder) / 'nova.conf')]
    )
    # Of many warnings none is news: a bench has one scheduler's logs.
    logging.getLogger().setLevel(logging.ERROR)
    objects.register_all()
    CONF.set_override('available_filters', [
        'nova.scheduler.filters.all_filters',
        'blazarnova.scheduler.filters.blazar_filter.BlazarFilter',
    ], group='filter_scheduler')
    # It would forget, in its own time, what know_servers() tells. There are
    # no servers to find.
    nova_hosts.HostManager._init_instance_info = lambda *_: None


def override(values):
    """Set options, by group and name."""
    for (group, name), value in values.items():
        CONF.set_override(name, value, group=group)


class StockManager(nova_manager.SchedulerManager):
    """Nova's, with a placement client of its own, and timed."""

    def __init__(self, client):
        self._client = client
        super().__init__()

    @property
    def placement_client(self):
        """Return the client."""
        return self._client

    def _get_all_host_states(self, *args):
        began = time.perf_counter()
        states = list(super()._get_all_host_states(*args))
        self._client.add_stage('host states', time.perf_counter() - began)
        return iter(states)

    def _get_sorted_hosts(self, *args):
        began = time.perf_counter()
        ranked = super()._get_sorted_hosts(*args)
        self._client.add_stage(
            'filter and weigh', time.perf_counter() - began
        )
        return ranked


class LazyHostState(nova_hosts.HostState):
    """Parse the NUMA topology of a host when it is read, and not before."""

    _numa_json = _numa = None

    @property
    def numa_topology(self):
        """Return the topology, or None."""
        if self._numa_json:
            self._numa = objects.NUMATopology.obj_from_db_obj(self._numa_json)
            self._numa_json = None
        return self._numa

    @numa_topology.setter
    def numa_topology(self, topology):
        self._numa, self._numa_json = topology, None

    def _update_from_compute_node(self, compute):
        text, compute.numa_topology = compute.numa_topology, None
        super()._update_from_compute_node(compute)
        self._numa_json = text


class TunedManager(StockManager):
    """Nova's, with hosts whose NUMA topology is parsed lazily."""

    def __init__(self, client):
        super().__init__(client)
        self.host_manager.host_state_cls = (
            lambda host, node, cell, **_: LazyHostState(host, node, cell)
        )


class Scheduler:
    """Run one of the managers.

    :param manager: it.
    :param client: its placement client.
    :ivar failures: how many requests ended without a host.
    """

    def __init__(self, name, manager, client):
        self.name = name
        self.is_fast = name == 'mirror'
        self.manager = manager
        self.client = client
        self.failures = 0

    def know_servers(self, hosts):
        """Tell it that the hosts' servers are known, as nova-compute does."""
        self.manager.host_manager._instance_info.update({
            host.name: {'instances': {}, 'updated': True} for host in hosts
        })

    def select(self, spec, uuids):
        """Place servers.

        :returns: the hosts; none where there was "no valid host".
        """
        try:
            selections = self.manager.select_destinations(
                nova_context.RequestContext('user', 'bench'), spec_obj=spec,
                instance_uuids=uuids, return_objects=True,
                return_alternates=True,
            )
        except (dispatcher.ExpectedException, exception.NoValidHost):
            self.failures += 1
            return []
        return [selection.service_host for selection, *_ in selections]

    def ask(self, requests):
        """Send the requests of clients.

        :returns: an asking.Outcome, with the stages of nova-ext's record.
        """
        outcome = asking.ask(self, requests)
        outcome.stages = [
            decision['stages'] for decision in take_decisions()
        ] or outcome.stages
        return outcome

    def configure(self, values):
        """Do nothing: this process is configured."""

    def describe_mirror(self):
        """Return what the mirror does."""
        return self.manager._mirror.describe()

    def stop(self):
        """End the reading of the mirror, if it has one."""
        if self.name == 'mirror':
            self.manager._mirror.stop()

    def forget(self, uuids):
        """Delete the servers' allocations."""
        # Of ours, the decider has the client that the mirror stands before.
        decider = getattr(self.manager, 'decider', self.manager)
        decider._cleanup_allocations(nova_context.get_admin_context(), uuids)


class Bare:
    """Claim on hosts that are given, without a scheduler.

    :param way: 'PUT': one for each server; 'POST': one for all; 'claim': as
        Nova claims, with a GET before each PUT.
    """

    is_fast = True
    failures = 0

    def __init__(self, way, client, amounts):
        self.name = way
        self.client = client
        self._amounts = amounts
        #: UUIDs of providers, one for each server.
        self.providers = []

    def ask(self, requests):
        """Claim for the requests of clients; return an asking.Outcome."""
        return asking.ask(self, requests)

    def select(self, spec, uuids):
        """Claim; return nothing."""
        providers = self.providers[:len(uuids)]
        bodies = {
            consumer: {
                'allocations': {provider: {'resources': self._amounts}},
                'project_id': 'bench', 'user_id': 'user',
                'consumer_generation': None,
            }
            for consumer, provider in zip(uuids, providers, strict=True)
        }
        if self.name == 'POST':
            answers = [self.client.post('/allocations', bodies, VERSION)]
        elif self.name == 'PUT':
            answers = [
                self._put(consumer, body) for consumer, body in bodies.items()
            ]
        else:
            context = nova_context.RequestContext('user', 'bench')
            return [
                self.client.claim_resources(
                    context, consumer,
                    {'allocations': body['allocations']}, 'bench', 'user',
                    VERSION,
                )
                for consumer, body in bodies.items()
            ]
        return [answer.status_code == 204 for answer in answers]

    def _put(self, consumer, body):
        """Claim, again as long as another claim came in between."""
        while True:
            answer = self.client.put(f'/allocations/{consumer}', body, VERSION)
            if answer.status_code != 409 or (
                answer.json()['errors'][0]['code']
                != 'placement.concurrent_update'
            ):
                return answer

    def forget(self, uuids):
        """Delete the servers' allocations."""
        for consumer in uuids:
            self.client.delete(f'/allocations/{consumer}')


def make_all(url, hosts, broadcaster=None):
    """Return stock's, tuned and nova-ext's scheduler, the last with a mirror.

    :param url: of placement.
    :param hosts: those of the cloud.
    :param broadcaster: tells other workers of claims; None: nobody is told.
    """
    client = placement_client.Client(url)
    made = [
        Scheduler('stock', StockManager(client), client),
        Scheduler('tuned', TunedManager(client), client),
        Scheduler('mirror', _make_mirrored(
            client, loading.LoadingClient(client, hosts), broadcaster
        ), client),
    ]
    for each in made:
        each.know_servers(hosts)
    return made


def _make_mirrored(client, loading_client, broadcaster):
    """Return our manager, whose mirror is loaded and refreshed.

    :param client: all managers of nova-ext use the one of Nova's module.
    :param loading_client: used while it loads.
    """
    report.PLACEMENTCLIENT = loading_client
    manager = our_manager.SchedulerManager()
    if broadcaster is not None:
        manager._mirror.broadcaster = broadcaster
    manager._mirror.refresh()
    report.PLACEMENTCLIENT = client
    manager._mirror.start()
    return manager


#: How much of the record was read.
_read = [0]


def take_decisions():
    """Wait until what was decided is recorded; return it, as plain data.

    Only nova-ext's manager records.
    """
    recorder.get().flush(120)
    path = Path(CONF.nova_ext_record.file)
    if not path.exists():
        return []
    with path.open() as record:
        record.seek(_read[0])
        lines = record.read().splitlines()
        _read[0] = record.tell()
    return [
        decision for decision in map(json.loads, lines)
        if 'request_id' in decision
    ]
