"""Count the claims that placement refuses several schedulers in a burst.

``python -m tests.bench.burst [NUMBER ...]``: of schedulers; 1, 2, 4 and 8 by
default. Stock schedulers, and such with a mirror, place the same servers on
the same hosts, one request after the other each. Nova, placement and their
databases are real, in one process. Time is not: each step takes as long as
was measured at 1,000 hosts, up to half of it more or less, and between two
steps whichever scheduler is due goes on. So a run does not depend on the
machine. Placement works on one claim at a time, so none gets in the way of
another.
"""

import contextlib
import random
import sys
import unittest
from collections import Counter
from dataclasses import dataclass, field
from unittest import mock

import fixtures

import tests.bench.untraced  # noqa: F401  before all of Nova

# isort: split
import oslo_messaging as messaging
from nova import context as nova_context
from nova import objects
from nova.scheduler import host_manager
from nova.scheduler import manager as nova_manager
from nova.scheduler.client import report
from nova.virt import fake
from oslo_utils import importutils, uuidutils

from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror import mirror
from nova_ext.scheduler.mirror.deciding import mirrored_request
from tests.bench import crowd
from tests.bench.timed_threads import TimedThreads
from tests.functional import base

SCHEDULERS = (1, 2, 4, 8)
STOCK = 'stock'
#: The mirror, with ``mirror_weighs_own_claims``.
WEIGHING = 'mirror, own claims'
#: The mirror, with a ``host_subset_size`` of so many.
SUBSET = 'mirror, subset of 8'
SUBSET_SIZE = 8
KINDS = (STOCK, 'mirror', WEIGHING, SUBSET)
HOSTS = 40
SERVERS = 80
#: Servers that a host has room for.
ROOM = 16
#: Seconds of each step, as measured at 1,000 hosts.
CANDIDATES_S = 0.427
HOST_STATES_S = 0.243 + 0.934 + 0.096
#: A mirror's decision, and as much again for the rest after the claim.
MIRROR_S = 0.010
CLAIM_S = 0.019
#: One GET of placement's, of a provider or a consumer, or the list of all.
GET_S = 0.007
LIST_S = 0.032
#: From the scheduler that tells of a claim to the others.
FAN_OUT_S = 0.005
#: After it a compute node's row has the server.
ROW_S = 2.0


class BurstDriver(fake.FakeDriver):
    """Have few processors and enough of the rest."""

    vcpus = ROOM
    memory_mb = 65536
    local_gb = 1000


@dataclass
class Outcome:
    """Hold what came of a burst.

    :ivar refused: claims, by placement's words.
    :ivar retried: servers for which a claim was refused.
    :ivar fallbacks: requests that mirrors left to Nova, by reason.
    :ivar seconds: until the last server was placed, of the time that is not
        real.
    """

    placed: int = 0
    failed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    retried: set[str] = field(default_factory=set)
    fallbacks: Counter[str] = field(default_factory=Counter)


class BurstBench(base.CloudTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)
    compute_driver = 'fake.BurstDriver'
    available_filters = (base.STOCK_FILTERS,)
    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )
    numbers = SCHEDULERS
    kinds = KINDS

    def configure(self):
        """Have the mirror as it is by default, and the turns go on."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.fake.BurstDriver', BurstDriver
        ))
        self.flags(cpu_allocation_ratio=1.0, service_down_time=36000)
        self.flags(
            group='nova_ext', mirror='on', mirror_verify_percent=0,
        )
        # That of the service, which decides but the first server.
        self.useFixture(fixtures.MockPatchObject(
            mirror.Mirror, 'start', lambda mirror: None
        ))

    def runTest(self):  # noqa: N802  unittest's name
        """Print a line for each burst."""
        server = self.boot()
        self.admin = nova_context.RequestContext(
            'admin', 'project', is_admin=True
        )
        self.spec = objects.RequestSpec.get_by_instance_uuid(
            self.admin, server['id']
        )
        self.names = ['cmp', *crowd.multiply('cmp', HOSTS)]
        self._delete_server(server)
        self.providers = {
            name: self._get_provider_uuid_by_host(name) for name in self.names
        }
        self.filled = []
        for cloud, free in (
            ('roomy', 8 * HOSTS), ('nearly full', SERVERS + SERVERS // 10),
        ):
            for number in self.numbers:
                for kind in self.kinds:
                    self.fill(free)
                    print(
                        f'{cloud:11} {number} {kind:22}',
                        self.describe(self.run_burst(kind, number)),
                        flush=True,
                    )

    def describe(self, outcome):
        """Return an outcome in words."""
        left = ', '.join(
            f'{count} {reason}'
            for reason, count in outcome.fallbacks.most_common()
        )
        refused = ', '.join(
            f'{count} {words}' for words, count in outcome.refused.items()
        )
        return (
            f'{outcome.placed} placed in {outcome.seconds:.0f} s, '
            f'{outcome.refused.total()} claims refused in '
            f'{len(outcome.retried)} requests, {outcome.failed} failed'
            + f'; refused: {refused}' * bool(refused)
            + f'; left to Nova: {left}' * bool(left)
        )

    def fill(self, free):
        """Have the hosts so many places in all, some more, some less.

        The same ones each time.
        """
        for consumer in self.filled:
            self.placement.delete(f'/allocations/{consumer}')
        self.filled = []
        draw = random.Random(1)  # noqa: S311  not a secret
        used = dict.fromkeys(self.names, 0)
        while sum(used.values()) < ROOM * HOSTS - free:
            name = draw.choice(self.names)
            used[name] = min(ROOM, used[name] + 1)
        for name, count in used.items():
            if count:
                self.claim(name, count)
            self.set_row(name, lambda now, count=count: count)

    def claim(self, name, count):
        """Have somebody else use a host."""
        consumer = uuidutils.generate_uuid()
        answer = self.placement.put(f'/allocations/{consumer}', {
            'allocations': {self.providers[name]: {'resources': {
                'VCPU': count, 'MEMORY_MB': 512 * count, 'DISK_GB': count,
            }}},
            'project_id': 'p', 'user_id': 'u', 'consumer_generation': None,
        }, version='1.28')
        self.assertEqual(204, answer.status, answer.body)
        self.filled.append(consumer)

    def set_row(self, name, count_servers):
        """Write a compute node's row, as nova-compute does.

        :param count_servers: of how many there were.
        """
        mapping = objects.HostMapping.get_by_host(self.admin, name)
        with nova_context.target_cell(
            self.admin, mapping.cell_mapping
        ) as in_cell:
            (node,) = objects.ComputeNodeList.get_all_by_host(in_cell, name)
            count = count_servers(node.vcpus_used)
            node.vcpus_used = count
            node.memory_mb_used = 512 * (count + 1)
            node.free_ram_mb = node.memory_mb - node.memory_mb_used
            node.local_gb_used = count
            node.free_disk_gb = node.local_gb - count
            node.running_vms = count
            node.stats = {**(node.stats or {}), 'num_instances': str(count)}
            node.save()

    def run_burst(self, kind, number):
        """Place all servers at once.

        :param kind: one of KINDS.
        :param number: of schedulers.
        """
        self.flags(
            group='nova_ext', mirror_weighs_own_claims=kind == WEIGHING,
        )
        self.flags(
            group='filter_scheduler',
            host_subset_size=SUBSET_SIZE if kind == SUBSET else 1,
        )
        # Its times are of another clock than those of the burst before.
        self.flags(
            group='nova_ext',
            mirror_path=self.useFixture(fixtures.TempDir()).path,
        )
        managers = [self.make_manager(kind) for _ in range(number)]
        outcome, threads = Outcome(), TimedThreads()
        waiting = [uuidutils.generate_uuid() for _ in range(SERVERS)]
        self.filled += waiting
        with self.take_time(threads, outcome):
            if kind != STOCK:
                self.start_mirrors(
                    threads, [manager._mirror for manager in managers],
                )
            threads.spawn(lambda: self.begin(
                threads, managers, waiting, outcome,
                0 if kind == STOCK else 60,
            ))
            threads.run()
        self.assertTrue(recorder.get().flush(60))
        for manager in managers:
            if kind != STOCK:
                outcome.fallbacks.update(
                    manager._mirror.describe()['fallbacks']
                )
        return outcome

    def make_manager(self, kind):
        """Return a scheduler that knows which servers hosts have."""
        manager = (
            nova_manager.SchedulerManager() if kind == STOCK
            else importutils.import_class(base.OUR_MANAGER)()
        )
        manager.host_manager._instance_info.update({
            name: {'instances': {}, 'updated': True} for name in self.names
        })
        return manager

    def start_mirrors(self, threads, mirrors):
        """Run the mirrors' threads in turns."""
        def tell(teller, allocations):
            told = [
                (uuid, each['resources']) for uuid, each in allocations.items()
            ]
            for other in mirrors:
                other.take_claims(teller, told)

        for number, each in enumerate(mirrors):
            reader = each._reader
            each._thread._wanted = threads.make_event()
            reader._wanted = threads.make_event()
            reader._pace._ended = threads.make_event()
            threads.spawn(each._thread._run)
            threads.spawn(reader._run)
            each.broadcaster.worker = str(number)
            each.broadcaster.put = (
                lambda allocations, teller=str(number): threads.spawn(
                    lambda: tell(teller, allocations), FAN_OUT_S
                )
            )

    def begin(self, threads, managers, waiting, outcome, after_s):
        """Let the schedulers take requests when the mirrors are loaded."""
        threads.sleep(after_s)
        loaded = [
            manager._mirror for manager in managers
            if hasattr(manager, '_mirror')
        ]
        while any(each.snapshot is None for each in loaded):
            threads.sleep(1)
        began, left = threads.now, len(managers)

        def serve(manager):
            nonlocal left
            while waiting:
                self.place(threads, manager, waiting.pop(), outcome)
                outcome.seconds = threads.now - began
                if loaded:
                    threads.sleep(MIRROR_S)
            left -= 1
            if not left:
                for each in loaded:
                    each.stop()

        for manager in managers:
            threads.spawn(lambda manager=manager: serve(manager))

    def place(self, threads, manager, uuid, outcome):
        """Place one server."""
        spec = self.spec.obj_clone()
        spec.instance_uuid = uuid
        spec.requested_resources = []  # the conductor sets them
        try:
            ((selection, *_),) = manager.select_destinations(
                self.admin, spec_obj=spec, instance_uuids=[uuid],
                return_objects=True, return_alternates=True,
            )
        except messaging.ExpectedException:  # of NoValidHost
            outcome.failed += 1
        else:
            outcome.placed += 1
            name = selection.service_host
            threads.spawn(
                lambda: self.set_row(name, lambda count: count + 1), ROW_S
            )

    @contextlib.contextmanager
    def take_time(self, threads, outcome):
        """Have what schedulers do take its time, and count claims."""
        draw = random.Random(1)  # noqa: S311  not a secret

        def sleep(seconds):
            if threads.is_one():
                threads.sleep(seconds * draw.uniform(0.5, 1.5))

        def get(get, self, url, *args, **kwargs):
            answer = get(self, url, *args, **kwargs)
            sleep(LIST_S if url == '/resource_providers' else GET_S)
            return answer

        def claim(send, self, url, body, *args, **kwargs):
            if not url.startswith('/allocations'):
                return send(self, url, body, *args, **kwargs)
            sleep(CLAIM_S / 2)
            answer = send(self, url, body, *args, **kwargs)
            sleep(CLAIM_S / 2)
            if answer.status_code == 409:
                detail = answer.json()['errors'][0]['detail']
                outcome.refused[
                    'over capacity' if 'exceed' in detail else detail
                ] += 1
                (consumer,) = (
                    body if url == '/allocations' else [url.split('/')[2]]
                )
                outcome.retried.add(consumer)
            return answer

        def take(seconds):
            def take(method, *args):
                answer = method(*args)
                sleep(seconds)
                return answer

            return take

        client = report.SchedulerReportClient
        with contextlib.ExitStack() as stack:
            for owner, name, slow in (
                (client, 'get', get),
                (client, 'put', claim),
                (client, 'post', claim),
                (client, 'get_allocation_candidates', take(CANDIDATES_S)),
                (host_manager.HostManager, 'get_host_states_by_uuids',
                 take(HOST_STATES_S)),
                (mirrored_request.MirroredRequest, 'find_candidates',
                 take(MIRROR_S)),
            ):
                stack.enter_context(mock.patch.object(
                    owner, name,
                    _slow(slow, getattr(owner, name)),
                ))
            yield


def _slow(slow, method):
    """Return a method that takes its time."""
    return lambda *args, **kwargs: slow(method, *args, **kwargs)


def main(words):
    """Run the bursts of so many schedulers each.

    :returns: the exit status.
    """
    numbers = tuple(map(int, words)) or SCHEDULERS
    result = unittest.TextTestRunner(verbosity=0).run(
        type('Burst', (BurstBench,), {'numbers': numbers})()
    )
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
